// Some columns of the rows of a node table between two internal numbers (the second left out).
// choice TABLE: Meta, Semantic, SpecificSituation, AbstractSituation, Procedure, NoteKey, Chat, Message, PendingLink, Term, Name, Recall, Operation, Embedding, Picture
// identifier COLUMNS: n.*
// param first: INT64
// param last: INT64
// column COLUMNS: ANY?
MATCH (n:TABLE) WHERE offset(id(n)) >= $first AND offset(id(n)) < $last RETURN COLUMNS
