// How many words each note and message is linked to, repeats counted.
// column id: STRING
// column length: INT64
MATCH (:Term)-[o:OCCURS]->(n:Semantic:SpecificSituation:AbstractSituation:Procedure:Message) RETURN n.id AS id, sum(o.tf) AS length
