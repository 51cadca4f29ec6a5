// Note that one word occurs in a note or message, how often.
// choice TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure, Message
// param id: STRING
// param text: TERM
// param tf: INT64
MATCH (n:TABLE {id: $id}), (t:Term {key: $text}) CREATE (t)-[:OCCURS {tf: $tf}]->(n)
