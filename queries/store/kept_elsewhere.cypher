// The kept vectors that are those of a note or message, and where (soulmem/store/own_vectors.py).
// column id: STRING
// column vector: STRING
MATCH (e:Embedding) WHERE starts_with(e.vector, '@') RETURN e.id AS id, e.vector AS vector
