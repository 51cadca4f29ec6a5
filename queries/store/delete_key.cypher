// Give up the key of a note.
// param key: STRING
MATCH (k:NoteKey {key: $key}) DELETE k
