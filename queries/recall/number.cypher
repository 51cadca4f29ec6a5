// How many recalls are recorded.
// column number: INT64
MATCH (recall:Recall)
RETURN count(*) AS number
