// Create names that are not there yet.
// param texts: STRING[]
UNWIND $texts AS text CREATE (:Name {text: text})
