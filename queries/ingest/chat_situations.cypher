// The situations drawn from a chat: the numbers of the first and the last line of each, and the session of the last.
// param chat: STRING
// column id: STRING
// column narrative: STRING
// column place: INT64
// column last: INT64
// column session: INT64
MATCH (note:SpecificSituation)-[:SOURCE]->(message:Message)
WHERE message.chat = $chat
RETURN note.id AS id, note.narrative AS narrative, min(message.index) AS place, max(message.index) AS last,
    max(message.session) AS session
ORDER BY place, id
