// All notes: key, id, type, by key.
// column key: STRING
// column id: STRING
// column type: STRING
MATCH (k:NoteKey) RETURN k.key AS key, k.id AS id, k.type AS type ORDER BY k.key
