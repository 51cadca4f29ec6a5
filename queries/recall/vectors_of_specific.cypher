// The vectors by which free text finds these notes.
// param ids: STRING[]
// column id: STRING
// column narrative: VECTOR?
MATCH (note:SpecificSituation)
WHERE (note.id IN $ids) = true
RETURN note.id AS id, note.v_narrative AS narrative
