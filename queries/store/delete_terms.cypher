// Remove those of these words that occur nowhere any more, by their document frequencies.
// param texts: TERM[]
UNWIND $texts AS wanted MATCH (t:Term {key: wanted}) WHERE t.note_df <= 0 AND t.message_df <= 0 DETACH DELETE t
