// The latest entries of the journal, the newest first, without what they say was there before and after.
// param limit: INT64
// column number: INT64
// column at: TIMESTAMP
// column command: STRING
// column what: STRING
// column undoes: INT64?
MATCH (o:Operation)
RETURN o.number AS number, o.at AS at, o.command AS command, o.what AS what, o.undoes AS undoes
ORDER BY o.number DESC LIMIT $limit
