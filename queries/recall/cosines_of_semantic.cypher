// Cosines of these Semantic notes to a vector.
// param ids: STRING[]
// param vector: VECTOR
// column id: STRING
// column concept: DOUBLE
// column description: DOUBLE?
MATCH (note:Semantic)
WHERE (note.id IN $ids) = true
WITH note.id AS id, array_cosine_similarity(note.v_content, $vector) AS content,
     array_cosine_similarity(note.v_aliases, $vector) AS aliases,
     array_cosine_similarity(note.v_description, $vector) AS description
RETURN id, CASE WHEN aliases > content THEN aliases ELSE content END AS concept, description
