// The ids of all kept vectors.
// column id: STRING
MATCH (e:Embedding) RETURN e.id AS id ORDER BY id
