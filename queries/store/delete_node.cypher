// Remove one row with all links at it.
// choice TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure, Message, PendingLink, Chat, Recall
// param id: STRING
MATCH (n:TABLE {id: $id}) DETACH DELETE n
