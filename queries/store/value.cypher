// The values of one column of some notes or messages.
// choice TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure, Message
// identifier COLUMN: scope
// param ids: STRING[]
// column id: STRING
// column value: ANY?
MATCH (n:TABLE) WHERE (n.id IN $ids) = true RETURN n.id AS id, n.COLUMN AS value
