// Give many links new values. The frame has the columns id, intensity, last_fired_at, fired_count, payload.
// choice LINKS: Sem, Proc, Situation
// choice SOURCE_TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure
// choice PAYLOAD: confidence, prob, variant
// param frame: FRAME
LOAD FROM $frame WITH id AS wanted, intensity AS i, last_fired_at AS fired, fired_count AS count, payload AS p
MATCH (a:SOURCE_TABLE)-[l:LINKS]->() WHERE l.id = wanted
SET l.intensity = i, l.last_fired_at = fired, l.fired_count = count, l.PAYLOAD = p
