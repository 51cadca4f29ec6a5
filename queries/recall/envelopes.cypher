// What the retention of these notes depends on.
// param ids: STRING[]
// column id: STRING
// column key: STRING
// column type: STRING
// column strength: DOUBLE
// column decayed_at: TIMESTAMP
// column retrieval_count: INT64
// column category: STRING
// column pinned: BOOL
// column scope: STRING
// column active: BOOL
MATCH (note:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE (note.id IN $ids) = true
RETURN note.id AS id, note.key AS key, label(note) AS type, note.strength AS strength, note.decayed_at AS decayed_at,
       note.retrieval_count AS retrieval_count, note.category AS category, note.pinned AS pinned, note.scope AS scope,
       note.active AS active
ORDER BY id
