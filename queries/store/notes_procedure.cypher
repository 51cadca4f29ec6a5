// The procedures with these ids, without their vectors.
// param ids: STRING[]
// column id: STRING
// column key: STRING
// column tags: STRING[]
// column retrieval_count: INT64
// column created_at: TIMESTAMP
// column last_accessed_at: TIMESTAMP?
// column strength: DOUBLE
// column decayed_at: TIMESTAMP
// column due_at: TIMESTAMP?
// column pinned: BOOL
// column core: BOOL
// column active: BOOL
// column asleep: BOOL
// column scope: STRING
// column kept_from: STRING[]?
// column origins: STRING[]?
// column length: INT64
// column content: STRING
// column action_type: STRING
MATCH (n:Procedure) WHERE (n.id IN $ids) = true
RETURN
    n.id AS id, n.key AS key, n.tags AS tags, n.retrieval_count AS retrieval_count, n.created_at AS created_at,
    n.last_accessed_at AS last_accessed_at, n.strength AS strength, n.decayed_at AS decayed_at, n.due_at AS due_at,
    n.pinned AS pinned, n.core AS core, n.active AS active, n.asleep AS asleep, n.scope AS scope, n.kept_from AS kept_from, n.origins AS origins, n.length AS length, n.content AS content,
    n.action_type AS action_type
