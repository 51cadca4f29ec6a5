// Semantic notes that have one of these names.
// param names: STRING[]
// column id: STRING
// column name: STRING
UNWIND $names AS wanted
MATCH (known:Name {text: wanted})-[:NAMES]->(note:Semantic)
WHERE note.active
RETURN note.id AS id, known.text AS name
ORDER BY id, name
