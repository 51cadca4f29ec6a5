// What is told of one specific situation. By one id, since only so the engine looks it up instead of going through all.
// param id: STRING
// column narrative: STRING
// column revised_narrative: STRING?
// column origins: STRING[]?
MATCH (note:SpecificSituation)
WHERE note.id = $id
RETURN note.narrative AS narrative, note.revised_narrative AS revised_narrative, note.origins AS origins
