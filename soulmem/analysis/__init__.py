"""A mind as tidy tables, and what is computed of them: for notebooks and questions of one's own. Polars in, Polars out."""
