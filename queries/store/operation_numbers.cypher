// The numbers of all entries of the journal, in order.
// column number: INT64
MATCH (o:Operation) RETURN o.number AS number ORDER BY o.number
