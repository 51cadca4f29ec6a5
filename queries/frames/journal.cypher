// The whole journal without what was there before, the oldest entry first.
// column number: INT64
// column at: TIMESTAMP
// column command: STRING
// column what: STRING
// column after: STRING
// column undoes: INT64?
MATCH (o:Operation)
RETURN o.number AS number, o.at AS at, o.command AS command, o.what AS what, o.after AS after, o.undoes AS undoes
ORDER BY number
