// Notes nearest to a vector: by content, narrative or pattern; Semantic ones also by their names and description.
// param vector: VECTOR
// param limit: INT64
// column id: STRING
// column type: STRING
// column concept: DOUBLE
// column description: DOUBLE?
// column best: DOUBLE
MATCH (note:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE note.active
WITH note.id AS id, label(note) AS type,
     array_cosine_similarity(coalesce(note.v_content, note.v_narrative, note.v_self), $vector) AS content,
     coalesce(array_cosine_similarity(note.v_aliases, $vector), -1.0) AS aliases,
     array_cosine_similarity(note.v_description, $vector) AS description
WITH id, type, CASE WHEN aliases > content THEN aliases ELSE content END AS concept, description
RETURN id, type, concept, description,
       CASE WHEN coalesce(description, -1.0) > concept THEN description ELSE concept END AS best
ORDER BY best DESC, id
LIMIT $limit
