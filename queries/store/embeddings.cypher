// The kept vectors with these ids.
// param ids: STRING[]
// column id: STRING
// column vector: STRING?
UNWIND $ids AS wanted MATCH (e:Embedding {id: wanted}) RETURN e.id AS id, e.vector AS vector
