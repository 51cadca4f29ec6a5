// Who speaks in which sitting of which chat, in which scope, with whom present, and in how many lines.
// column chat: STRING
// column session: INT64
// column scope: STRING
// column speaker: STRING
// column role: STRING
// column present: STRING[]?
// column lines: INT64
MATCH (said:Message)
WHERE NOT said.hidden
RETURN said.chat AS chat, said.session AS session, said.scope AS scope, said.speaker AS speaker, said.role AS role,
       said.present AS present, count(*) AS lines
