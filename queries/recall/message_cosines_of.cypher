// Cosines of these messages to a vector.
// param ids: STRING[]
// param vector: VECTOR
// column id: STRING
// column cosine: DOUBLE
UNWIND $ids AS wanted
MATCH (message:Message {id: wanted})
RETURN message.id AS id, array_cosine_similarity(message.v_text, $vector) AS cosine
ORDER BY id
