// Messages nearest to a vector, with where they stand in their chats.
// param vector: VECTOR
// param limit: INT64
// column id: STRING
// column chat: STRING
// column session: INT64
// column index: INT64
// column speaker: STRING
// column sent_at: TIMESTAMP
// column asks: BOOL
// column cosine: DOUBLE
MATCH (message:Message)
WHERE NOT message.hidden
RETURN message.id AS id, message.chat AS chat, message.session AS session, message.index AS index,
       message.speaker AS speaker, message.sent_at AS sent_at,
       (message.text CONTAINS '?' OR message.text CONTAINS '？') AS asks, array_cosine_similarity(message.v_text, $vector) AS cosine
ORDER BY cosine DESC, id
LIMIT $limit
