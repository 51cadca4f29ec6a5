// Which of these ten words or names are there: by the index of the table, which lists of them do not use.
// choice TABLE: Term, Name
// param text0: STRING
// param text1: STRING
// param text2: STRING
// param text3: STRING
// param text4: STRING
// param text5: STRING
// param text6: STRING
// param text7: STRING
// param text8: STRING
// param text9: STRING
// column text: STRING
MATCH (n:TABLE {text: $text0}) RETURN n.text AS text
UNION ALL MATCH (n:TABLE {text: $text1}) RETURN n.text AS text
UNION ALL MATCH (n:TABLE {text: $text2}) RETURN n.text AS text
UNION ALL MATCH (n:TABLE {text: $text3}) RETURN n.text AS text
UNION ALL MATCH (n:TABLE {text: $text4}) RETURN n.text AS text
UNION ALL MATCH (n:TABLE {text: $text5}) RETURN n.text AS text
UNION ALL MATCH (n:TABLE {text: $text6}) RETURN n.text AS text
UNION ALL MATCH (n:TABLE {text: $text7}) RETURN n.text AS text
UNION ALL MATCH (n:TABLE {text: $text8}) RETURN n.text AS text
UNION ALL MATCH (n:TABLE {text: $text9}) RETURN n.text AS text
