// What a recall needs of these notes before they are chosen, and what using them changes.
// param ids: STRING[]
// column id: STRING
// column key: STRING
// column type: STRING
// column strength: DOUBLE
// column created_at: TIMESTAMP?
// column decayed_at: TIMESTAMP
// column due_at: TIMESTAMP?
// column retrieval_count: INT64
// column category: STRING?
// column pinned: BOOL
// column scope: STRING
// column active: BOOL
// column asleep: BOOL
// column action_type: STRING?
// column core: BOOL
// column length: INT64
// column valid_from: TIMESTAMP?
// column valid_until: TIMESTAMP?
MATCH (note:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE (note.id IN $ids) = true
RETURN note.id AS id, note.key AS key, label(note) AS type, coalesce(note.strength, 0.0) AS strength, note.created_at AS created_at, note.decayed_at AS decayed_at, note.due_at AS due_at,
       coalesce(note.retrieval_count, 0) AS retrieval_count, note.category AS category, coalesce(note.pinned, false) AS pinned, note.scope AS scope,
       coalesce(note.active AND note.created_at IS NOT NULL, false) AS active, coalesce(note.asleep, false) AS asleep, note.action_type AS action_type, coalesce(note.core, false) AS core, coalesce(note.length, 0) AS length,
       note.valid_from AS valid_from, note.valid_until AS valid_until
ORDER BY id
