// How many messages were said and their mean length in terms.
// column number: INT64
// column mean_length: DOUBLE
MATCH (message:Message)
WHERE NOT message.hidden
RETURN count(*) AS number, coalesce(avg(CAST(message.length AS DOUBLE)), 0.0) AS mean_length
