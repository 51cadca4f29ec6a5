// Which of these ids are notes of the mind.
// param ids: STRING[]
// column id: STRING
MATCH (known:NoteKey)
WHERE (known.id IN $ids) = true
RETURN known.id AS id
ORDER BY id
