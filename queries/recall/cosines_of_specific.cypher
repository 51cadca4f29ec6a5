// Cosines of these SpecificSituation notes to a vector.
// param ids: STRING[]
// param vector: VECTOR
// column id: STRING
// column concept: DOUBLE
MATCH (note:SpecificSituation)
WHERE (note.id IN $ids) = true
RETURN note.id AS id, array_cosine_similarity(note.v_narrative, $vector) AS concept
