// The vectors of one column, of the notes that have one.
// column id: STRING
// column vector: VECTOR
MATCH (note:Semantic)
WHERE note.v_content IS NOT NULL
RETURN note.id AS id, note.v_content AS vector
