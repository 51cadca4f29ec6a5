// Remove links that waited.
// param ids: STRING[]
UNWIND $ids AS wanted MATCH (p:PendingLink {id: wanted}) DELETE p
