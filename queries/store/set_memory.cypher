// Give the columns that a recall or a sweep changes new values, all at once.
// choice TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure
// param id: STRING
// param retrieval_count: INT64
// param last_accessed_at: TIMESTAMP?
// param strength: DOUBLE
// param decayed_at: TIMESTAMP
// param due_at: TIMESTAMP?
// param active: BOOL
// param asleep: BOOL
MATCH (n:TABLE {id: $id})
SET n.retrieval_count = $retrieval_count, n.last_accessed_at = $last_accessed_at, n.strength = $strength,
    n.decayed_at = $decayed_at, n.due_at = $due_at, n.active = $active, n.asleep = $asleep
