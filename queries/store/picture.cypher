// A kept picture.
// param id: STRING
// column data: STRING
MATCH (p:Picture {id: $id}) RETURN p.data AS data
