"""Numbers of things in English words."""

from __future__ import annotations


def counted(number: int, what: str, several: str = "") -> str:
    """``1 note``, ``2 notes``; ``several``: of a word that takes more than an *s* (*entries*)."""
    return f"{number} {what}" if number == 1 else f"{number} {several or f'{what}s'}"
