// The vectors of one column, of the notes that have one.
// column id: STRING
// column vector: VECTOR
MATCH (note:Semantic)
WHERE note.v_aliases IS NOT NULL
RETURN note.id AS id, note.v_aliases AS vector
