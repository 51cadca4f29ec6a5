// Record a value. value is JSON text.
// param name: STRING
// param value: STRING
MERGE (m:Meta {name: $name}) SET m.value = $value
