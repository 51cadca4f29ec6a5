// The note of a key, found by the index of the table.
// param key: STRING
// column id: STRING
MATCH (k:NoteKey {key: $key}) RETURN k.id AS id
