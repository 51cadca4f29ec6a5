// The vectors by which free text finds these notes.
// param ids: STRING[]
// column id: STRING
// column content: VECTOR?
// column aliases: VECTOR?
// column description: VECTOR?
MATCH (note:Semantic)
WHERE (note.id IN $ids) = true
RETURN note.id AS id, note.v_content AS content, note.v_aliases AS aliases, note.v_description AS description
