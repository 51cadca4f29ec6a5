// What those are called of whom the mind has a note, and whatever else is no fact.
// column id: STRING
// column name: STRING
MATCH (known:Name)-[:NAMES]->(note:Semantic)
WHERE note.active AND note.concept_type = 'Entity' AND note.category IS NULL
RETURN note.id AS id, known.text AS name
ORDER BY id, name
