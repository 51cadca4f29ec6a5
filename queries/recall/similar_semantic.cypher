// Semantic notes nearest to a vector: by content, names or description.
// param vector: VECTOR
// param limit: INT64
// column id: STRING
// column concept: DOUBLE
// column description: DOUBLE?
// column best: DOUBLE
MATCH (note:Semantic)
WHERE note.active
WITH note.id AS id, array_cosine_similarity(note.v_content, $vector) AS content,
     array_cosine_similarity(note.v_aliases, $vector) AS aliases,
     array_cosine_similarity(note.v_description, $vector) AS description
WITH id, CASE WHEN aliases > content THEN aliases ELSE content END AS concept, description
RETURN id, concept, description, CASE WHEN coalesce(description, -1.0) > concept THEN description ELSE concept END AS best
ORDER BY best DESC, id
LIMIT $limit
