// Create one of the abstract situations, and claim its key.
// param id: STRING
// param key: STRING
// param tags: STRING[]
// param retrieval_count: INT64
// param created_at: TIMESTAMP
// param last_accessed_at: TIMESTAMP?
// param strength: DOUBLE
// param decayed_at: TIMESTAMP
// param due_at: TIMESTAMP?
// param pinned: BOOL
// param core: BOOL
// param active: BOOL
// param asleep: BOOL
// param scope: STRING
// param kept_from: STRING[]
// param origins: STRING[]
// param length: INT64
// param kind: STRING
// param location: ANY?
// param participant: ANY?
// param environment: ANY?
// param event: ANY?
// param v_tags: VECTOR?
// param v_self: VECTOR?
// param v_location_name: VECTOR?
// param v_location_coordinates: VECTOR?
// param v_participant_name: VECTOR?
// param v_participant_role: VECTOR?
// param v_atmosphere: VECTOR?
// param v_tone: VECTOR?
// param v_event_action: VECTOR?
// param v_event_initiator: VECTOR?
// param v_event_target: VECTOR?
CREATE (:AbstractSituation {
    id: $id, key: $key, tags: $tags, retrieval_count: $retrieval_count, created_at: $created_at,
    last_accessed_at: $last_accessed_at, strength: $strength, decayed_at: $decayed_at, due_at: $due_at, pinned: $pinned,
    core: $core, active: $active, asleep: $asleep, scope: $scope, kept_from: $kept_from, origins: $origins, length: $length, kind: $kind, location: $location,
    participant: $participant, environment: $environment, event: $event, v_tags: $v_tags, v_self: $v_self,
    v_location_name: $v_location_name, v_location_coordinates: $v_location_coordinates,
    v_participant_name: $v_participant_name, v_participant_role: $v_participant_role, v_atmosphere: $v_atmosphere,
    v_tone: $v_tone, v_event_action: $v_event_action, v_event_initiator: $v_event_initiator,
    v_event_target: $v_event_target}),
    (:NoteKey {key: $key, id: $id, type: 'AbstractSituation'})
