// All links that leave these notes, with what their weight in the walk depends on.
// since: milliseconds since 1970.
// param ids: STRING[]
// column source: STRING
// column target: STRING
// column type: STRING
// column intensity: DOUBLE
// column since: INT64
// column verb: STRING?
// column confidence: DOUBLE?
// column prob: DOUBLE?
MATCH (origin:Semantic:SpecificSituation:AbstractSituation:Procedure)-[link:Sem|Proc|Situation]->(reached:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE (origin.id IN $ids) = true
RETURN origin.id AS source, reached.id AS target, label(link) AS type, link.intensity AS intensity,
       to_epoch_ms(coalesce(link.last_fired_at, link.created_at)) AS since,
       link.verb AS verb, link.confidence AS confidence, link.prob AS prob
