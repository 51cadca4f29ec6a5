// The types of these notes.
// param ids: STRING[]
// column id: STRING
// column type: STRING
MATCH (known:NoteKey)
WHERE (known.id IN $ids) = true
RETURN known.id AS id, known.type AS type
ORDER BY id
