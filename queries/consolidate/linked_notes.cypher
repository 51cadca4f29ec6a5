// Which of these notes have links, and how many.
// param ids: STRING[]
// column id: STRING
// column links: INT64
MATCH (note:Semantic:SpecificSituation:AbstractSituation:Procedure)-[link:Sem|Proc|Situation]-(:Semantic:SpecificSituation:AbstractSituation:Procedure)
WHERE (note.id IN $ids) = true
RETURN note.id AS id, count(DISTINCT link.id) AS links
ORDER BY id
