// The messages these notes were drawn from, in order.
// param ids: STRING[]
// column note: STRING
// column message: STRING
// column file: STRING
// column line: INT64
// column speaker: STRING
// column sent_at: TIMESTAMP
MATCH (origin:Semantic:SpecificSituation:AbstractSituation:Procedure)-[source:SOURCE]->(said:Message)
WHERE (origin.id IN $ids) = true
RETURN origin.id AS note, said.id AS message, said.file AS file, said.line AS line, said.speaker AS speaker,
       said.sent_at AS sent_at
ORDER BY note, source.place
