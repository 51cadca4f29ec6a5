// Note that one Semantic note holds instead of another.
// param new: STRING
// param old: STRING
// param at: TIMESTAMP
// param reason: STRING
MATCH (a:Semantic {id: $new}), (b:Semantic {id: $old}) CREATE (a)-[:SUPERSEDES {at: $at, reason: $reason}]->(b)
