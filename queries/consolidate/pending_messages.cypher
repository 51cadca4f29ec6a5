// The ids of the messages of a chat beyond a line, in order.
// param chat: STRING
// param after: INT64
// param limit: INT64
// column id: STRING
MATCH (message:Message)
WHERE message.chat = $chat AND message.index > $after
RETURN message.id AS id
ORDER BY message.index, id
LIMIT $limit
