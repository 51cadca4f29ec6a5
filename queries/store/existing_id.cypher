// Whether this id is there.
// choice TABLE: Message, PendingLink, Recall, Embedding, Picture, Chat
// param id: STRING
// column id: STRING
MATCH (n:TABLE {id: $id}) RETURN n.id AS id
