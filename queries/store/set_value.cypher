// Give one column of a note or message a new value.
// choice TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure, Message
// identifier COLUMN: scope
// param id: STRING
// param value: ANY?
MATCH (n:TABLE {id: $id}) SET n.COLUMN = $value
