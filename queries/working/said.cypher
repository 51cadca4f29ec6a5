// What was said in a talk from a number on, in order.
// param chat: STRING
// param first: INT64
// column id: STRING
MATCH (m:Message)
WHERE m.chat = $chat AND m.index >= $first AND NOT m.hidden
RETURN m.id AS id
ORDER BY m.index, id
