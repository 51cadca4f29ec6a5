// Notes that are awake and whose retention will have fallen to the threshold of sleep at a time, with what that depends on.
// param at: TIMESTAMP
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
// column asleep: BOOL
MATCH (note:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE note.due_at <= $at AND note.active AND NOT coalesce(note.asleep, false)
RETURN note.id AS id, note.key AS key, label(note) AS type, coalesce(note.content, note.narrative, '') AS text,
       coalesce(note.strength, 0.0) AS strength, note.created_at AS created_at, note.decayed_at AS decayed_at, note.due_at AS due_at,
       coalesce(note.retrieval_count, 0) AS retrieval_count, note.category AS category, coalesce(note.pinned, false) AS pinned,
       coalesce(note.core, false) AS core, coalesce(note.asleep, false) AS asleep
ORDER BY due_at, key
