// The columns of some notes that a recall or a sweep changes.
// choice TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure
// param ids: STRING[]
// column id: STRING
// column retrieval_count: INT64
// column last_accessed_at: TIMESTAMP?
// column strength: DOUBLE
// column decayed_at: TIMESTAMP
// column due_at: TIMESTAMP?
// column active: BOOL
// column asleep: BOOL
MATCH (n:TABLE) WHERE (n.id IN $ids) = true
RETURN n.id AS id, n.retrieval_count AS retrieval_count, n.last_accessed_at AS last_accessed_at, n.strength AS strength,
    n.decayed_at AS decayed_at, n.due_at AS due_at, n.active AS active, n.asleep AS asleep
