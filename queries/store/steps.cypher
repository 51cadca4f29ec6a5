// The steps of the schema the mind has had: name is schema/<step>, value JSON text with sha256 and applied_at.
// column name: STRING
// column value: STRING
MATCH (m:Meta) WHERE m.name STARTS WITH 'schema/' RETURN m.name AS name, m.value AS value ORDER BY m.name
