// Entries of the journal from one number to another, in order.
// param first: INT64
// param last: INT64
// column number: INT64
// column command: STRING
// column what: STRING
// column before: STRING
// column after: STRING
MATCH (o:Operation) WHERE o.number >= $first AND o.number <= $last
RETURN o.number AS number, o.command AS command, o.what AS what, o.before AS before, o.after AS after ORDER BY o.number
