// Forget that one Semantic note holds instead of another.
// param new: STRING
// param old: STRING
MATCH (a:Semantic {id: $new})-[s:SUPERSEDES]->(b:Semantic {id: $old}) DELETE s
