// The notes that these links leave. All links are looked through once, however many are asked for.
// param ids: STRING[]
// column id: STRING
// column source: STRING
UNWIND $ids AS wanted MATCH (a:Semantic:SpecificSituation:AbstractSituation:Procedure)-[l:Sem|Proc|Situation]->() WHERE l.id = wanted
RETURN l.id AS id, a.id AS source
