// Create one of the Semantic notes, and claim its key.
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
// param aliases: STRING[]
// param concept_type: STRING
// param description: STRING
// param category: STRING?
// param valid_from: TIMESTAMP?
// param valid_until: TIMESTAMP?
// param revised_content: STRING?
// param revised_description: STRING?
// param revised_missing: DOUBLE?
// param v_tags: VECTOR?
// param v_content: VECTOR?
// param v_aliases: VECTOR?
// param v_description: VECTOR?
CREATE (:Semantic {
    id: $id, key: $key, tags: $tags, retrieval_count: $retrieval_count, created_at: $created_at,
    last_accessed_at: $last_accessed_at, strength: $strength, decayed_at: $decayed_at, due_at: $due_at, pinned: $pinned,
    core: $core, active: $active, asleep: $asleep, scope: $scope, kept_from: $kept_from, origins: $origins, length: $length, content: $content, aliases: $aliases,
    concept_type: $concept_type, description: $description, category: $category, valid_from: $valid_from,
    valid_until: $valid_until, revised_content: $revised_content, revised_description: $revised_description,
    revised_missing: $revised_missing, v_tags: $v_tags, v_content: $v_content, v_aliases: $v_aliases,
    v_description: $v_description}),
    (:NoteKey {key: $key, id: $id, type: 'Semantic'})
