// How many messages were said (hidden ones were not), and how many words they have on average.
// column count: INT64
// column mean_length: DOUBLE?
MATCH (m:Message) WHERE NOT m.hidden RETURN count(*) AS count, avg(m.length) AS mean_length
