// What of every note a recall needs before it is chosen: type, state, and what its retention depends on.
// Times are milliseconds since 1970.
// column id: STRING
// column key: STRING
// column type: STRING
// column strength: DOUBLE
// column decayed_at: INT64
// column retrieval_count: INT64
// column category: STRING?
// column action_type: STRING?
// column pinned: BOOL
// column core: BOOL
// column active: BOOL
// column asleep: BOOL
// column length: INT64
// column valid_from: INT64?
// column valid_until: INT64?
MATCH (note:Semantic:SpecificSituation:AbstractSituation:Procedure)
RETURN note.id AS id, note.key AS key, label(note) AS type, coalesce(note.strength, 0.0) AS strength,
       coalesce(to_epoch_ms(note.decayed_at), 0) AS decayed_at,
       coalesce(note.retrieval_count, 0) AS retrieval_count, note.category AS category, note.action_type AS action_type,
       coalesce(note.pinned, false) AS pinned, coalesce(note.core, false) AS core, coalesce(note.active AND note.created_at IS NOT NULL, false) AS active, coalesce(note.asleep, false) AS asleep, coalesce(note.length, 0) AS length,
       to_epoch_ms(note.valid_from) AS valid_from, to_epoch_ms(note.valid_until) AS valid_until
ORDER BY id
