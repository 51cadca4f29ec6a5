// The values of one column of all notes or messages of a table.
// choice TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure, Message
// identifier COLUMN: scope
// column id: STRING
// column value: ANY?
MATCH (n:TABLE) RETURN n.id AS id, n.COLUMN AS value
