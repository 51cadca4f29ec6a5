// BM25 of every message in which one of the terms occurs.
// param terms: STRUCT[]
// param k1: DOUBLE
// param b: DOUBLE
// param mean_length: DOUBLE
// param limit: INT64
// column id: STRING
// column score: DOUBLE
UNWIND $terms AS wanted
MATCH (term:Term {text: wanted.text})-[occurs:OCCURS]->(message:Message)
WHERE NOT message.hidden
RETURN message.id AS id,
       sum(wanted.weight * occurs.tf * ($k1 + 1.0)
           / (occurs.tf + $k1 * (1.0 - $b + $b * message.length / $mean_length))) AS score
ORDER BY score DESC, id
LIMIT $limit
