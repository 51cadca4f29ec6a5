// All Semantic notes in the order of their keys, without their vectors.
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
// column aliases: STRING[]
// column concept_type: STRING
// column description: STRING
// column category: STRING?
// column valid_from: TIMESTAMP?
// column valid_until: TIMESTAMP?
// column revised_content: STRING?
// column revised_description: STRING?
// column revised_missing: DOUBLE?
MATCH (n:Semantic)
RETURN
    n.id AS id, n.key AS key, n.tags AS tags, n.retrieval_count AS retrieval_count, n.created_at AS created_at,
    n.last_accessed_at AS last_accessed_at, n.strength AS strength, n.decayed_at AS decayed_at, n.due_at AS due_at,
    n.pinned AS pinned, n.core AS core, n.active AS active, n.asleep AS asleep, n.scope AS scope, n.kept_from AS kept_from, n.origins AS origins, n.length AS length, n.content AS content,
    n.aliases AS aliases, n.concept_type AS concept_type, n.description AS description, n.category AS category,
    n.valid_from AS valid_from, n.valid_until AS valid_until,
    n.revised_content AS revised_content, n.revised_description AS revised_description, n.revised_missing AS revised_missing
ORDER BY n.key
