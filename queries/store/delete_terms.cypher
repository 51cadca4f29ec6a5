// Remove those of these words that occur nowhere any more, by their document frequencies.
// param texts: STRING[]
UNWIND $texts AS wanted MATCH (t:Term {text: wanted}) WHERE t.note_df <= 0 AND t.message_df <= 0 DETACH DELETE t
