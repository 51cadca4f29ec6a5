// The notes that these links leave.
// param ids: STRING[]
// column source: STRING
UNWIND $ids AS wanted
MATCH (origin:Semantic:SpecificSituation:AbstractSituation:Procedure)-[link:Sem|Proc|Situation]->(:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE link.id = wanted
RETURN DISTINCT origin.id AS source
