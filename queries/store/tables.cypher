// The tables of the database.
// column name: STRING
CALL show_tables() RETURN name
