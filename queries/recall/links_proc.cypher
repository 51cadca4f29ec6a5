// All links by which situations trigger ways of acting.
// since: milliseconds since 1970.
// column source: STRING
// column target: STRING
// column intensity: DOUBLE
// column since: INT64
// column prob: DOUBLE
MATCH (origin:SpecificSituation:AbstractSituation)-[link:Proc]->(reached:Procedure)
WITH origin.id AS source, reached.id AS target, link, coalesce(link.last_fired_at, link.created_at) AS since
RETURN source, target, link.intensity AS intensity,
       to_epoch_ms(since) AS since, link.prob AS prob
