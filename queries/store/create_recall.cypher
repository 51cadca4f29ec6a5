// Record a recall.
// param id: STRING
// param at: TIMESTAMP
// param query: STRING
CREATE (:Recall {id: $id, at: $at, query: $query})
