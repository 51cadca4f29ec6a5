// The key, type and number of words of every note, as the note itself has them.
// column id: STRING
// column key: STRING
// column type: STRING
// column length: INT64
MATCH (n:Semantic:SpecificSituation:AbstractSituation:Procedure) RETURN n.id AS id, n.key AS key, label(n) AS type, n.length AS length ORDER BY n.id
