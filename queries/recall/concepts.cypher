// What these concepts are known as: of what stands for their names when those are forgotten.
// param ids: STRING[]
// column id: STRING
// column key: STRING
// column concept_type: STRING
// column description: STRING
// column tags: STRING[]
// column scope: STRING
// column valid_until: TIMESTAMP?
UNWIND $ids AS wanted MATCH (note:Semantic {id: wanted})
RETURN note.id AS id, note.key AS key, note.concept_type AS concept_type, coalesce(note.description, '') AS description,
       coalesce(note.tags, []) AS tags,
       coalesce(note.scope, '') AS scope, note.valid_until AS valid_until
ORDER BY id
