// Keep a vector that was computed.
// param id: STRING
// param vector: DOUBLE[]
CREATE (:Embedding {id: $id, vector: $vector})
