// Note that five words occur in a note or message, how often each.
// choice TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure, Message
// param id: STRING
// param text0: STRING
// param tf0: INT64
// param text1: STRING
// param tf1: INT64
// param text2: STRING
// param tf2: INT64
// param text3: STRING
// param tf3: INT64
// param text4: STRING
// param tf4: INT64
MATCH (n:TABLE {id: $id}),
      (t0:Term {text: $text0}),
      (t1:Term {text: $text1}),
      (t2:Term {text: $text2}),
      (t3:Term {text: $text3}),
      (t4:Term {text: $text4})
CREATE (t0)-[:OCCURS {tf: $tf0}]->(n),
       (t1)-[:OCCURS {tf: $tf1}]->(n),
       (t2)-[:OCCURS {tf: $tf2}]->(n),
       (t3)-[:OCCURS {tf: $tf3}]->(n),
       (t4)-[:OCCURS {tf: $tf4}]->(n)
