// BM25 of these notes, and the summed weight of the terms that occur in each.
// param ids: STRING[]
// param terms: STRUCT[]
// param k1: DOUBLE
// param b: DOUBLE
// param mean_length: DOUBLE
// column id: STRING
// column score: DOUBLE
// column matched: DOUBLE
UNWIND $terms AS wanted
MATCH (term:Term {text: wanted.text})-[occurs:OCCURS]->(note:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE note.id IN $ids
RETURN note.id AS id,
       sum(wanted.weight * occurs.tf * ($k1 + 1.0)
           / (occurs.tf + $k1 * (1.0 - $b + $b * note.length / $mean_length))) AS score,
       sum(wanted.weight) AS matched
ORDER BY id
