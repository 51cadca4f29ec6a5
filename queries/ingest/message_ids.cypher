// Which of these ids are messages of the mind.
// param ids: STRING[]
// column id: STRING
UNWIND $ids AS wanted
MATCH (message:Message {id: wanted})
RETURN message.id AS id
ORDER BY id
