// Which tables a link table joins.
// choice LINKS: Sem, Proc, Situation, SUPERSEDES, SOURCE, OCCURS, NAMES, RECALLED
// column source: STRING
// column target: STRING
// column source_key: STRING
CALL show_connection('LINKS')
RETURN `source table name` AS source, `destination table name` AS target, `source table primary key` AS source_key
