// The messages of a chat from one number to another (both included), in order.
// param chat: STRING
// param first: INT64
// param last: INT64
// column id: STRING
// column index: INT64
MATCH (m:Message {chat: $chat}) WHERE m.index >= $first AND m.index <= $last
RETURN m.id AS id, m.index AS index ORDER BY m.index
