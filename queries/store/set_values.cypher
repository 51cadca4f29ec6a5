// Give one column of many notes or messages new values. The frame has the columns id and value.
// choice TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure, Message
// identifier COLUMN: scope
// param frame: FRAME
LOAD FROM $frame WITH id AS wanted, value AS given MATCH (n:TABLE {id: wanted}) SET n.COLUMN = given
