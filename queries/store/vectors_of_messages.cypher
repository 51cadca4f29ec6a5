// The vectors of what these messages say.
// param ids: STRING[]
// column id: STRING
// column vector: VECTOR?
UNWIND $ids AS wanted MATCH (m:Message {id: wanted}) RETURN m.id AS id, m.v_text AS vector
