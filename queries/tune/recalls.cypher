// The latest recorded recalls, the newest first.
// param limit: INT64
// column id: STRING
// column at: TIMESTAMP
// column query: STRING
MATCH (recall:Recall)
WHERE NOT EXISTS {
    MATCH (recall)-[used:RECALLED]->(:Semantic:SpecificSituation:AbstractSituation:Procedure) WHERE used.stage = 'feedback'
}
RETURN recall.id AS id, recall.at AS at, recall.query AS query
ORDER BY at DESC, id
LIMIT $limit
