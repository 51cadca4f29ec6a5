// Facts that end before they begin.
// column id: STRING
MATCH (n:Semantic) WHERE n.valid_until < n.valid_from RETURN n.id AS id ORDER BY n.id
