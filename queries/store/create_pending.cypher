// Create a link that waits for one of its ends.
// param id: STRING
// param source_key: STRING
// param target_key: STRING
// param type: STRING
// param payload: STRING
// param intensity: DOUBLE
// param created_at: TIMESTAMP
// param last_fired_at: TIMESTAMP?
// param fired_count: INT64
// param place: STRING
CREATE (:PendingLink {
    id: $id, source_key: $source_key, target_key: $target_key, type: $type, payload: $payload, intensity: $intensity,
    created_at: $created_at, last_fired_at: $last_fired_at, fired_count: $fired_count, place: $place})
