// All words of the patterns: term and note by their offsets in the engine's tables, and how often.
// column term: INT64
// column note: INT64
// column tf: INT64
MATCH (term:Term)-[occurs:OCCURS]->(note:AbstractSituation)
RETURN offset(id(term)) AS term, offset(id(note)) AS note, occurs.tf AS tf
