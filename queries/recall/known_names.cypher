// Which of these names the mind has. Apart from whose they are, since only so the engine looks each up instead of going through all.
// param names: STRING[]
// column name: STRING
UNWIND $names AS wanted
MATCH (known:Name {text: wanted})
RETURN known.text AS name
