// The messages that have one of these fingerprints.
// param fingerprints: STRING[]
// column id: STRING
// column chat: STRING
// column index: INT64
// column fingerprint: STRING
UNWIND $fingerprints AS wanted MATCH (m:Message) WHERE m.fingerprint = wanted
RETURN m.id AS id, m.chat AS chat, m.index AS index, m.fingerprint AS fingerprint ORDER BY m.chat, m.index
