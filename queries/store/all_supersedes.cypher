// Which facts hold no longer, and what holds instead.
// column new: STRING
// column old: STRING
// column at: TIMESTAMP
// column reason: STRING
// column valid_until: TIMESTAMP?
MATCH (a:Semantic)-[s:SUPERSEDES]->(b:Semantic)
RETURN a.id AS new, b.id AS old, s.at AS at, s.reason AS reason, b.valid_until AS valid_until ORDER BY a.id, b.id
