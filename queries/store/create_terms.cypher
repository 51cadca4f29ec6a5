// Create words that are not there yet.
// param terms: STRUCT[]
UNWIND $terms AS term CREATE (:Term {key: term.key, text: term.text, note_df: term.note_df, message_df: term.message_df})
