// What is told of each way of acting.
// column id: STRING
// column content: STRING
// column origins: STRING[]?
MATCH (note:Procedure)
WHERE note.created_at IS NOT NULL
RETURN note.id AS id, note.content AS content, note.origins AS origins
