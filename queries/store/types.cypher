// The keys and types of the notes with these ids.
// param ids: STRING[]
// column id: STRING
// column key: STRING
// column type: STRING
MATCH (k:NoteKey) WHERE (k.id IN $ids) = true RETURN k.id AS id, k.key AS key, k.type AS type
