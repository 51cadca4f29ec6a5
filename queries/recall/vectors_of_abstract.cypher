// The vectors by which free text finds these notes.
// param ids: STRING[]
// column id: STRING
// column self: VECTOR?
MATCH (note:AbstractSituation)
WHERE (note.id IN $ids) = true
RETURN note.id AS id, note.v_self AS self
