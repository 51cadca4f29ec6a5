// BM25 of every message in which one of the terms occurs, with where it stands in its chat.
// param terms: STRUCT[]
// param k1: DOUBLE
// param b: DOUBLE
// param mean_length: DOUBLE
// param limit: INT64
// column id: STRING
// column chat: STRING
// column session: INT64
// column index: INT64
// column speaker: STRING
// column sent_at: TIMESTAMP
// column score: DOUBLE
UNWIND $terms AS wanted
MATCH (term:Term {text: wanted.text})-[occurs:OCCURS]->(message:Message)
WHERE NOT message.hidden
WITH message, sum(wanted.weight * occurs.tf * ($k1 + 1.0)
                  / (occurs.tf + $k1 * (1.0 - $b + $b * message.length / $mean_length))) AS score
RETURN message.id AS id, message.chat AS chat, message.session AS session, message.index AS index,
       message.speaker AS speaker, message.sent_at AS sent_at, score
ORDER BY score DESC, id
LIMIT $limit
