// The ends and all properties of the links between two tables.
// choice LINKS: Sem, Proc, Situation, SUPERSEDES, SOURCE, OCCURS, NAMES, RECALLED
// choice SOURCE_TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure, Term, Name, Recall
// choice TARGET_TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure, Message
// choice SOURCE_KEY: id, key, text
// column from: STRING
// column to: STRING
// column *: ANY?
MATCH (a:SOURCE_TABLE)-[l:LINKS]->(b:TARGET_TABLE) RETURN a.SOURCE_KEY AS `from`, b.id AS `to`, l.*
