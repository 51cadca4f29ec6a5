// Remove names that nothing has any more.
// param texts: STRING[]
UNWIND $texts AS wanted MATCH (n:Name {text: wanted}) DETACH DELETE n
