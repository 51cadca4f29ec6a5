// The vectors by which free text finds these notes.
// param ids: STRING[]
// column id: STRING
// column content: VECTOR?
MATCH (note:Procedure)
WHERE (note.id IN $ids) = true
RETURN note.id AS id, note.v_content AS content
