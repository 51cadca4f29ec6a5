// All names, and the Semantic notes that have them.
// column name: STRING
// column id: STRING
MATCH (known:Name)-[:NAMES]->(note:Semantic)
RETURN known.text AS name, note.id AS id
