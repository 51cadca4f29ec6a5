// The ids of the last messages of a chat up to a line, the latest first.
// param chat: STRING
// param until: INT64
// param limit: INT64
// column id: STRING
// column index: INT64
MATCH (message:Message)
WHERE message.chat = $chat AND message.index <= $until
RETURN message.id AS id, message.index AS index
ORDER BY index DESC, id
LIMIT $limit
