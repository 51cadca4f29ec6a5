// How many notes there are and their mean length in terms.
// column number: INT64
// column mean_length: DOUBLE
MATCH (note:Semantic:SpecificSituation:AbstractSituation:Procedure)
RETURN count(*) AS number, coalesce(avg(CAST(note.length AS DOUBLE)), 0.0) AS mean_length
