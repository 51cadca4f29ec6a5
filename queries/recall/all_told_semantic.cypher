// What is told of each Semantic note.
// column id: STRING
// column content: STRING
// column description: STRING
MATCH (note:Semantic)
WHERE note.created_at IS NOT NULL
RETURN note.id AS id, note.content AS content, note.description AS description
