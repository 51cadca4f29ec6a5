// Cosines of these Procedure notes to a vector.
// param ids: STRING[]
// param vector: VECTOR
// column id: STRING
// column concept: DOUBLE
MATCH (note:Procedure)
WHERE (note.id IN $ids) = true
RETURN note.id AS id, array_cosine_similarity(note.v_content, $vector) AS concept
