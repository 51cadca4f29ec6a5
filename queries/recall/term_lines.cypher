// The messages in which some words occur.
// param terms: STRING[]
// column term: STRING
// column line: STRING
MATCH (term:Term)-[:OCCURS]->(message:Message)
WHERE (term.text IN $terms) = true AND NOT message.hidden
RETURN term.text AS term, message.id AS line
