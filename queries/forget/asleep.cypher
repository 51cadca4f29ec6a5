// How many notes are asleep: found where a question reaches them directly, and led to by nothing.
// column count: INT64
MATCH (note:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE note.asleep
RETURN count(note) AS count
