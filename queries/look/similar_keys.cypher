// Keys that come near to a text that is no key: of notes with such a name, then of those whose key or name has it in it.
// param name: STRING
// param limit: INT64
// column key: STRING
MATCH (note:Semantic)
WITH note, [lower(note.content)] + list_transform(coalesce(note.aliases, []), alias -> lower(alias)) AS names
WITH note.key AS key, list_contains(names, $name) AS is_named, list_to_string(' ', [lower(note.key)] + names) AS words
WHERE is_named OR words CONTAINS $name
RETURN key
ORDER BY is_named DESC, key
LIMIT $limit
