// Note that five words occur in a note or message, how often each.
// choice TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure, Message
// param id: STRING
// param text0: TERM
// param tf0: INT64
// param text1: TERM
// param tf1: INT64
// param text2: TERM
// param tf2: INT64
// param text3: TERM
// param tf3: INT64
// param text4: TERM
// param tf4: INT64
MATCH (n:TABLE {id: $id}),
      (t0:Term {key: $text0}),
      (t1:Term {key: $text1}),
      (t2:Term {key: $text2}),
      (t3:Term {key: $text3}),
      (t4:Term {key: $text4})
CREATE (t0)-[:OCCURS {tf: $tf0}]->(n),
       (t1)-[:OCCURS {tf: $tf1}]->(n),
       (t2)-[:OCCURS {tf: $tf2}]->(n),
       (t3)-[:OCCURS {tf: $tf3}]->(n),
       (t4)-[:OCCURS {tf: $tf4}]->(n)
