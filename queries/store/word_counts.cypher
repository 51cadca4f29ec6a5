// How many notes and messages each word is linked to, and its recorded document frequencies.
// column text: STRING
// column notes: INT64
// column messages: INT64
// column note_df: INT64
// column message_df: INT64
MATCH (t:Term) OPTIONAL MATCH (t)-[o:OCCURS]->(n:Semantic:SpecificSituation:AbstractSituation:Procedure:Message)
RETURN t.text AS text, count(CASE WHEN label(n) <> 'Message' THEN 1 END) AS notes,
    count(CASE WHEN label(n) = 'Message' THEN 1 END) AS messages, t.note_df AS note_df, t.message_df AS message_df
