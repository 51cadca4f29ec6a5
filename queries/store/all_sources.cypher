// All notes that were drawn from messages, and those messages, in the order of their places.
// column note: STRING
// column message: STRING
// column place: INT64
MATCH (n:Semantic:SpecificSituation:AbstractSituation:Procedure)-[s:SOURCE]->(m:Message)
RETURN n.id AS note, m.id AS message, s.place AS place ORDER BY n.id, s.place
