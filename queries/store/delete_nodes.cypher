// Remove many rows with all links at them. The frame has the column id.
// choice TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure, Message, PendingLink, Chat, Recall
// param frame: FRAME
LOAD FROM $frame WITH id AS wanted MATCH (n:TABLE {id: wanted}) DETACH DELETE n
