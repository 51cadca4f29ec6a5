// Where each note is in the engine's table of its type.
// column id: STRING
// column type: STRING
// column offset: INT64
MATCH (note:Semantic:SpecificSituation:AbstractSituation:Procedure)
RETURN note.id AS id, label(note) AS type, offset(id(note)) AS offset
