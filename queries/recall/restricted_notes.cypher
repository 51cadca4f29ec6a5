// Notes that not everybody may hear of.
// column id: STRING
// column key: STRING
// column scope: STRING
// column kept_from: STRING[]?
MATCH (note:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE note.scope <> 'public' OR size(note.kept_from) > 0
RETURN note.id AS id, note.key AS key, note.scope AS scope, note.kept_from AS kept_from
ORDER BY id
