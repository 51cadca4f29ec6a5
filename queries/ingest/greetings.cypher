// First lines of chats, heard by everybody, that say one of these texts.
// param texts: STRING[]
// column id: STRING
// column speaker: STRING
// column text: STRING
MATCH (message:Message)
WHERE message.index = 0 AND NOT message.hidden AND message.scope = 'public' AND (message.text IN $texts) = true
RETURN message.id AS id, message.speaker AS speaker, message.text AS text
ORDER BY id
