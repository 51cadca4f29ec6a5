// The number of the last entry of the journal; null in an empty one.
// column number: INT64?
MATCH (o:Operation) RETURN max(o.number) AS number
