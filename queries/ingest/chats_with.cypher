// Chats that hold a line with one of these fingerprints, or that were read from one of these files.
// param fingerprints: STRING[]
// param files: STRING[]
// column id: STRING
// column file: STRING
// column messages: INT64
// column format: STRING
// column sha256: STRING
UNWIND $fingerprints AS wanted
MATCH (message:Message)
WHERE message.fingerprint = wanted
WITH DISTINCT message.chat AS chat
MATCH (found:Chat {id: chat})
RETURN found.id AS id, found.file AS file, found.messages AS messages, found.format AS format, found.sha256 AS sha256
UNION
MATCH (found:Chat)
WHERE (found.file IN $files) = true
RETURN found.id AS id, found.file AS file, found.messages AS messages, found.format AS format, found.sha256 AS sha256
