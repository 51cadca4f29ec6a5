// Links that leave these notes, with what their weight in the walk depends on.
// param ids: STRING[]
// column source: STRING
// column target: STRING
// column source_key: STRING
// column target_key: STRING
// column type: STRING
// column target_type: STRING
// column intensity: DOUBLE
// column since: TIMESTAMP
// column verb: STRING
// column confidence: DOUBLE
// column prob: DOUBLE
MATCH (origin:Semantic:SpecificSituation:AbstractSituation:Procedure)-[link:Sem|Proc|Situation]->(reached:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE (origin.id IN $ids) = true AND reached.active
RETURN origin.id AS source, reached.id AS target, origin.key AS source_key, reached.key AS target_key, label(link) AS type, label(reached) AS target_type,
       link.intensity AS intensity, coalesce(link.last_fired_at, link.created_at) AS since,
       link.verb AS verb, link.confidence AS confidence, link.prob AS prob
ORDER BY source, target, type, verb
