// Which of these notes have a text that a model completed.
// param ids: STRING[]
// column id: STRING
// column type: STRING
MATCH (note:Semantic:SpecificSituation)
WHERE (note.id IN $ids) = true AND note.revised_missing IS NOT NULL
RETURN note.id AS id, label(note) AS type
ORDER BY id
