// How far each chat goes: the number of its last line. What began earlier comes first.
// column chat: STRING
// column last: INT64
MATCH (message:Message)
WITH message.chat AS chat, max(message.index) AS last, min(message.sent_at) AS begun
RETURN chat, last
ORDER BY begun, chat
