// Cosines to a vector of these notes, whatever their type: the best of their texts.
// param ids: STRING[]
// param vector: VECTOR
// column id: STRING
// column type: STRING
// column concept: DOUBLE
// column description: DOUBLE
MATCH (note:Semantic)
WHERE note.id IN $ids
WITH note.id AS id, array_cosine_similarity(note.v_content, $vector) AS content,
     array_cosine_similarity(note.v_aliases, $vector) AS aliases,
     array_cosine_similarity(note.v_description, $vector) AS description
RETURN id, 'Semantic' AS type, CASE WHEN aliases > content THEN aliases ELSE content END AS concept, description
UNION ALL
MATCH (note:SpecificSituation)
WHERE note.id IN $ids
RETURN note.id AS id, 'SpecificSituation' AS type, array_cosine_similarity(note.v_narrative, $vector) AS concept,
       CAST(NULL AS FLOAT) AS description
UNION ALL
MATCH (note:AbstractSituation)
WHERE note.id IN $ids
RETURN note.id AS id, 'AbstractSituation' AS type, array_cosine_similarity(note.v_self, $vector) AS concept,
       CAST(NULL AS FLOAT) AS description
UNION ALL
MATCH (note:Procedure)
WHERE note.id IN $ids
RETURN note.id AS id, 'Procedure' AS type, array_cosine_similarity(note.v_content, $vector) AS concept,
       CAST(NULL AS FLOAT) AS description
