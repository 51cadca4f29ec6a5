// Create a chat, or give the one with this id new values.
// param id: STRING
// param file: STRING
// param format: STRING
// param sha256: STRING
// param messages: INT64
// param ingested_at: TIMESTAMP
MERGE (c:Chat {id: $id})
SET c.file = $file, c.format = $format, c.sha256 = $sha256, c.messages = $messages, c.ingested_at = $ingested_at
