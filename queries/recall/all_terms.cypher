// In how many notes each term occurs.
// column text: STRING
// column note_df: INT64
MATCH (term:Term)
WHERE term.note_df > 0
RETURN term.text AS text, term.note_df AS note_df
