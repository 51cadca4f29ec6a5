// Which situations trigger which actions, with which probability.
// column situation: STRING
// column action_type: STRING
// column action: STRING
// column prob: DOUBLE
MATCH (origin:SpecificSituation:AbstractSituation)-[link:Proc]->(done:Procedure)
RETURN origin.key AS situation, done.action_type AS action_type, done.key AS action, link.prob AS prob
ORDER BY situation, prob DESC, action
