// Record a value of a name that is not there. value is JSON text.
// param name: STRING
// param value: STRING
CREATE (:Meta {name: $name, value: $value})
