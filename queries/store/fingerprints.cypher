// The fingerprints of a chat's messages, in the order of the file.
// param chat: STRING
// column id: STRING
// column index: INT64
// column fingerprint: STRING
MATCH (m:Message {chat: $chat}) RETURN m.id AS id, m.index AS index, m.fingerprint AS fingerprint ORDER BY m.index
