// Record that a step of the schema was applied.
// param name: STRING
// param sha256: STRING
// param at: TIMESTAMP
CREATE (:SchemaStep {name: $name, sha256: $sha256, applied_at: $at})
