// What a speaker said with a word in it.
// param speaker: STRING
// param word: STRING
// param limit: INT64
// column time: TIMESTAMP?
// column file: STRING
// column line: INT64
// column text: STRING
MATCH (message:Message)
WHERE message.speaker = $speaker AND message.text CONTAINS $word AND NOT message.hidden
RETURN message.sent_at AS time, message.file AS file, message.line AS line, message.text AS text
ORDER BY file, line
LIMIT $limit
