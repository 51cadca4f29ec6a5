// Remove all words that occur nowhere any more, by their document frequencies.
MATCH (t:Term) WHERE t.note_df <= 0 AND t.message_df <= 0 DETACH DELETE t
