// Notes that were told in confidence, and from whom they are kept.
// column id: STRING
// column kept_from: STRING[]
MATCH (note:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE size(note.kept_from) > 0
RETURN note.id AS id, note.kept_from AS kept_from
ORDER BY id
