"""Synthetic minds of any size, seeded: notes with words of a Zipf vocabulary in both languages, five links a note, unit vectors.

The vectors are drawn, not computed by a model: the same text always gets the same one, and texts of one topic lie close together.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from soulmem.model.changes import Change
from soulmem.model.links import Link, Payload, Sem, SituationLink, TrigToAction, is_legal
from soulmem.model.links import type_of as link_type
from soulmem.model.notes import (
    AbstractSituation,
    ActionType,
    Context,
    Environment,
    Event,
    Location,
    Note,
    NoteType,
    Participant,
    Procedure,
    Semantic,
    SpecificSituation,
    derived_id,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TOPICS = 200
_SYLLABLES = ("ba", "ke", "li", "mo", "nu", "ra", "si", "ta", "vo", "we", "xi", "yo", "za", "den", "fir", "gul", "hap", "jor")
_HAN = "山水风云花草树木鸟鱼虫马牛羊茶酒米面衣帽鞋房门窗桌灯书笔纸画琴歌舞雨雪雷电春夏秋冬"


class DrawnEmbedder:
    """Stands in for e5 where only the speed around it is measured."""

    name = "e5"
    dimension = 384

    def __init__(self) -> None:
        self._topics = np.random.default_rng(7).normal(size=(TOPICS, self.dimension)).astype(np.float32)

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.passages(texts)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.empty((len(texts), self.dimension), dtype=np.float32)
        for place, text in enumerate(texts):
            seed = int.from_bytes(sha256(text.encode()).digest()[:8], "big")
            noise = np.random.default_rng(seed).normal(size=self.dimension).astype(np.float32)
            rows[place] = self._topics[seed % TOPICS] + 1.2 * noise
        return rows / np.linalg.norm(rows, axis=1, keepdims=True) if len(texts) else rows


class _Words:
    """Words of a Zipf vocabulary."""

    def __init__(self, random: np.random.Generator, size: int = 20_000) -> None:
        self._random = random
        latin = [
            "".join(_SYLLABLES[place] for place in random.integers(len(_SYLLABLES), size=4).tolist()) for _ in range(size // 2)
        ]
        han = ["".join(_HAN[place] for place in random.integers(len(_HAN), size=2).tolist()) for _ in range(size // 2)]
        self._words = [word for pair in zip(latin, han, strict=True) for word in pair]
        shares = 1.0 / np.arange(1, size + 1)
        self._cumulated = np.cumsum(shares / shares.sum())

    def text(self, words: int) -> str:
        places = np.searchsorted(self._cumulated, self._random.random(words))
        return " ".join(self._words[min(place, len(self._words) - 1)] for place in places.tolist())

    def name(self) -> str:
        return "".join(_SYLLABLES[place] for place in self._random.integers(len(_SYLLABLES), size=3).tolist()).capitalize()


def synthetic(size: int, seed: int = 1, links_a_note: int = 5) -> Change:
    """``size`` notes of all types and about ``links_a_note`` links for each, as one change."""
    random = np.random.default_rng(seed)
    words = _Words(random)
    notes = [_note(number, words, random) for number in range(size)]
    return Change(
        command="benchmark", what=f"{size} notes", at=NOW, notes=tuple(notes), links=_links(notes, links_a_note, random)
    )


def questions(number: int, seed: int = 2) -> list[str]:
    """Free texts of four to twelve words."""
    random = np.random.default_rng(seed)
    words = _Words(np.random.default_rng(1))
    return [words.text(int(random.integers(4, 13))) for _ in range(number)]


def _note(number: int, words: _Words, random: np.random.Generator) -> Note:
    kind = int(np.searchsorted((0.4, 0.85, 0.95), random.random()))
    born = NOW - timedelta(hours=float(random.uniform(0, 12)))
    body = (_semantic, _specific, _abstract, _procedure)[kind](number, words, random)
    key = f"{('sem', 'sit', 'abs', 'proc')[kind]}_{number:06d}"
    return Note(id=derived_id("bench", key), key=key, body=body, tags=(words.name(),), created_at=born, decayed_at=born)


def _semantic(number: int, words: _Words, random: np.random.Generator) -> Semantic:
    return Semantic(content=f"{words.name()} {number}", aliases=(f"{words.name()}{number}",), description=words.text(12))


def _specific(number: int, words: _Words, random: np.random.Generator) -> SpecificSituation:
    when = NOW - timedelta(days=float(random.uniform(0, 700)))
    people = tuple(Participant(words.name()) for _ in range(2))
    return SpecificSituation(words.text(25), when, when, Context(location=Location(words.name()), participants=people))


def _abstract(number: int, words: _Words, random: np.random.Generator) -> AbstractSituation:
    patterns = (Location(words.name()), Participant(words.name()), Environment(words.text(3)), Event(words.text(4)))
    return AbstractSituation(patterns[random.integers(4)])


def _procedure(number: int, words: _Words, random: np.random.Generator) -> Procedure:
    return Procedure(words.text(8), list(ActionType)[random.integers(3)])


def _links(notes: Sequence[Note], each: int, random: np.random.Generator) -> tuple[Link, ...]:
    """Links with a preference for early notes, as minds have hubs."""
    size = len(notes)
    targets = (size * random.power(0.6, size=(size, each * 2))).astype(int)
    links: dict[str, Link] = {}
    for source, row in zip(notes, targets, strict=True):
        made = 0
        for place in row:
            target = notes[min(place, size - 1)]
            payload = _payload(source.type, target.type)
            if payload is None or target is source or made == each:
                continue
            identity = derived_id("bench-link", source.id, target.id)
            links[identity] = Link(
                id=identity,
                source=source.id,
                target=target.id,
                payload=payload,
                created_at=NOW,
                intensity=float(random.uniform(0.3, 1.5)),
            )
            made += 1
    return tuple(links.values())


def _payload(source: NoteType, target: NoteType) -> Payload | None:
    for payload in (TrigToAction(0.5), SituationLink(), Sem("knows", 0.8)):
        if is_legal(link_type(payload), source, target):
            return payload
    return None
