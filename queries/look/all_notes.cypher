// All notes, in the order they were made.
// column id: STRING
// column key: STRING
// column created_at: TIMESTAMP
MATCH (note:Semantic:SpecificSituation:AbstractSituation:Procedure)
RETURN note.id AS id, note.key AS key, note.created_at AS created_at
ORDER BY created_at, key
