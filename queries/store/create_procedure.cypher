// Create one of the procedures, and claim its key.
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
// param content: STRING
// param action_type: STRING
// param v_tags: VECTOR?
// param v_content: VECTOR?
CREATE (:Procedure {
    id: $id, key: $key, tags: $tags, retrieval_count: $retrieval_count, created_at: $created_at,
    last_accessed_at: $last_accessed_at, strength: $strength, decayed_at: $decayed_at, due_at: $due_at, pinned: $pinned,
    core: $core, active: $active, asleep: $asleep, scope: $scope, kept_from: $kept_from, origins: $origins, length: $length, content: $content, action_type: $action_type,
    v_tags: $v_tags, v_content: $v_content}),
    (:NoteKey {key: $key, id: $id, type: 'Procedure'})
