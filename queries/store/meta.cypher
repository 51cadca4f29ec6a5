// A recorded value, as JSON text.
// param name: STRING
// column value: STRING
MATCH (m:Meta {name: $name}) RETURN m.value AS value
