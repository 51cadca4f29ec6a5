// Who spoke as the user or the character, with the time of the last line; who spoke last comes last.
// column role: STRING
// column speaker: STRING
// column last: TIMESTAMP?
// column lines: INT64
MATCH (message:Message)
WHERE NOT message.hidden AND (message.role = 'user' OR message.role = 'character')
WITH message.role AS role, message.speaker AS speaker, max(message.sent_at) AS last, count(*) AS lines
RETURN role, speaker, last, lines
ORDER BY last IS NOT NULL, last, lines, speaker
