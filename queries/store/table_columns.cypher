// The columns of a table with their types, in order.
// identifier TABLE: Semantic
// column name: STRING
// column type: STRING
CALL table_info('TABLE') RETURN name, type
