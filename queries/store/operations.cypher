// The latest entries of the journal, the newest first.
// param limit: INT64
// column number: INT64
// column at: TIMESTAMP
// column command: STRING
// column what: STRING
// column before: STRING
// column after: STRING
// column undoes: INT64?
MATCH (o:Operation)
RETURN o.number AS number, o.at AS at, o.command AS command, o.what AS what, o.before AS before, o.after AS after,
    o.undoes AS undoes
ORDER BY o.number DESC LIMIT $limit
