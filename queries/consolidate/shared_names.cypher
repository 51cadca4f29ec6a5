// Notes that share a name with another one.
// column name: STRING
// column id: STRING
MATCH (one:Semantic)<-[:NAMES]-(shared:Name)-[:NAMES]->(other:Semantic)
WHERE one.active AND other.active AND one.id <> other.id
RETURN DISTINCT shared.text AS name, one.id AS id
ORDER BY name, id
