// Forget that a note was drawn from a message.
// choice TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure
// param id: STRING
// param message: STRING
MATCH (n:TABLE {id: $id})-[s:SOURCE]->(m:Message {id: $message}) DELETE s
