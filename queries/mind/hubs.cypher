// The notes most is linked with.
// param limit: INT64
// column key: STRING
// column type: STRING
// column links: INT64
MATCH (note:Semantic:SpecificSituation:AbstractSituation:Procedure)-[link:Sem|Proc|Situation]-(:Semantic:SpecificSituation:AbstractSituation:Procedure)
RETURN note.key AS key, label(note) AS type, count(link) AS links
ORDER BY links DESC, key
LIMIT $limit
