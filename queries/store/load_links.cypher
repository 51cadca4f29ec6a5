// Load many rows into a link table. The frame has from, to, and the table's columns in their order.
// choice LINKS: Sem, Proc, Situation, SUPERSEDES, SOURCE, OCCURS, NAMES, RECALLED
// choice SOURCE_TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure, Term, Name, Recall
// choice TARGET_TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure, Message
// param frame: FRAME
COPY LINKS FROM $frame (from='SOURCE_TABLE', to='TARGET_TABLE')
