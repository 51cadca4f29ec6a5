// How many notes there are, and how many words they have on average.
// column count: INT64
// column mean_length: DOUBLE?
MATCH (n:Semantic:SpecificSituation:AbstractSituation:Procedure) RETURN count(*) AS count, avg(n.length) AS mean_length
