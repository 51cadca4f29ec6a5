// Recalls, with one of the notes that each used in a row; null for one that used none.
// param ids: STRING[]
// column id: STRING
// column at: TIMESTAMP
// column query: STRING
// column note: STRING?
// column stage: STRING?
// column score: DOUBLE?
UNWIND $ids AS wanted MATCH (r:Recall {id: wanted}) OPTIONAL MATCH (r)-[u:RECALLED]->(n:Semantic:SpecificSituation:AbstractSituation:Procedure)
RETURN r.id AS id, r.at AS at, r.query AS query, n.id AS note, u.stage AS stage, u.score AS score
