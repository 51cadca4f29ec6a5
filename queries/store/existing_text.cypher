// Whether this word or name is there.
// choice TABLE: Term, Name
// param text: STRING
// column text: STRING
MATCH (n:TABLE {text: $text}) RETURN n.text AS text
