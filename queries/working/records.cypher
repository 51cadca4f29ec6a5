// When each note was recalled and used, and what the user said to it (stage feedback, score +1 or -1).
// column note: STRING
// column at: TIMESTAMP
// column stage: STRING
// column score: DOUBLE
// column asleep: BOOL
MATCH (r:Recall)-[used:RECALLED]->(n:Semantic:SpecificSituation:AbstractSituation:Procedure)
RETURN n.id AS note, r.at AS at, used.stage AS stage, used.score AS score, coalesce(n.asleep, false) AS asleep
ORDER BY note, at
