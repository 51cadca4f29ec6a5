// Load many rows into a node table. The frame has the columns named, in that order.
// choice TABLE: Meta, Semantic, SpecificSituation, AbstractSituation, Procedure, NoteKey, Chat, Message, PendingLink, Term, Name, Recall, Operation, Embedding, Picture
// identifier COLUMNS: id
// param frame: FRAME
COPY TABLE(COLUMNS) FROM $frame
