// The notes that have one of these texts as their id or their key.
// param names: STRING[]
// column name: STRING
// column key: STRING
// column id: STRING
// column type: STRING
UNWIND $names AS wanted MATCH (k:NoteKey) WHERE k.key = wanted OR k.id = wanted
RETURN wanted AS name, k.key AS key, k.id AS id, k.type AS type ORDER BY k.key
