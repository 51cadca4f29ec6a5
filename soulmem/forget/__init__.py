"""Forgetting: what goes, as a plan; the store writes it."""
