// The messages these notes were drawn from, in the order of their places.
// param ids: STRING[]
// column note: STRING
// column message: STRING
// column place: INT64
MATCH (n:Semantic:SpecificSituation:AbstractSituation:Procedure)-[s:SOURCE]->(m:Message) WHERE (n.id IN $ids) = true
RETURN n.id AS note, m.id AS message, s.place AS place ORDER BY n.id, s.place
