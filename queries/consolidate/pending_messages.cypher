// The messages of a chat beyond a line, up to another, in order.
// param chat: STRING
// param after: INT64
// param until: INT64
// param limit: INT64
// column id: STRING
// column index: INT64
MATCH (message:Message)
WHERE message.chat = $chat AND message.index > $after AND message.index <= $until
RETURN message.id AS id, message.index AS index
ORDER BY index, id
LIMIT $limit
