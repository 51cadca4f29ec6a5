// Note that names mean a Semantic note.
// param id: STRING
// param texts: STRING[]
MATCH (n:Semantic {id: $id}) UNWIND $texts AS wanted MATCH (name:Name {text: wanted}) CREATE (name)-[:NAMES]->(n)
