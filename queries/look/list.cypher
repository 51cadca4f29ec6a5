// Notes, by type, tag or text; empty texts do not filter.
// param type: STRING
// param tag: STRING
// param text: STRING
// param offset: INT64
// param limit: INT64
// column id: STRING
// column key: STRING
MATCH (note:Semantic:SpecificSituation:AbstractSituation:Procedure)
WITH note, label(note) AS type, lower(concat(note.key, ' ', coalesce(note.content, ''), ' ', coalesce(note.description, ''), ' ',
     coalesce(note.narrative, ''), ' ', coalesce(list_to_string(' ', note.aliases), ''))) AS words
WHERE ($type = '' OR type = $type) AND ($tag = '' OR list_contains(note.tags, $tag)) AND ($text = '' OR words CONTAINS lower($text))
RETURN note.id AS id, note.key AS key
ORDER BY key
SKIP $offset
LIMIT $limit
