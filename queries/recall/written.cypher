// Whether there is a journal entry with this number.
// param number: INT64
// column number: INT64
MATCH (o:Operation {number: $number})
RETURN o.number AS number
