// The notes that were drawn from these lines, with all their lines.
// param ids: STRING[]
// column note: STRING
// column type: STRING
// column category: STRING?
// column kept_from: STRING[]?
// column message: STRING
MATCH (drawn:Semantic:SpecificSituation:AbstractSituation:Procedure)-[:SOURCE]->(said:Message)
WHERE (said.id IN $ids) = true
WITH DISTINCT drawn
MATCH (drawn)-[:SOURCE]->(other:Message)
RETURN drawn.id AS note, label(drawn) AS type, drawn.category AS category, drawn.kept_from AS kept_from, other.id AS message
ORDER BY note, message
