// How often each word occurs in each note and message.
// column id: STRING
// column text: STRING
// column tf: INT64
MATCH (t:Term)-[o:OCCURS]->(n:Semantic:SpecificSituation:AbstractSituation:Procedure:Message) RETURN n.id AS id, t.text AS text, o.tf AS tf
