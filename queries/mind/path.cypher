// The shortest ways from one note to another, by their keys, over at most six links.
// param origin: STRING
// param reached: STRING
// param limit: INT64
// column keys: STRING[]
MATCH way = (a:Semantic:SpecificSituation:AbstractSituation:Procedure)-[:Sem|Proc|Situation* ALL SHORTEST 1..6]->(b:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE a.key = $origin AND b.key = $reached
WITH list_transform(nodes(way), step -> step.key) AS keys
WITH keys, list_to_string(' ', keys) AS way_text
RETURN keys
ORDER BY way_text
LIMIT $limit
