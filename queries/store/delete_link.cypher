// Remove one link.
// choice LINKS: Sem, Proc, Situation
// choice SOURCE_TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure
// choice TARGET_TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure
// param source: STRING
// param target: STRING
// param id: STRING
MATCH (a:SOURCE_TABLE {id: $source})-[l:LINKS]->(b:TARGET_TABLE {id: $target}) WHERE l.id = $id DELETE l
