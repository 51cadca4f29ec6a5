// Keep the new vector of a note that is there until it can be set.
// param id: STRING
// param owner: STRING
// param type: STRING
// param field: STRING
// param vector: STRING?
CREATE (:LateVector {id: $id, owner: $owner, type: $type, field: $field, vector: $vector})
