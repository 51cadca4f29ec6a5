// Add to the document frequencies of words.
// param terms: STRUCT[]
UNWIND $terms AS term MATCH (t:Term {key: term.key})
SET t.note_df = t.note_df + term.note_df, t.message_df = t.message_df + term.message_df
