// All recorded values, as JSON text.
// column name: STRING
// column value: STRING
MATCH (m:Meta) RETURN m.name AS name, m.value AS value ORDER BY m.name
