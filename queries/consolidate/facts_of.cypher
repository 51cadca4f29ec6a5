// Facts by how their keys begin, with the line that said them last.
// param stems: STRING[]
// column stem: STRING
// column id: STRING
// column said_at: TIMESTAMP?
// column first_at: TIMESTAMP?
// column chat: STRING?
// column place: INT64?
// column speakers: STRING[]
UNWIND $stems AS stem
MATCH (known:NoteKey)
WHERE known.key STARTS WITH stem
MATCH (note:Semantic {id: known.id})
OPTIONAL MATCH (note)-[:SOURCE]->(message:Message)
RETURN stem AS stem, note.id AS id, max(message.sent_at) AS said_at, min(message.sent_at) AS first_at,
    max(message.chat) AS chat, max(message.index) AS place, collect(DISTINCT message.speaker) AS speakers
ORDER BY stem, id
