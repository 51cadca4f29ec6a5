// The notes that were drawn from these lines, with all their lines.
// param ids: STRING[]
// column note: STRING
// column type: STRING
// column category: STRING?
// column kept_from: STRING[]?
// column message: STRING
MATCH (note:Semantic:SpecificSituation:AbstractSituation:Procedure)-[:SOURCE]->(said:Message)
WHERE (said.id IN $ids) = true
WITH DISTINCT note
MATCH (note)-[:SOURCE]->(other:Message)
RETURN note.id AS note, label(note) AS type, note.category AS category, note.kept_from AS kept_from, other.id AS message
ORDER BY note, message
