// Chats that hold a line with one of these fingerprints, or that were read from this file.
// param fingerprints: STRING[]
// param file: STRING
// column id: STRING
// column file: STRING
// column messages: INT64
// column format: STRING
MATCH (message:Message)
WHERE (message.fingerprint IN $fingerprints) = true
WITH DISTINCT message.chat AS chat
MATCH (found:Chat {id: chat})
RETURN found.id AS id, found.file AS file, found.messages AS messages, found.format AS format
UNION
MATCH (found:Chat)
WHERE found.file = $file
RETURN found.id AS id, found.file AS file, found.messages AS messages, found.format AS format
