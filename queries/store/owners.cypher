// The Semantic notes that have a name.
// param text: STRING
// column id: STRING
MATCH (:Name {text: $text})-[:NAMES]->(n:Semantic) RETURN n.id AS id
