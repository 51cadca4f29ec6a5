// Links that lead to a note.
// param id: STRING
// column id: STRING
// column other: STRING
// column other_type: STRING
// column type: STRING
// column verb: STRING
// column confidence: DOUBLE
// column prob: DOUBLE
// column variant: STRING
// column intensity: DOUBLE
MATCH (origin:Semantic:SpecificSituation:AbstractSituation:Procedure)-[link:Sem|Proc|Situation]->(reached:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE reached.id = $id
RETURN link.id AS id, origin.key AS other, label(origin) AS other_type, label(link) AS type, link.verb AS verb,
       link.confidence AS confidence, link.prob AS prob, link.variant AS variant, link.intensity AS intensity
ORDER BY type, other, id
