// What is told of one way of acting. By one id, since only so the engine looks it up instead of going through all.
// param id: STRING
// column content: STRING
// column origins: STRING[]?
MATCH (note:Procedure)
WHERE note.id = $id
RETURN note.content AS content, note.origins AS origins
