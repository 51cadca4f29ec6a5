// Load many rows into a node table. The frame has the columns named, in that order.
// choice TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure, Message, NoteKey, PendingLink, Recall, Term, Name, Embedding
// identifier COLUMNS: id
// param frame: FRAME
COPY TABLE(COLUMNS) FROM $frame
