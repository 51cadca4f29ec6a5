// What happened between two times, in order.
// param start: TIMESTAMP
// param stop: TIMESTAMP
// column time: TIMESTAMP
// column key: STRING
// column narrative: STRING
MATCH (note:SpecificSituation)
WHERE note.time_start >= $start AND note.time_start < $stop
RETURN note.time_start AS time, note.key AS key, note.narrative AS narrative
ORDER BY time, key
