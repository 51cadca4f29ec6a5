// The case-folded names of a Semantic note.
// param id: STRING
// column text: STRING
MATCH (name:Name)-[:NAMES]->(n:Semantic {id: $id}) RETURN name.text AS text ORDER BY name.text
