"""Working memory: what was said last, what it comes to, and what was used lately (SPEC §5)."""
