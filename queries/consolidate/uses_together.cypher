// All recalls that used one of these notes directly.
// param ids: STRING[]
// column note: STRING
// column recall: STRING
// column at: TIMESTAMP
MATCH (past:Recall)-[use:RECALLED]->(used:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE (used.id IN $ids) = true AND (use.stage = 'similarity' OR use.stage = 'both')
RETURN used.id AS note, past.id AS recall, past.at AS at
ORDER BY note, at, recall
