// Where each term of a note is in the engine's table of terms.
// column text: STRING
// column offset: INT64
MATCH (term:Term)
WHERE term.note_df > 0
RETURN term.text AS text, offset(id(term)) AS offset
