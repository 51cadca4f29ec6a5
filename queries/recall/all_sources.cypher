// The messages all notes were drawn from, in order.
// column note: STRING
// column file: STRING
// column line: INT64
// column speaker: STRING
// column sent_at: TIMESTAMP?
MATCH (origin:Semantic:SpecificSituation:AbstractSituation:Procedure)-[source:SOURCE]->(said:Message)
RETURN origin.id AS note, said.file AS file, said.line AS line, said.speaker AS speaker, said.sent_at AS sent_at
ORDER BY note, source.place
