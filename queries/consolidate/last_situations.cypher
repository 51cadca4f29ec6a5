// The last situations drawn from a chat up to a line: the numbers of the first and the last line of each, and its session.
// param chat: STRING
// param limit: INT64
// column id: STRING
// column narrative: STRING
// column place: INT64
// column last: INT64
// column session: INT64
MATCH (note:SpecificSituation)-[:SOURCE]->(message:Message)
WHERE message.chat = $chat
RETURN note.id AS id, note.narrative AS narrative, min(message.index) AS place, max(message.index) AS last,
    max(message.session) AS session
ORDER BY last DESC, id
LIMIT $limit
