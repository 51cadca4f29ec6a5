// The lines of a chat, in order.
// param chat: STRING
// column id: STRING
// column fingerprint: STRING
// column sent_at: TIMESTAMP
// column session: INT64
// column place: INT64
MATCH (message:Message)
WHERE message.chat = $chat
RETURN message.id AS id, message.fingerprint AS fingerprint, message.sent_at AS sent_at, message.session AS session,
  message.index AS place
ORDER BY place, id
