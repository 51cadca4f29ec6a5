// What is told of one pattern. By one id, since only so the engine looks it up instead of going through all.
// param id: STRING
// column kind: STRING
// column location: STRUCT?
// column participant: STRUCT?
// column environment: STRUCT?
// column event: STRUCT?
// column origins: STRING[]?
MATCH (note:AbstractSituation)
WHERE note.id = $id
RETURN note.kind AS kind, note.location AS location, note.participant AS participant, note.environment AS environment,
       note.event AS event, note.origins AS origins
