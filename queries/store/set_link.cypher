// Give one link new values. PAYLOAD: what only links of its type have.
// choice LINKS: Sem, Proc, Situation
// choice SOURCE_TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure
// choice TARGET_TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure
// choice PAYLOAD: confidence, prob, variant
// param source: STRING
// param target: STRING
// param id: STRING
// param intensity: DOUBLE
// param last_fired_at: TIMESTAMP?
// param fired_count: INT64
// param payload: ANY?
MATCH (a:SOURCE_TABLE {id: $source})-[l:LINKS]->(b:TARGET_TABLE {id: $target}) WHERE l.id = $id
SET l.intensity = $intensity, l.last_fired_at = $last_fired_at, l.fired_count = $fired_count, l.PAYLOAD = $payload
