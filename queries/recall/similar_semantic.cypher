// Semantic notes nearest to a vector, by content, names or description.
// param vector: VECTOR
// param limit: INT64
// column id: STRING
// column content: DOUBLE
// column aliases: DOUBLE
// column description: DOUBLE
// column best: DOUBLE
MATCH (note:Semantic)
WHERE note.active
WITH note.id AS id,
     array_cosine_similarity(note.v_content, $vector) AS content,
     array_cosine_similarity(note.v_aliases, $vector) AS aliases,
     coalesce(array_cosine_similarity(note.v_description, $vector), -1.0) AS description
WITH id, content, aliases, description, CASE WHEN content > aliases THEN content ELSE aliases END AS concept
RETURN id, content, aliases, description, CASE WHEN concept > description THEN concept ELSE description END AS best
ORDER BY best DESC, id
LIMIT $limit
