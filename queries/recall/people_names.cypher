// What those are called who have one of these names, and who else is called so; whatever is no fact may be somebody.
// param names: STRING[]
// column id: STRING
// column name: STRING
MATCH (known:Name)-[:NAMES]->(note:Semantic)<-[:NAMES]-(shared:Name)-[:NAMES]->(owner:Semantic)
WHERE (known.text IN $names) = true AND note.active AND note.concept_type = 'Entity' AND note.category IS NULL
  AND owner.active AND owner.concept_type = 'Entity' AND owner.category IS NULL
RETURN DISTINCT owner.id AS id, shared.text AS name
ORDER BY id, name
