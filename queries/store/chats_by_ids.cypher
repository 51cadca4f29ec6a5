// The chats with these ids.
// param ids: STRING[]
// column id: STRING
// column file: STRING
// column format: STRING
// column sha256: STRING
// column messages: INT64
// column ingested_at: TIMESTAMP
MATCH (c:Chat) WHERE (c.id IN $ids) = true
RETURN c.id AS id, c.file AS file, c.format AS format, c.sha256 AS sha256, c.messages AS messages, c.ingested_at AS ingested_at
