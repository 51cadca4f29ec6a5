// The Situation links that leave these notes.
// param ids: STRING[]
// column source: STRING
// column target: STRING
// column id: STRING
// column intensity: DOUBLE
// column created_at: TIMESTAMP
// column last_fired_at: TIMESTAMP?
// column fired_count: INT64
// column variant: STRING
MATCH (a:SpecificSituation:AbstractSituation)-[l:Situation]->(b:SpecificSituation:AbstractSituation) WHERE (a.id IN $ids) = true
RETURN
    a.id AS source, b.id AS target, l.id AS id, l.intensity AS intensity, l.created_at AS created_at,
    l.last_fired_at AS last_fired_at, l.fired_count AS fired_count, l.variant AS variant
ORDER BY l.id
