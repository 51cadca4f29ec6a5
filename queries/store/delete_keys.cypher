// Give up the keys of many notes. The frame has the column key.
// param frame: FRAME
LOAD FROM $frame WITH key AS wanted MATCH (k:NoteKey {key: wanted}) DELETE k
