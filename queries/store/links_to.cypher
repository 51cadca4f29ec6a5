// All links that lead to these notes, with the types of their ends.
// param ids: STRING[]
// column source: STRING
// column target: STRING
// column source_type: STRING
// column target_type: STRING
// column type: STRING
// column id: STRING
// column intensity: DOUBLE
// column created_at: TIMESTAMP
// column last_fired_at: TIMESTAMP?
// column fired_count: INT64
// column verb: STRING?
// column confidence: DOUBLE?
// column prob: DOUBLE?
// column variant: STRING?
MATCH (a:Semantic:SpecificSituation:AbstractSituation:Procedure)-[l:Sem|Proc|Situation]->(b:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE (b.id IN $ids) = true
RETURN
    a.id AS source, b.id AS target, label(a) AS source_type, label(b) AS target_type, label(l) AS type, l.id AS id,
    l.intensity AS intensity, l.created_at AS created_at, l.last_fired_at AS last_fired_at, l.fired_count AS fired_count,
    l.verb AS verb, l.confidence AS confidence, l.prob AS prob, l.variant AS variant
