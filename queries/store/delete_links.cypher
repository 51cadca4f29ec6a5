// Remove many links. The frame has the column id.
// choice LINKS: Sem, Proc, Situation
// choice SOURCE_TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure
// param frame: FRAME
LOAD FROM $frame WITH id AS wanted MATCH (a:SOURCE_TABLE)-[l:LINKS]->() WHERE l.id = wanted DELETE l
