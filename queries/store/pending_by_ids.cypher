// The waiting links with these ids.
// param ids: STRING[]
// column id: STRING
// column source_key: STRING
// column target_key: STRING
// column type: STRING
// column payload: STRING
// column intensity: DOUBLE
// column created_at: TIMESTAMP
// column last_fired_at: TIMESTAMP?
// column fired_count: INT64
// column place: STRING
MATCH (p:PendingLink) WHERE (p.id IN $ids) = true
RETURN
    p.id AS id, p.source_key AS source_key, p.target_key AS target_key, p.type AS type, p.payload AS payload,
    p.intensity AS intensity, p.created_at AS created_at, p.last_fired_at AS last_fired_at,
    p.fired_count AS fired_count, p.place AS place
