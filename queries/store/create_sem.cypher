// Create a Sem link between notes that are there.
// choice SOURCE_TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure
// choice TARGET_TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure
// param source: STRING
// param target: STRING
// param id: STRING
// param intensity: DOUBLE
// param created_at: TIMESTAMP
// param last_fired_at: TIMESTAMP?
// param fired_count: INT64
// param verb: STRING
// param confidence: DOUBLE
MATCH (a:SOURCE_TABLE {id: $source}), (b:TARGET_TABLE {id: $target})
CREATE (a)-[:Sem {
    id: $id, intensity: $intensity, created_at: $created_at, last_fired_at: $last_fired_at, fired_count: $fired_count,
    verb: $verb, confidence: $confidence}]->(b)
