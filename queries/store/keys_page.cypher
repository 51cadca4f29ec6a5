// A page of all notes: key, id, type, by key.
// param skip: INT64
// param limit: INT64
// column key: STRING
// column id: STRING
// column type: STRING
MATCH (k:NoteKey) RETURN k.key AS key, k.id AS id, k.type AS type ORDER BY k.key SKIP $skip LIMIT $limit
