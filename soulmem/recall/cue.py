"""What a question is understood to ask for, without any model: names the mind knows, times, words, and its vector (SPEC §3)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate

import numpy as np

from soulmem.embed.contract import Embedder
from soulmem.model.changes import Vector
from soulmem.text.kinds import as_stated, kinds_of
from soulmem.text.lists import asks_for_several
from soulmem.text.names import name_candidates, resolve_overlaps
from soulmem.text.times import TimeMention, find_times
from soulmem.text.tokens import is_stop, search_terms, term_counts

#: A long text is cut to its beginning and its end: so many characters of each. More says nothing new and costs time.
_ENDS = 2000
#: So many of its rarest words are looked for.
MOST_TERMS = 60
#: Common words cost the most and tell the least: so many occurrences are looked at, those of the rarest words first.
MOST_OCCURRENCES = 6000


#: What a thing counts of the word for its kind, where a list question names the kind.
THING = 0.5

#: Of some names the ids of the notes that have each, none where the mind does not know it.
Names = Callable[[Sequence[str]], Mapping[str, Sequence[str]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """A free text, understood. ``names``: Semantic note id → the name found; ``vector``: ``None`` for a text without content.
    ``kinds``: where it asks for several, the terms among ``terms`` that name a kind, each with the terms of things of it."""

    text: str
    vector: Vector | None
    names: Mapping[str, str]
    terms: tuple[str, ...]
    times: tuple[TimeMention, ...]
    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def understand(text: str, names: Names, embedder: Embedder, at: datetime) -> Cue:
    """Understand ``text`` against the ``names`` of the mind; times are relative to ``at``."""
    short = shortened(text)
    if not any(character.isalnum() or ord(character) > 0x2000 for character in short):
        return Cue(text=text, vector=None, names={}, terms=(), times=())
    # Of signs alone a model knows nothing; as words they are still found.
    vector = embedder.queries([short])[0] if any(map(str.isalnum, short)) else np.zeros(embedder.dimension, dtype=np.float32)
    return Cue(
        text=text,
        vector=vector if vector.any() else None,
        names=known_names(short, names),
        terms=tuple(term for term in term_counts(as_stated(short)) if not is_stop(term)),
        times=find_times(short, at),
        kinds=_kinds(short) if asks_for_several(short) else {},
    )


def _kinds(text: str) -> dict[str, tuple[str, ...]]:
    """Of each a whole word: of a word's parts the first is the word."""
    return {
        search_terms(kind.word)[0]: tuple(dict.fromkeys(search_terms(thing)[0] for thing in kind.things))
        for kind in kinds_of(text)
    }


def shortened(text: str) -> str:
    """What of a text is looked at: its beginning and its end, if it is long."""
    short = text if len(text) <= 2 * _ENDS else f"{text[:_ENDS]}\n{text[-_ENDS:]}"
    return short.replace("\x00", " ").strip()


def known_names(text: str, names: Names) -> dict[str, str]:
    """Semantic notes whose names stand in ``text``: note id → name. A name inside a longer known one does not count."""
    owners = {name: notes for name, notes in names(name_candidates(text)).items() if notes}
    standing = {span.name for span in resolve_overlaps(text, owners)}
    return {note: name for name in sorted(standing) for note in owners[name]}


@dataclass(frozen=True, slots=True)
class Corpus:
    """What BM25 needs to know of all texts: how many, and their mean length in terms."""

    number: int
    mean_length: float


@dataclass(frozen=True, slots=True)
class SoughtTerms:
    """The ``terms`` to look for; ``total``: their summed inverse document frequency (Robertson–Spärck Jones), that of terms which
    occur nowhere included."""

    terms: tuple[str, ...]
    total: float


def sought_terms(wanted: Sequence[str], frequencies: Mapping[str, int], corpus: Corpus) -> SoughtTerms:
    """The rarest of the ``wanted`` terms: at most ``MOST_TERMS``, and no more than occur ``MOST_OCCURRENCES`` times together.

    ``frequencies``: in how many texts a term occurs; absent: in none.
    """
    known = {term: min(frequencies.get(term, 0), corpus.number) for term in wanted}
    rarest = sorted(known, key=lambda term: (known[term], term))[:MOST_TERMS]
    reached = accumulate(known[term] for term in rarest)
    kept = [term for term, sum_ in zip(rarest, reached, strict=True) if sum_ <= max(MOST_OCCURRENCES, known[term])]
    total = sum(idf(known[term], corpus.number) for term in kept)
    return SoughtTerms(tuple(term for term in kept if known[term]), total)


def idf(frequency: int, number: int) -> float:
    """What a term weighs that occurs in ``frequency`` of ``number`` texts: its inverse document frequency (Robertson–Spärck
    Jones)."""
    return math.log(1.0 + (number - frequency + 0.5) / (frequency + 0.5))
