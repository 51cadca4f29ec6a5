"""Language models: optional everywhere, reached by one contract, and never believed without a look."""
