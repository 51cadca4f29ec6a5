// Cosines of all specific situations to a vector.
// param vector: VECTOR
// column id: STRING
// column narrative: DOUBLE?
MATCH (note:SpecificSituation)
RETURN note.id AS id,
       array_cosine_similarity(note.v_narrative, $vector) AS narrative
