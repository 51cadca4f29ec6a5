// All worded relations, with what their weight in the walk depends on.
// since: milliseconds since 1970.
// column source: STRING
// column target: STRING
// column intensity: DOUBLE
// column since: INT64
// column verb: STRING
// column confidence: DOUBLE
MATCH (origin:Semantic:SpecificSituation:AbstractSituation:Procedure)-[link:Sem]->(reached:Semantic:SpecificSituation:AbstractSituation:Procedure)
WITH origin.id AS source, reached.id AS target, link, coalesce(link.last_fired_at, link.created_at) AS since
RETURN source, target, link.intensity AS intensity,
       to_epoch_ms(since) AS since, link.verb AS verb, link.confidence AS confidence
