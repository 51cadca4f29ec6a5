// The vectors of one column, of the notes that have one.
// column id: STRING
// column vector: VECTOR
MATCH (note:AbstractSituation)
WHERE note.v_self IS NOT NULL
RETURN note.id AS id, note.v_self AS vector
