// The vectors of what these situations tell.
// param ids: STRING[]
// column id: STRING
// column vector: VECTOR?
UNWIND $ids AS wanted MATCH (n:SpecificSituation {id: wanted}) RETURN n.id AS id, n.v_narrative AS vector
