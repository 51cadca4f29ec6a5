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
// column length: INT64
MATCH (note:Semantic:SpecificSituation:AbstractSituation:Procedure)
RETURN note.id AS id, note.key AS key, label(note) AS type, note.strength AS strength,
       to_epoch_ms(note.decayed_at) AS decayed_at,
       note.retrieval_count AS retrieval_count, note.category AS category, note.action_type AS action_type,
       note.pinned AS pinned, note.core AS core, note.active AS active, note.length AS length
ORDER BY id
