// Patterns nearest to a vector.
// param vector: VECTOR
// param limit: INT64
// column id: STRING
// column concept: DOUBLE
MATCH (note:AbstractSituation)
WHERE note.active
RETURN note.id AS id, array_cosine_similarity(note.v_self, $vector) AS concept
ORDER BY concept DESC, id
LIMIT $limit
