// What is told of each pattern.
// column id: STRING
// column kind: STRING
// column location: STRUCT?
// column participant: STRUCT?
// column environment: STRUCT?
// column event: STRUCT?
// column origins: STRING[]?
MATCH (note:AbstractSituation)
WHERE note.created_at IS NOT NULL
RETURN note.id AS id, note.kind AS kind, note.location AS location, note.participant AS participant,
       note.environment AS environment, note.event AS event, note.origins AS origins
