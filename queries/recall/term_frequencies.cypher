// In how many notes and messages each term occurs.
// param terms: TERM[]
// column text: STRING
// column note_df: INT64
// column message_df: INT64
UNWIND $terms AS wanted
MATCH (term:Term {key: wanted})
RETURN term.text AS text, term.note_df AS note_df, term.message_df AS message_df
ORDER BY text
