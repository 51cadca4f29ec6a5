"""Recalls of the past, asked again with other weights: would the same have come to mind?

A record keeps the question, the time and what was used of the answer. It is asked again at that time, of the mind as it is now.
Notes that came later are left out of the new ranking, though walks may pass over them, and what was recalled since is remembered
better than it was then; so the weights of now do not give everything back either, and both are reported.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from soulmem.model.results import Stage
from soulmem.settings import Settings
from soulmem.store.contract import Store
from soulmem.tune.contract import Mind, OpenMind
from soulmem.tune.metrics import means, overlap_at, rank_correlation
from soulmem.tune.remembered import RememberedStore
from soulmem.tune.run import base_settings
from soulmem.tune.weights import Point
from soulmem.tune.workers import processes, spread

DEPTHS = (5, 10)

#: What of a note's row is not its content: recalls change it.
_ENVELOPE = frozenset({"retrieval_count", "last_accessed_at", "strength", "decayed_at", "due_at", "active", "asleep"})

NO_TEXT = "no text"
OTHER_EMBEDDER = "another embedder since"
NOTES_CHANGED = "notes changed since"
NOTES_GONE = "notes gone since"
REASONS = (NO_TEXT, OTHER_EMBEDDER, NOTES_CHANGED, NOTES_GONE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A recall as it was recorded. ``ranking``: the keys used, by their score then. ``unwanted``: keys of notes that came later.
    ``reason``: why it cannot be reproduced, or empty."""

    query: str
    at: datetime
    ranking: tuple[str, ...]
    unwanted: frozenset[str] = frozenset()
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """A recall, asked again. ``then``: what was used; ``now``: the ranking with the weights of the mind; ``tried``: with the new
    ones. ``scores``: measure → value, those of ``now`` with ``_now`` behind their names."""

    query: str
    at: datetime
    then: tuple[str, ...]
    now: tuple[str, ...]
    tried: tuple[str, ...]
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """All recorded recalls. ``recorded`` = ``replayed`` + the ``apart``, which are counted by reason. ``metrics``: measure → mean
    over the ``counts`` recalls that have it."""

    weights: Point
    recorded: int
    replayed: int
    apart: Mapping[str, int]
    metrics: Mapping[str, float]
    counts: Mapping[str, int]
    recalls: tuple[Replayed, ...] = field(default_factory=tuple)


