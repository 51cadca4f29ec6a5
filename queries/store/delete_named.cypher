// Forget the names of a Semantic note.
// param id: STRING
MATCH (:Name)-[r:NAMES]->(n:Semantic {id: $id}) DELETE r
