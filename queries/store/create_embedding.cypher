// Keep a vector that was computed.
// param id: STRING
// param vector: STRING
CREATE (:Embedding {id: $id, vector: $vector})
