// BM25 of every note in which one of the terms occurs, and the summed weight of the terms that do.
// A term weighs its inverse document frequency among the notes (Robertson–Spärck Jones).
// param terms: STRING[]
// param number: DOUBLE
// param k1: DOUBLE
// param b: DOUBLE
// param mean_length: DOUBLE
// param limit: INT64
// column id: STRING
// column score: DOUBLE
// column matched: DOUBLE
MATCH (term:Term)-[occurs:OCCURS]->(note:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE (term.text IN $terms) = true AND note.active
WITH note.id AS id, ln(1.0 + ($number - term.note_df + 0.5) / (term.note_df + 0.5)) AS weight,
     occurs.tf * ($k1 + 1.0) / (occurs.tf + $k1 * (1.0 - $b + $b * note.length / $mean_length)) AS presence
RETURN id, sum(weight * presence) AS score, sum(weight) AS matched
ORDER BY score DESC, id
LIMIT $limit
