// The new vectors of notes that are there and are still to be set. name is late/<table>/<column>/<note>, value JSON text: the vector
// as in Embedding, or null.
// column name: STRING
// column value: STRING
MATCH (m:Meta) WHERE m.name STARTS WITH 'late/' RETURN m.name AS name, m.value AS value ORDER BY m.name
