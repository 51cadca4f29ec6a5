// All links that leave the notes which the links of these notes lead to: the second hop of a walk, in one query with the first.
// since: milliseconds since 1970.
// param ids: STRING[]
// column link: STRING
// column source: STRING
// column target: STRING
// column type: STRING
// column intensity: DOUBLE
// column since: INT64
// column verb: STRING?
// column confidence: DOUBLE?
// column prob: DOUBLE?
MATCH (asked:Semantic:SpecificSituation:AbstractSituation:Procedure)-[:Sem|Proc|Situation]->(origin:Semantic:SpecificSituation:AbstractSituation:Procedure)-[link:Sem|Proc|Situation]->(reached:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE (asked.id IN $ids) = true
RETURN DISTINCT link.id AS link, origin.id AS source, reached.id AS target, label(link) AS type, link.intensity AS intensity,
       to_epoch_ms(coalesce(link.last_fired_at, link.created_at)) AS since,
       link.verb AS verb, link.confidence AS confidence, link.prob AS prob
