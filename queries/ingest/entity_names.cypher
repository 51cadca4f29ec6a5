// The names of people, places and things of the mind, and whose they are; the character's own are not among them.
// column name: STRING
// column id: STRING
MATCH (known:Name)-[:NAMES]->(note:Semantic)
WHERE note.active AND note.concept_type = 'Entity' AND note.key <> 'sem_self' AND (note.category IS NULL OR note.category = 'knowledge')
RETURN known.text AS name, note.id AS id
ORDER BY name, id
