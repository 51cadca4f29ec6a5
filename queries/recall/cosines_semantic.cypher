// Cosines of all Semantic notes to the parts of a structured question, with their names for the string channel.
// param tags: VECTOR
// param concept: VECTOR
// param description: VECTOR
// column id: STRING
// column tags: DOUBLE
// column content: DOUBLE
// column aliases: DOUBLE
// column description: DOUBLE
// column names: STRING[]
MATCH (note:Semantic)
WHERE note.active
RETURN note.id AS id, array_cosine_similarity(note.v_tags, $tags) AS tags,
       array_cosine_similarity(note.v_content, $concept) AS content,
       array_cosine_similarity(note.v_aliases, $concept) AS aliases,
       array_cosine_similarity(note.v_description, $description) AS description,
       list_concat([note.content], note.aliases) AS names
ORDER BY id
