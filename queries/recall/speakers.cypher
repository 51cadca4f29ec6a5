// Who speaks in the chats, and as whom.
// column speaker: STRING
// column role: STRING
MATCH (message:Message) WHERE NOT message.hidden RETURN DISTINCT message.speaker AS speaker, message.role AS role ORDER BY speaker, role
