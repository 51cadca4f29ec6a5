// The highest internal number of the rows of a node table; null in an empty one.
// choice TABLE: Meta, Semantic, SpecificSituation, AbstractSituation, Procedure, NoteKey, Chat, Message, PendingLink, Term, Name, Recall, Operation, Embedding, Picture
// column last: INT64?
MATCH (n:TABLE) RETURN max(offset(id(n))) AS last
