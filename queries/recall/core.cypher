// Notes that are always in.
// column id: STRING
MATCH (note:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE note.core AND note.active
RETURN note.id AS id
ORDER BY id
