// All words, or all names.
// choice TABLE: Term, Name
// column text: STRING
MATCH (n:TABLE) RETURN n.text AS text
