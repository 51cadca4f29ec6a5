// Cosines of all ways of acting to a vector.
// param vector: VECTOR
// column id: STRING
// column content: DOUBLE?
MATCH (note:Procedure)
RETURN note.id AS id,
       array_cosine_similarity(note.v_content, $vector) AS content
