// The new vectors of notes that are there and are still to be set.
// column owner: STRING
// column type: STRING
// column field: STRING
// column vector: STRING?
MATCH (v:LateVector) RETURN v.owner AS owner, v.type AS type, v.field AS field, v.vector AS vector ORDER BY v.id
