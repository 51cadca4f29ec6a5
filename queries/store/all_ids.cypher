// All ids of a table.
// choice TABLE: Message, PendingLink, Recall, Embedding, Picture, Chat
// column id: STRING
MATCH (n:TABLE) RETURN n.id AS id
