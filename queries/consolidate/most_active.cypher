// The notes that were recalled most since a time: directly, in all, and by id.
// param since: TIMESTAMP
// param limit: INT64
// column note: STRING
// column direct: INT64
// column times: INT64
MATCH (recall:Recall)-[use:RECALLED]->(used:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE recall.at > $since AND (use.stage = 'similarity' OR use.stage = 'both' OR use.stage = 'association')
WITH used.id AS note, sum(CASE WHEN use.stage = 'association' THEN 0 ELSE 1 END) AS hits, count(*) AS times
WHERE hits >= 1
RETURN note, CAST(hits AS INT64) AS direct, times
ORDER BY direct DESC, times DESC, note
LIMIT $limit
