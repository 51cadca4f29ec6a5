// Notes and messages that have a text but no vector of it; observed lines (of live: chats) get theirs when the mind is idle.
// column id: STRING
// column type: STRING
MATCH (n:Semantic) WHERE n.content <> '' AND n.v_content IS NULL RETURN n.id AS id, 'Semantic' AS type
UNION ALL
MATCH (n:SpecificSituation) WHERE n.narrative <> '' AND n.v_narrative IS NULL RETURN n.id AS id, 'SpecificSituation' AS type
UNION ALL
MATCH (n:AbstractSituation) WHERE n.v_self IS NULL RETURN n.id AS id, 'AbstractSituation' AS type
UNION ALL
MATCH (n:Procedure) WHERE n.content <> '' AND n.v_content IS NULL RETURN n.id AS id, 'Procedure' AS type
UNION ALL
MATCH (n:Message) WHERE n.text <> '' AND NOT n.hidden AND n.v_text IS NULL AND NOT n.file STARTS WITH 'live:'
RETURN n.id AS id, 'Message' AS type
