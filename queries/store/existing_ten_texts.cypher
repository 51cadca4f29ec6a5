// Which of these ten words or names are there: by the index of the table, which lists of them do not use.
// choice TABLE: Term, Name
// choice KEY: key, text
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
MATCH (n:TABLE {KEY: $text0}) RETURN n.text AS text
UNION ALL MATCH (n:TABLE {KEY: $text1}) RETURN n.text AS text
UNION ALL MATCH (n:TABLE {KEY: $text2}) RETURN n.text AS text
UNION ALL MATCH (n:TABLE {KEY: $text3}) RETURN n.text AS text
UNION ALL MATCH (n:TABLE {KEY: $text4}) RETURN n.text AS text
UNION ALL MATCH (n:TABLE {KEY: $text5}) RETURN n.text AS text
UNION ALL MATCH (n:TABLE {KEY: $text6}) RETURN n.text AS text
UNION ALL MATCH (n:TABLE {KEY: $text7}) RETURN n.text AS text
UNION ALL MATCH (n:TABLE {KEY: $text8}) RETURN n.text AS text
UNION ALL MATCH (n:TABLE {KEY: $text9}) RETURN n.text AS text
