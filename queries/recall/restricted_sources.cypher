// The lines that these notes were drawn from.
// param ids: STRING[]
// column note: STRING
// column message: STRING
MATCH (note:Semantic:SpecificSituation:AbstractSituation:Procedure)-[:SOURCE]->(said:Message)
WHERE (note.id IN $ids) = true
RETURN note.id AS note, said.id AS message
ORDER BY note, message
