// The chat, number and number of words of every message.
// column id: STRING
// column chat: STRING
// column index: INT64
// column length: INT64
MATCH (m:Message) RETURN m.id AS id, m.chat AS chat, m.index AS index, m.length AS length ORDER BY m.id
