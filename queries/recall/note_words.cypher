// BM25 of every note in which one of the terms occurs, and the summed weight of the terms that do.
// param terms: STRUCT[]
// param k1: DOUBLE
// param b: DOUBLE
// param mean_length: DOUBLE
// param limit: INT64
// column id: STRING
// column type: STRING
// column score: DOUBLE
// column matched: DOUBLE
UNWIND $terms AS wanted
MATCH (term:Term {text: wanted.text})-[occurs:OCCURS]->(note:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE note.active
RETURN note.id AS id, label(note) AS type,
       sum(wanted.weight * occurs.tf * ($k1 + 1.0)
           / (occurs.tf + $k1 * (1.0 - $b + $b * note.length / $mean_length))) AS score,
       sum(wanted.weight) AS matched
ORDER BY score DESC, id
LIMIT $limit
