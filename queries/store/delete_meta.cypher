// Forget a recorded value.
// param name: STRING
MATCH (m:Meta {name: $name}) DELETE m
