"""From what was said to what is remembered: planning, without a store and without a model."""
