// Semantic notes that have one of these names.
// param names: STRING[]
// column id: STRING
// column name: STRING
MATCH (known:Name)-[:NAMES]->(note:Semantic)
WHERE (known.text IN $names) = true AND note.active
RETURN note.id AS id, known.text AS name
ORDER BY id, name
