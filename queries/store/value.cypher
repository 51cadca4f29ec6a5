// The values of one column of some notes or messages.
// choice TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure, Message
// identifier COLUMN: scope
// param ids: STRING[]
// column id: STRING
// column value: ANY?
UNWIND $ids AS wanted MATCH (n:TABLE {id: wanted}) RETURN n.id AS id, n.COLUMN AS value
