// Which of these ids are there.
// choice TABLE: Message, PendingLink, Recall, Embedding, Picture, Chat
// param ids: STRING[]
// column id: STRING
MATCH (n:TABLE) WHERE (n.id IN $ids) = true RETURN n.id AS id
