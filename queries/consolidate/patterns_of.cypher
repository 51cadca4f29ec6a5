// The patterns that these situations belong to.
// param ids: STRING[]
// column situation: STRING
// column pattern: STRING
MATCH (lived:SpecificSituation)-[:Situation]->(drawn:AbstractSituation)
WHERE (lived.id IN $ids) = true
RETURN lived.id AS situation, drawn.id AS pattern
ORDER BY situation, pattern
