// The steps of the schema the mind has had.
// column name: STRING
// column sha256: STRING
MATCH (s:SchemaStep) RETURN s.name AS name, s.sha256 AS sha256 ORDER BY s.name
