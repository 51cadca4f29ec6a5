// Ways of acting nearest to a vector.
// param vector: VECTOR
// param limit: INT64
// column id: STRING
// column concept: DOUBLE
MATCH (note:Procedure)
WHERE note.active
RETURN note.id AS id, array_cosine_similarity(note.v_content, $vector) AS concept
ORDER BY concept DESC, id
LIMIT $limit
