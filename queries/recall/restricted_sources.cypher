// The lines that these notes were drawn from.
// param ids: STRING[]
// column note: STRING
// column message: STRING
MATCH (drawn:Semantic:SpecificSituation:AbstractSituation:Procedure)-[:SOURCE]->(said:Message)
WHERE (drawn.id IN $ids) = true
RETURN drawn.id AS note, said.id AS message
ORDER BY note, message
