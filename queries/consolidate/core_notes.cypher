// The notes that are always in mind.
// column id: STRING
MATCH (note:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE note.core
RETURN note.id AS id
ORDER BY id
