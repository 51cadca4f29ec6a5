// Create a Situation link between notes that are there.
// choice SOURCE_TABLE: SpecificSituation, AbstractSituation
// choice TARGET_TABLE: SpecificSituation, AbstractSituation
// param source: STRING
// param target: STRING
// param id: STRING
// param intensity: DOUBLE
// param created_at: TIMESTAMP
// param last_fired_at: TIMESTAMP?
// param fired_count: INT64
// param variant: STRING
MATCH (a:SOURCE_TABLE {id: $source}), (b:TARGET_TABLE {id: $target})
CREATE (a)-[:Situation {
    id: $id, intensity: $intensity, created_at: $created_at, last_fired_at: $last_fired_at, fired_count: $fired_count,
    variant: $variant}]->(b)
