// Links that fired once and may have faded below a strength by now: halved every so many hours since they fired last.
// param now: TIMESTAMP
// param half_life_hours: DOUBLE
// param below: DOUBLE
// column id: STRING
// column source: STRING
// column target: STRING
// column intensity: DOUBLE
// column since: TIMESTAMP
MATCH (origin:Semantic:SpecificSituation:AbstractSituation:Procedure)-[link:Sem|Proc|Situation]->(reached:Semantic:SpecificSituation:AbstractSituation:Procedure)
WITH link, origin, reached, coalesce(link.last_fired_at, link.created_at) AS fired
WHERE link.fired_count > 0 AND fired + to_hours(CAST(floor($half_life_hours * log2((link.intensity + 0.000000001) / $below)) AS INT64)) <= $now
RETURN link.id AS id, origin.id AS source, reached.id AS target, link.intensity AS intensity, fired AS since
ORDER BY id
