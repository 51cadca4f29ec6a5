// Who spoke as the user or the character in which scope, with the time of the last line; who spoke last comes last.
// column role: STRING
// column speaker: STRING
// column scope: STRING
// column last: TIMESTAMP?
// column lines: INT64
MATCH (message:Message)
WHERE NOT message.hidden AND (message.role = 'user' OR message.role = 'character')
WITH message.role AS role, message.speaker AS speaker, message.scope AS scope, max(message.sent_at) AS last, count(*) AS lines
RETURN role, speaker, scope, last, lines
ORDER BY last IS NOT NULL, last, lines, speaker, scope
