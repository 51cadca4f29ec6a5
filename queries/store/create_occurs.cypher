// Note that words occur in a note or message, how often each.
// choice TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure, Message
// param id: STRING
// param terms: STRUCT[]
MATCH (n:TABLE {id: $id}) UNWIND $terms AS term MATCH (t:Term {key: term.key})
CREATE (t)-[:OCCURS {tf: term.tf}]->(n)
