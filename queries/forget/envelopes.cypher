// What the retention of every note depends on.
// column id: STRING
// column key: STRING
// column type: STRING
// column text: STRING
// column strength: DOUBLE
// column created_at: TIMESTAMP?
// column decayed_at: TIMESTAMP
// column due_at: TIMESTAMP?
// column retrieval_count: INT64
// column category: STRING?
// column pinned: BOOL
// column core: BOOL
// column active: BOOL
// column asleep: BOOL
MATCH (note:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE note.decayed_at IS NOT NULL
RETURN note.id AS id, note.key AS key, label(note) AS type, coalesce(note.content, note.narrative, '') AS text,
       coalesce(note.strength, 0.0) AS strength, note.created_at AS created_at, note.decayed_at AS decayed_at, note.due_at AS due_at,
       coalesce(note.retrieval_count, 0) AS retrieval_count, note.category AS category, coalesce(note.pinned, false) AS pinned,
       coalesce(note.core, false) AS core, coalesce(note.active, false) AS active, coalesce(note.asleep, false) AS asleep
ORDER BY key
