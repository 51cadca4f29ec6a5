// Write an entry of the journal.
// param number: INT64
// param at: TIMESTAMP
// param command: STRING
// param what: STRING
// param before: STRING
// param after: STRING
// param undoes: INT64?
CREATE (:Operation {
    number: $number, at: $at, command: $command, what: $what, before: $before, after: $after, undoes: $undoes})
