// What is told of one Semantic note. By one id, since only so the engine looks it up instead of going through all.
// param id: STRING
// column content: STRING
// column description: STRING
// column revised_content: STRING?
// column revised_description: STRING?
// column origins: STRING[]?
MATCH (note:Semantic)
WHERE note.id = $id
RETURN note.content AS content, note.description AS description,
       note.revised_content AS revised_content, note.revised_description AS revised_description, note.origins AS origins
