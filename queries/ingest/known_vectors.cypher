// Vectors of texts that were embedded before.
// param ids: STRING[]
// column id: STRING
// column vector: VECTOR
UNWIND $ids AS wanted
MATCH (known:Embedding {id: wanted})
RETURN known.id AS id, known.vector AS vector
