// All links between situations, with what their weight in the walk depends on.
// since: milliseconds since 1970.
// column source: STRING
// column target: STRING
// column intensity: DOUBLE
// column since: INT64
MATCH (origin:SpecificSituation:AbstractSituation)-[link:Situation]->(reached:SpecificSituation:AbstractSituation)
WITH origin.id AS source, reached.id AS target, link, coalesce(link.last_fired_at, link.created_at) AS since
RETURN source, target, link.intensity AS intensity,
       to_epoch_ms(since) AS since
