// How many links each link table has.
// column name: STRING
// column count: INT64
MATCH ()-[l]->() RETURN label(l) AS name, count(*) AS count ORDER BY name
