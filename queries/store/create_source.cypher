// Note that a note was drawn from messages, each with its place among the note's sources.
// choice TABLE: Semantic, SpecificSituation, AbstractSituation, Procedure
// param id: STRING
// param sources: STRUCT[]
MATCH (n:TABLE {id: $id}) UNWIND $sources AS source MATCH (m:Message {id: source.message})
CREATE (n)-[:SOURCE {place: source.place}]->(m)
