// Entries of the journal from one number to another, the newest first.
// param first: INT64
// param last: INT64
// column number: INT64
// column at: TIMESTAMP
// column command: STRING
// column before: STRING
// column after: STRING
// column undoes: INT64?
MATCH (o:Operation) WHERE o.number >= $first AND o.number <= $last
RETURN o.number AS number, o.at AS at, o.command AS command, o.before AS before, o.after AS after, o.undoes AS undoes
ORDER BY number DESC
