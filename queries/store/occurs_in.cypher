// How many of these notes or messages each word occurs in. The frame has the column id.
// choice TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure, Message
// param frame: FRAME
// column text: STRING
// column count: INT64
LOAD FROM $frame WITH id AS wanted MATCH (t:Term)-[o:OCCURS]->(n:TABLE {id: wanted}) RETURN t.text AS text, count(*) AS count
