// What the character is known to say or do.
// column id: STRING
// column content: STRING
MATCH (note:Procedure)
RETURN note.id AS id, note.content AS content
ORDER BY id
