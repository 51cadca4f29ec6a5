// Messages nearest to a vector.
// param vector: VECTOR
// param limit: INT64
// column id: STRING
// column cosine: DOUBLE
MATCH (message:Message)
WHERE NOT message.hidden
RETURN message.id AS id, array_cosine_similarity(message.v_text, $vector) AS cosine
ORDER BY cosine DESC, id
LIMIT $limit
