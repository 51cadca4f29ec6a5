// Add to the document frequencies of many words. The frame has the columns key, note_df, message_df.
// param frame: FRAME
LOAD FROM $frame WITH key AS wanted, note_df AS notes, message_df AS messages
MATCH (t:Term {key: wanted}) SET t.note_df = t.note_df + notes, t.message_df = t.message_df + messages
