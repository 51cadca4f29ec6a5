// The notes that have these keys.
// param keys: STRING[]
// column key: STRING
// column id: STRING
// column type: STRING
UNWIND $keys AS wanted
MATCH (known:NoteKey {key: wanted})
RETURN known.key AS key, known.id AS id, known.type AS type
ORDER BY key
