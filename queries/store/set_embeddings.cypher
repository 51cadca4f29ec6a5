// Keep other vectors under these ids. The frame has the columns id and value.
// param frame: FRAME
LOAD FROM $frame WITH id AS wanted, value AS given MATCH (e:Embedding {id: wanted}) SET e.vector = given
