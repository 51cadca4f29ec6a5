// What every entry of the journal says it wrote, in order.
// column number: INT64
// column command: STRING
// column what: STRING
// column after: STRING
MATCH (o:Operation) RETURN o.number AS number, o.command AS command, o.what AS what, o.after AS after ORDER BY o.number
