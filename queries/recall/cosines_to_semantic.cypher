// Cosines of all Semantic notes to a vector.
// param vector: VECTOR
// column id: STRING
// column content: DOUBLE?
// column aliases: DOUBLE?
// column description: DOUBLE?
MATCH (note:Semantic)
RETURN note.id AS id,
       array_cosine_similarity(note.v_content, $vector) AS content,
       array_cosine_similarity(note.v_aliases, $vector) AS aliases,
       array_cosine_similarity(note.v_description, $vector) AS description
