// Cosines of these SpecificSituation notes to a vector.
// param ids: STRING[]
// param vector: VECTOR
// column id: STRING
// column concept: DOUBLE
UNWIND $ids AS wanted
MATCH (note:SpecificSituation {id: wanted})
RETURN note.id AS id, array_cosine_similarity(note.v_narrative, $vector) AS concept
