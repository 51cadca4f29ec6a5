// BM25 of every message in which one of the terms occurs, with where it stands in its chat.
// param terms: STRING[]
// param number: DOUBLE
// param k1: DOUBLE
// param b: DOUBLE
// param mean_length: DOUBLE
// param limit: INT64
// column id: STRING
// column chat: STRING
// column session: INT64
// column index: INT64
// column speaker: STRING
// column sent_at: TIMESTAMP?
// column asks: BOOL
// column score: DOUBLE
// column matched: DOUBLE
MATCH (term:Term)-[occurs:OCCURS]->(message:Message)
WHERE (term.text IN $terms) = true AND NOT message.hidden
WITH message, ln(1.0 + ($number - term.message_df + 0.5) / (term.message_df + 0.5)) AS weight,
     occurs.tf * ($k1 + 1.0) / (occurs.tf + $k1 * (1.0 - $b + $b * message.length / $mean_length)) AS presence
WITH message, sum(weight * presence) AS score, sum(weight) AS matched
RETURN message.id AS id, message.chat AS chat, message.session AS session, message.index AS index,
       message.speaker AS speaker, message.sent_at AS sent_at,
       (message.text CONTAINS '?' OR message.text CONTAINS '？') AS asks, score, matched
ORDER BY score DESC, id
LIMIT $limit
