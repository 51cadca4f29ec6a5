// Load many rows into a node table. The frame has the table's columns in their order.
// choice TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure, Message, NoteKey, PendingLink, Recall, Term, Name, Embedding
// param frame: FRAME
COPY TABLE FROM $frame
