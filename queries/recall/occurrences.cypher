// The notes in which these terms occur, and how often.
// param terms: STRING[]
// column term: STRING
// column note: STRING
// column tf: INT64
MATCH (term:Term)-[occurs:OCCURS]->(note:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE (term.text IN $terms) = true
RETURN term.text AS term, note.id AS note, occurs.tf AS tf
