// What is told of each Semantic note.
// column id: STRING
// column content: STRING
// column description: STRING
// column revised_content: STRING?
// column revised_description: STRING?
// column origins: STRING[]?
MATCH (note:Semantic)
WHERE note.created_at IS NOT NULL
RETURN note.id AS id, note.content AS content, note.description AS description,
       note.revised_content AS revised_content, note.revised_description AS revised_description, note.origins AS origins
