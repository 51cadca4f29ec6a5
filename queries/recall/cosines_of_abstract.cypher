// Cosines of these AbstractSituation notes to a vector.
// param ids: STRING[]
// param vector: VECTOR
// column id: STRING
// column concept: DOUBLE
UNWIND $ids AS wanted
MATCH (note:AbstractSituation {id: wanted})
RETURN note.id AS id, array_cosine_similarity(note.v_self, $vector) AS concept
