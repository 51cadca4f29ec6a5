// What each recorded recall used.
// column recall: STRING
// column id: STRING
// column key: STRING
// column stage: STRING
// column score: DOUBLE
MATCH (r:Recall)-[used:RECALLED]->(note:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE used.stage <> 'feedback'
RETURN r.id AS recall, note.id AS id, note.key AS key, used.stage AS stage, used.score AS score
ORDER BY recall, score DESC, key
