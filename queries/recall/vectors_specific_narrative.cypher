// The vectors of one column, of the notes that have one.
// column id: STRING
// column vector: VECTOR
MATCH (note:SpecificSituation)
WHERE note.v_narrative IS NOT NULL
RETURN note.id AS id, note.v_narrative AS vector
