// Lines that not everybody may hear of, with the number of their words.
// column id: STRING
// column chat: STRING
// column index: INT64
// column session: INT64
// column scope: STRING
// column speaker: STRING
// column role: STRING
// column present: STRING[]?
// column kept_from: STRING[]?
// column hidden: BOOL
// column length: INT64
MATCH (said:Message)
WHERE said.scope <> 'public' OR size(said.kept_from) > 0
RETURN said.id AS id, said.chat AS chat, said.index AS index, said.session AS session, said.scope AS scope,
       said.speaker AS speaker, said.role AS role, said.present AS present, said.kept_from AS kept_from,
       said.hidden AS hidden, said.length AS length
ORDER BY chat, index, id
