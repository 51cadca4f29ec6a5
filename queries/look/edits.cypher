// The entries of the journal that were written by editing a note by hand, and say something of a note with this id.
// param id: STRING
// column number: INT64
// column at: TIMESTAMP
// column after: STRING
MATCH (o:Operation) WHERE o.command = 'edit' AND o.after CONTAINS $id
RETURN o.number AS number, o.at AS at, o.after AS after ORDER BY o.number
