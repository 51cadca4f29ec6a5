// Record that a recall used a note.
// choice TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure
// param recall: STRING
// param id: STRING
// param stage: STRING
// param score: DOUBLE
MATCH (r:Recall {id: $recall}), (n:TABLE {id: $id}) CREATE (r)-[:RECALLED {stage: $stage, score: $score}]->(n)
