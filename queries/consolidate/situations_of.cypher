// Which situation quotes each of these messages.
// param ids: STRING[]
// column message: STRING
// column situation: STRING
MATCH (note:SpecificSituation)-[:SOURCE]->(said:Message)
WHERE (said.id IN $ids) = true
RETURN said.id AS message, note.id AS situation
ORDER BY message, situation
