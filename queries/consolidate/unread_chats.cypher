// How far each chat goes: the number of its last line.
// column chat: STRING
// column last: INT64
MATCH (message:Message)
RETURN message.chat AS chat, max(message.index) AS last
ORDER BY chat
