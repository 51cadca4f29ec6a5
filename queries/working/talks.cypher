// The talks that were observed, by name, with how many messages each has.
// param prefix: STRING
// column file: STRING
// column messages: INT64
MATCH (c:Chat)
WHERE c.file STARTS WITH $prefix
RETURN c.file AS file, c.messages AS messages
ORDER BY file
