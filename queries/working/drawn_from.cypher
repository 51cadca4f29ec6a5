// The notes that were drawn from a message, among others.
// param message: STRING
// column id: STRING
MATCH (n:Semantic:SpecificSituation:AbstractSituation:Procedure)-[:SOURCE]->(:Message {id: $message}) RETURN n.id AS id ORDER BY id
