// All messages, chat by chat in the order of the file.
// column id: STRING
// column chat: STRING
// column index: INT64
// column file: STRING
// column line: INT64
// column speaker: STRING
// column role: STRING
// column text: STRING
// column sent_at: TIMESTAMP?
// column hidden: BOOL
// column session: INT64
// column scope: STRING
// column present: STRING[]?
// column kept_from: STRING[]?
// column fingerprint: STRING
// column length: INT64
MATCH (m:Message)
RETURN
    m.id AS id, m.chat AS chat, m.index AS index, m.file AS file, m.line AS line, m.speaker AS speaker, m.role AS role,
    m.text AS text, m.sent_at AS sent_at, m.hidden AS hidden, m.session AS session, m.scope AS scope, m.present AS present, m.kept_from AS kept_from, m.fingerprint AS fingerprint,
    m.length AS length
ORDER BY m.chat, m.index
