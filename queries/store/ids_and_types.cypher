// The ids and types of all notes.
// column id: STRING
// column type: STRING
MATCH (k:NoteKey) RETURN k.id AS id, k.type AS type
