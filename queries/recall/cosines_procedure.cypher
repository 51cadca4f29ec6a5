// Cosines of all ways of acting to the parts of a structured question.
// param tags: VECTOR
// param concept: VECTOR
// param description: VECTOR
// column id: STRING
// column tags: DOUBLE
// column content: DOUBLE
// column description: DOUBLE
MATCH (note:Procedure)
WHERE note.active
RETURN note.id AS id, array_cosine_similarity(note.v_tags, $tags) AS tags,
       array_cosine_similarity(note.v_content, $concept) AS content,
       array_cosine_similarity(note.v_content, $description) AS description
ORDER BY id
