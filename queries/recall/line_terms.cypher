// The rarer words of some messages, and in how many messages each occurs.
// param ids: STRING[]
// param most: INT64
// column line: STRING
// column term: STRING
// column df: INT64
MATCH (term:Term)-[:OCCURS]->(message:Message)
WHERE (message.id IN $ids) = true AND term.message_df >= 2 AND term.message_df <= $most AND size(term.text) > 1
RETURN message.id AS line, term.text AS term, term.message_df AS df
