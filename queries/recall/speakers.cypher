// Who speaks in the chats.
// column speaker: STRING
MATCH (message:Message) WHERE NOT message.hidden RETURN DISTINCT message.speaker AS speaker ORDER BY speaker
