// Forget which words occur in a note or message.
// choice TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure, Message
// param id: STRING
MATCH (:Term)-[o:OCCURS]->(n:TABLE {id: $id}) DELETE o
