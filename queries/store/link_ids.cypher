// The ids of all links between notes.
// column id: STRING
MATCH ()-[l:Sem|Proc|Situation]->() RETURN l.id AS id
