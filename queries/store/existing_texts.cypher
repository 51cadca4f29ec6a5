// Which of these words or names are there.
// choice TABLE: Term, Name
// param texts: STRING[]
// column text: STRING
UNWIND $texts AS wanted MATCH (n:TABLE) WHERE n.text = wanted RETURN n.text AS text
