// Which notes have these keys.
// param keys: STRING[]
// column key: STRING
// column id: STRING
// column type: STRING
UNWIND $keys AS wanted MATCH (k:NoteKey {key: wanted}) RETURN k.key AS key, k.id AS id, k.type AS type
