"""Instruments: how well recall finds what must be found, with which weights, and what a change of them would do (SPEC §11)."""
