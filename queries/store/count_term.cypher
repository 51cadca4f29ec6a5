// Add to the document frequencies of one word.
// param text: TERM
// param note_df: INT64
// param message_df: INT64
MATCH (t:Term {key: $text}) SET t.note_df = t.note_df + $note_df, t.message_df = t.message_df + $message_df