def replay(
    open_mind: OpenMind,
    weights: Point,
    *,
    limit: int = 1000,
    jobs: int | None = 1,
    progress: Callable[[str, int, int], None] | None = None,
) -> Replay:
    """Ask the last ``limit`` recorded recalls again, with the weights of the mind and with ``weights`` over them.

    ``overlap@k``: share of the first k notes used then that are among the first k now; ``rank_correlation``: Kendall's τ over
    the notes that both have (−1 to 1), for recalls with two or more. ``jobs``: processes (``None``: as many as are worth it).
    """
    with open_mind() as mind:
        recorded = read_recorded(mind.store, limit)
        settings = base_settings(mind, {})
    fit = [one for one in recorded if not one.reason]
    asking = _Asking(open_mind=open_mind, settings=(settings, settings.with_values(**weights)), recalls=tuple(fit))
    done = 0

    def told(_: int) -> None:
        nonlocal done
        done += 1
        if progress:
            progress("recalls", done, len(fit))

    recalls = spread(asking, range(len(fit)), jobs or processes(2 * len(fit)), told)
    metrics, counts = means([one.scores for one in recalls])
    apart = {reason: sum(one.reason == reason for one in recorded) for reason in REASONS}
    return Replay(
        weights=weights,
        recorded=len(recorded),
        replayed=len(fit),
        apart=apart,
        metrics=metrics,
        counts=counts,
        recalls=tuple(recalls),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asking:
    """What each process begins with."""

    open_mind: OpenMind
    settings: tuple[Settings, Settings]
    recalls: tuple[Recorded, ...]

    def __call__(self, ending: ExitStack) -> Callable[[int], Replayed]:
        return partial(self._ask, ending.enter_context(self.open_mind()).remembering())

    def _ask(self, mind: Mind, number: int) -> Replayed:
        recall = self.recalls[number]
        now, tried = (self._ranking(mind, settings, recall) for settings in self.settings)
        if isinstance(mind.store, RememberedStore):
            mind.store.forget()
        then = recall.ranking
        scores = _agreement(then, tried) | {f"{name}_now": value for name, value in _agreement(then, now).items()}
        return Replayed(query=recall.query, at=recall.at, then=then, now=now, tried=tried, scores=scores)

    def _ranking(self, mind: Mind, settings: Settings, recall: Recorded) -> tuple[str, ...]:
        mind.settings = settings
        found = mind.recall(recall.query, top=max(settings.merged_top_k, len(recall.ranking)), at=recall.at)
        keys = (memory.key for memory in found.memories if memory.stage is not Stage.CORE)
        return tuple(key for key in keys if key not in recall.unwanted)


def _agreement(then: Sequence[str], now: Sequence[str]) -> dict[str, float]:
    scores = {f"overlap@{k}": overlap_at(then, now, k) for k in DEPTHS}
    correlation = rank_correlation(then, now)
    return scores if correlation is None else scores | {"rank_correlation": correlation}


# -- what was recorded --------------------------------------------------------------------------------------------------------


def read_recorded(store: Store, limit: int) -> list[Recorded]:
    """The last ``limit`` recorded recalls, the oldest first, each with the reason why it cannot be reproduced, if any."""
    uses: dict[str, list[dict[str, Any]]] = {}
    for row in store.query("tune.recalled"):
        uses.setdefault(row["recall"], []).append(row)
    journal = _Journal(store)
    rows = store.query("tune.recalls", limit=limit)
    return [_recorded(row, uses.get(row["id"], []), journal) for row in reversed(rows)]


def _recorded(row: Mapping[str, Any], uses: Sequence[Mapping[str, Any]], journal: _Journal) -> Recorded:
    ordered = sorted(uses, key=lambda use: (-use["score"], use["stage"] == Stage.ASSOCIATION, use["key"]))
    number = journal.recalls.get(row["id"], 0)
    return Recorded(
        query=row["query"],
        at=row["at"],
        ranking=tuple(use["key"] for use in ordered),
        unwanted=journal.keys_after(number),
        reason=_reason(row["query"], [use["id"] for use in ordered], journal, number),
    )


def _reason(query: str, used: Sequence[str], journal: _Journal, number: int) -> str:
    if not query.strip():
        return NO_TEXT
    if journal.reembedded > number:
        return OTHER_EMBEDDER
    if not used or journal.recalled.get(number, len(used)) > len(used):
        return NOTES_GONE
    if journal.by_hand > number or any(journal.changed.get(note, 0) > number for note in used):
        return NOTES_CHANGED
    return ""


class _Journal:
    """What the journal says of recalls and of what became of notes since. Entries are known by their number.

    ``recalls``: recall → its entry; ``recalled``: entry → how many notes it reinforced; ``changed``: note → the last entry that
    changed its content; ``by_hand``: the last entry of writing Cypher, of which nobody knows what it changed; ``reembedded``: the
    last entry that changed the embedder (0: none).
    """

    def __init__(self, store: Store) -> None:
        self.recalls: dict[str, int] = {}
        self.recalled: dict[int, int] = {}
        self.changed: dict[str, int] = {}
        self.reembedded = self.by_hand = 0
        self._made: dict[str, int] = {}
        for row in store.query("tune.journal"):
            self._take(row["number"], row["command"], row["what"], json.loads(row["after"] or "{}"))
        self._keys = {row["id"]: row["key"] for row in store.query("store.all_keys")}
        self._later: dict[int, frozenset[str]] = {}

    def _take(self, number: int, command: str, what: str, after: Mapping[str, Any]) -> None:
        self._made |= dict.fromkeys(after.get("notes", ()), number)
        updated: Mapping[str, Mapping[str, Any]] = after.get("updated", {})
        self.changed |= {note: number for note, values in updated.items() if values.keys() - _ENVELOPE}
        for recall in after.get("recalls", ()):
            self.recalls[recall] = number
            self.recalled[number] = len(updated)
        if command == "cypher":
            self.by_hand = number
        if command == "reembed" and _is_another(what):
            self.reembedded = number

    def keys_after(self, number: int) -> frozenset[str]:
        """The keys of notes that were made after this entry."""
        if number not in self._later:
            made = (note for note, when in self._made.items() if when > number)
            self._later[number] = frozenset(self._keys[note] for note in made if note in self._keys)
        return self._later[number]


def _is_another(what: str) -> bool:
    """Whether ``embedder A → B: …`` tells of another embedder, and not of the same vectors made anew."""
    before, arrow, after = what.removeprefix("embedder ").partition(" → ")
    return not arrow or before != after.rsplit(": ", 1)[0]
