// Which operations took back which, in order.
// column number: INT64
// column undoes: INT64
MATCH (o:Operation) WHERE o.undoes IS NOT NULL RETURN o.number AS number, o.undoes AS undoes ORDER BY o.number
