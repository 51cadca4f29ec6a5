// The last command that changed the mind past its words and vectors, or made them anew.
// column command: STRING
MATCH (operation:Operation)
WHERE operation.command = 'cypher' OR operation.command = 'reembed'
RETURN operation.command AS command
ORDER BY operation.number DESC
LIMIT 1
