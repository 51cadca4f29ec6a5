// Whether there is a message with this id.
// param id: STRING
// column id: STRING
MATCH (m:Message {id: $id})
RETURN m.id AS id
