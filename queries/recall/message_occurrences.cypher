// The lines in which terms occur, how often, and where they stand in their chats.
// param terms: STRING[]
// column term: STRING
// column id: STRING
// column tf: INT64
// column length: INT64
// column chat: STRING
// column session: INT64
// column index: INT64
// column speaker: STRING
// column sent_at: TIMESTAMP?
// column asks: BOOL
MATCH (sought:Term)-[occurs:OCCURS]->(message:Message)
WHERE (sought.text IN $terms) = true AND NOT message.hidden
RETURN sought.text AS term, message.id AS id, occurs.tf AS tf, message.length AS length, message.chat AS chat,
       message.session AS session, message.index AS index, message.speaker AS speaker, message.sent_at AS sent_at,
       (message.text CONTAINS '?' OR message.text CONTAINS '？') AS asks
ORDER BY id, term
