// What is told of each specific situation.
// column id: STRING
// column narrative: STRING
// column revised_narrative: STRING?
// column origins: STRING[]?
MATCH (note:SpecificSituation)
WHERE note.created_at IS NOT NULL
RETURN note.id AS id, note.narrative AS narrative, note.revised_narrative AS revised_narrative, note.origins AS origins
