// What recalls used after a time, recall by recall.
// param since: TIMESTAMP
// column recall: STRING
// column at: TIMESTAMP
// column note: STRING
// column stage: STRING
// column type: STRING
// column scope: STRING
MATCH (past:Recall)-[use:RECALLED]->(used:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE past.at > $since
RETURN past.id AS recall, past.at AS at, used.id AS note, use.stage AS stage, label(used) AS type, used.scope AS scope
ORDER BY at, recall, note
