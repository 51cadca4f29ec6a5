// What holds instead of this fact, and what this fact holds instead of, by time.
// param id: STRING
// column key: STRING
// column is_new: BOOL
// column at: TIMESTAMP
// column reason: STRING
MATCH (a:Semantic)-[s:SUPERSEDES]->(b:Semantic {id: $id}) RETURN a.key AS key, true AS is_new, s.at AS at, s.reason AS reason
UNION ALL
MATCH (a:Semantic {id: $id})-[s:SUPERSEDES]->(b:Semantic) RETURN b.key AS key, false AS is_new, s.at AS at, s.reason AS reason
