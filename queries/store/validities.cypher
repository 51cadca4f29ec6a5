// Since and until when these facts hold.
// param ids: STRING[]
// column id: STRING
// column valid_from: TIMESTAMP?
// column valid_until: TIMESTAMP?
UNWIND $ids AS wanted MATCH (n:Semantic {id: wanted}) RETURN n.id AS id, n.valid_from AS valid_from, n.valid_until AS valid_until
