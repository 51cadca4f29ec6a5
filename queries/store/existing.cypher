// Which of these ids are there.
// choice TABLE: Message, PendingLink, Recall, Embedding, Chat
// param ids: STRING[]
// column id: STRING
UNWIND $ids AS wanted MATCH (n:TABLE) WHERE n.id = wanted RETURN n.id AS id
