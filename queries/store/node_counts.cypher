// How many rows each node table has.
// column name: STRING
// column count: INT64
MATCH (n) RETURN label(n) AS name, count(*) AS count ORDER BY name
