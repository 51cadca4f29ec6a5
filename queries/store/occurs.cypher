// The words that occur in a note or message, how often each.
// choice TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure, Message
// param id: STRING
// column text: STRING
// column tf: INT64
MATCH (t:Term)-[o:OCCURS]->(n:TABLE {id: $id}) RETURN t.text AS text, o.tf AS tf ORDER BY t.text
