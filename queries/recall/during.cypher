// Situations that happened, or may have happened, within a span of time.
// param start: TIMESTAMP
// param stop: TIMESTAMP
// param limit: INT64
// column id: STRING
// column time_start: TIMESTAMP
// column time_end: TIMESTAMP
MATCH (note:SpecificSituation)
WHERE note.active AND coalesce(note.time_start, note.time_end) < $stop AND coalesce(note.time_end, note.time_start) >= $start
RETURN note.id AS id, note.time_start AS time_start, note.time_end AS time_end
ORDER BY coalesce(note.time_start, note.time_end), id
LIMIT $limit
