// Cosines of all patterns to a vector.
// param vector: VECTOR
// column id: STRING
// column self: DOUBLE?
MATCH (note:AbstractSituation)
RETURN note.id AS id,
       array_cosine_similarity(note.v_self, $vector) AS self
