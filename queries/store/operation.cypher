// An entry of the journal, if it is there.
// param number: INT64
// column number: INT64
MATCH (o:Operation) WHERE o.number = $number RETURN o.number AS number
