// The names of all recorded values.
// column name: STRING
MATCH (m:Meta) RETURN m.name AS name ORDER BY name
