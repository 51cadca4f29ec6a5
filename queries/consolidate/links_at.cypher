// The links at these notes, and when each fired last, or was made.
// param ids: STRING[]
// column id: STRING
// column source: STRING
// column target: STRING
// column intensity: DOUBLE
// column since: TIMESTAMP
// column fired_count: INT64
MATCH (origin:Semantic:SpecificSituation:AbstractSituation:Procedure)-[link:Sem|Proc|Situation]->(reached:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE (origin.id IN $ids) = true AND (reached.id IN $ids) = true
RETURN link.id AS id, origin.id AS source, reached.id AS target, link.intensity AS intensity,
    coalesce(link.last_fired_at, link.created_at) AS since, link.fired_count AS fired_count
ORDER BY id
