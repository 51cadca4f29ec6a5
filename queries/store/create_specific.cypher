// Create one of the specific situations, and claim its key.
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
// param narrative: STRING
// param time_start: TIMESTAMP?
// param time_end: TIMESTAMP?
// param location: ANY?
// param participants: ANY
// param emotions: ANY
// param sensory_data: ANY
// param environment: ANY?
// param event: ANY
// param revised_narrative: STRING?
// param revised_missing: DOUBLE?
// param v_tags: VECTOR?
// param v_narrative: VECTOR?
// param v_location_name: VECTOR?
// param v_location_coordinates: VECTOR?
// param v_participant_name: VECTOR?
// param v_participant_role: VECTOR?
// param v_atmosphere: VECTOR?
// param v_tone: VECTOR?
// param v_event_action: VECTOR?
// param v_event_initiator: VECTOR?
// param v_event_target: VECTOR?
CREATE (:SpecificSituation {
    id: $id, key: $key, tags: $tags, retrieval_count: $retrieval_count, created_at: $created_at,
    last_accessed_at: $last_accessed_at, strength: $strength, decayed_at: $decayed_at, due_at: $due_at, pinned: $pinned,
    core: $core, active: $active, asleep: $asleep, scope: $scope, kept_from: $kept_from, origins: $origins, length: $length, narrative: $narrative, time_start: $time_start,
    time_end: $time_end, location: $location, participants: $participants, emotions: $emotions,
    sensory_data: $sensory_data, environment: $environment, event: $event, revised_narrative: $revised_narrative,
    revised_missing: $revised_missing, v_tags: $v_tags, v_narrative: $v_narrative,
    v_location_name: $v_location_name, v_location_coordinates: $v_location_coordinates,
    v_participant_name: $v_participant_name, v_participant_role: $v_participant_role, v_atmosphere: $v_atmosphere,
    v_tone: $v_tone, v_event_action: $v_event_action, v_event_initiator: $v_event_initiator,
    v_event_target: $v_event_target}),
    (:NoteKey {key: $key, id: $id, type: 'SpecificSituation'})
