"""What of a recollection a reply made use of, told by the words they share (pure): only that is remembered better for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from soulmem.model.results import Memory, Stage
from soulmem.text.tokens import is_stop, search_terms

#: A reply uses a memory when they share so many words, or this part of the words that set the memory apart.
SHARED = 2
SHARE = 0.5
#: A word that more than this part of the memories have sets none of them apart.
COMMON = 0.5


def used_memories(memories: Sequence[Memory], reply: str) -> tuple[Memory, ...]:
    """Those of ``memories`` that ``reply`` draws on, in their order. What is always in mind (core) is never counted."""
    found = [memory for memory in memories if memory.stage is not Stage.CORE]
    words = [_words(memory.text) for memory in found]
    number = Counter(word for own in words for word in own)
    common = {word for word, count in number.items() if count > max(COMMON * len(found), 1)}
    said = _words(reply)
    return tuple(memory for memory, own in zip(found, words, strict=True) if _draws_on(said, own - common))


def _draws_on(said: frozenset[str], own: frozenset[str]) -> bool:
    shared = len(said & own)
    return shared >= SHARED or (shared > 0 and shared >= SHARE * len(own))


def _words(text: str) -> frozenset[str]:
    """Words of two characters or more: single ones are in every text."""
    return frozenset(term for term in search_terms(text) if len(term) > 1 and not is_stop(term))
