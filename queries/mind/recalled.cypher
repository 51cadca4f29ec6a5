// The notes that were recalled most often.
// param limit: INT64
// column key: STRING
// column type: STRING
// column times: INT64
// column last: TIMESTAMP
MATCH (recall:Recall)-[used:RECALLED]->(note:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE used.stage <> 'feedback'
RETURN note.key AS key, label(note) AS type, count(*) AS times, max(recall.at) AS last
ORDER BY times DESC, key
LIMIT $limit
