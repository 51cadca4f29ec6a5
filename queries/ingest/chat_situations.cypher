// The situations drawn from a chat.
// param chat: STRING
// column id: STRING
// column narrative: STRING
// column place: INT64
MATCH (note:SpecificSituation)-[:SOURCE]->(message:Message)
WHERE message.chat = $chat
RETURN note.id AS id, note.narrative AS narrative, min(message.index) AS place
ORDER BY place, id
