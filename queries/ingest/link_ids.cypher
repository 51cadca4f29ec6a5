// The ids of all links.
// column id: STRING
MATCH (:Semantic:SpecificSituation:AbstractSituation:Procedure)-[link:Sem|Proc|Situation]->(:Semantic:SpecificSituation:AbstractSituation:Procedure)
RETURN link.id AS id
ORDER BY id
