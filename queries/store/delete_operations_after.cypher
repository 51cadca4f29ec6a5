// Forget the entries of the journal after this one.
// param number: INT64
MATCH (o:Operation) WHERE o.number > $number DELETE o
