// Observed lines whose vector is still to be computed, in order.
// param prefix: STRING
// column id: STRING
MATCH (m:Message)
WHERE m.file STARTS WITH $prefix AND m.text <> '' AND NOT m.hidden AND m.v_text IS NULL
RETURN m.id AS id
ORDER BY m.file, m.index, id
