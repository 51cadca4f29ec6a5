"""What the finders of names and topics give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

#: How many other forms of a name are kept.
MOST_FORMS = 4


@dataclass(frozen=True, slots=True)
class Candidate:
    """A name or topic, the indices of the texts it occurs in, and its other forms in them, commonest first."""

    name: str
    texts: frozenset[int]
    forms: tuple[str, ...] = ()


def candidate_of(forms: Counter[str], texts: Iterable[int]) -> Candidate:
    """The commonest form becomes the name; of equally common ones the shorter, then the first in order."""
    ranked = sorted(forms, key=lambda form: (-forms[form], len(form), form))
    return Candidate(ranked[0], frozenset(texts), tuple(ranked[1 : 1 + MOST_FORMS]))
