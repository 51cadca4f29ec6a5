// All specific situations in the order of their keys, without their vectors.
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
// column narrative: STRING
// column time_start: TIMESTAMP?
// column time_end: TIMESTAMP?
// column location: STRUCT?
// column participants: STRUCT
// column emotions: STRUCT
// column sensory_data: STRUCT
// column environment: STRUCT?
// column event: STRUCT
// column revised_narrative: STRING?
// column revised_missing: DOUBLE?
MATCH (n:SpecificSituation)
RETURN
    n.id AS id, n.key AS key, n.tags AS tags, n.retrieval_count AS retrieval_count, n.created_at AS created_at,
    n.last_accessed_at AS last_accessed_at, n.strength AS strength, n.decayed_at AS decayed_at, n.due_at AS due_at,
    n.pinned AS pinned, n.core AS core, n.active AS active, n.asleep AS asleep, n.scope AS scope, n.kept_from AS kept_from, n.origins AS origins, n.length AS length,
    n.narrative AS narrative, n.time_start AS time_start, n.time_end AS time_end, n.location AS location,
    n.participants AS participants, n.emotions AS emotions, n.sensory_data AS sensory_data,
    n.environment AS environment, n.event AS event,
    n.revised_narrative AS revised_narrative, n.revised_missing AS revised_missing
ORDER BY n.key
