"""Which links grow, are made and are cut by what was recalled (pure; the arrays are in :mod:`soulmem.graph.plasticity`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import numpy as np

from soulmem.consolidate.entries import link
from soulmem.consolidate.plan import Entry, Parts, Sign
from soulmem.graph.plasticity import co_fired, fired, is_wired
from soulmem.model.changes import LinkUpdate, NoteUpdate
from soulmem.model.links import Link, LinkType, Payload, Sem, SituationLink, is_legal
from soulmem.model.notes import NoteType, derived_id
from soulmem.model.results import Stage
from soulmem.settings import Settings
from soulmem.text.language import has_cjk

_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
#: Stages by which a note was hit directly; what association carried along, and what is always there, does not fire.
DIRECT = frozenset((Stage.SIMILARITY, Stage.BOTH))


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """A note that a recall used."""

    recall: str
    at: datetime
    note: str
    stage: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """A link of the mind. ``since``: when it fired last, or was made."""

    id: str
    source: str
    target: str
    intensity: float
    since: datetime
    fired_count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
    """What is known of the notes that links join: their types, how they are called, and their scopes."""

    types: Mapping[str, NoteType]
    texts: Mapping[str, str]
    scopes: Mapping[str, str]


def hours(moment: datetime) -> float:
    """Hours since a fixed moment, for arithmetic."""
    return (moment - _EPOCH) / timedelta(hours=1)


def direct(uses: Sequence[Use]) -> list[Use]:
    """The uses by which notes fired."""
    return [use for use in uses if use.stage in DIRECT]


def wiring_entries(
    new: Sequence[Use], history: Sequence[Use], wires: Sequence[Wire], ends: Ends, settings: Settings
) -> Iterator[Entry]:
    """What the ``new`` uses do: links between notes that fired together grow; pairs that did so often enough get a link.

    ``history``: all direct uses of the notes of ``new``, old ones too. Each use counts once, whatever the order.
    """
    together = _rounds(direct(new))
    linked: dict[frozenset[str], list[Wire]] = defaultdict(list)
    for wire in wires:
        linked[frozenset((wire.source, wire.target))].append(wire)
    for pair in sorted(together, key=sorted):
        for wire in sorted(linked.get(pair, ()), key=lambda wire: wire.id):
            yield _grown(wire, together[pair], ends, settings)
    yield from _new_wires(together.keys() - linked.keys(), direct(history), ends, settings)


def _rounds(uses: Sequence[Use]) -> dict[frozenset[str], list[datetime]]:
    """Pair → when it fired together, each recall once."""
    by_recall: dict[str, set[str]] = defaultdict(set)
    when: dict[str, datetime] = {}
    for use in uses:
        by_recall[use.recall].add(use.note)
        when[use.recall] = use.at
    found: dict[frozenset[str], list[datetime]] = defaultdict(list)
    for recall in sorted(by_recall, key=lambda recall: (when[recall], recall)):
        notes = sorted(by_recall[recall])
        for place, one in enumerate(notes):
            for other in notes[place + 1 :]:
                found[frozenset((one, other))].append(when[recall])
    return dict(found)


def _grown(wire: Wire, moments: Sequence[datetime], ends: Ends, settings: Settings) -> Entry:
    after = fired(wire.intensity, hours(wire.since), [hours(moment) for moment in moments], settings)
    values = {
        "intensity": after,
        "last_fired_at": max(wire.since, *moments),
        "fired_count": wire.fired_count + len(moments),
    }
    return Entry(
        number=0,
        sign=Sign.STRENGTHENED,
        kind="plasticity",
        text=f"{_short(ends, wire.source)} → {_short(ends, wire.target)}: {wire.intensity:.3f} → {after:.3f}",
        why=f"recalled together {len(moments)} times" if len(moments) > 1 else "recalled together",
        parts=Parts(link_updates=(LinkUpdate(link=wire.id, values=values),)),
    )


def _new_wires(pairs: Collection[frozenset[str]], history: Sequence[Use], ends: Ends, settings: Settings) -> Iterator[Entry]:
    notes = sorted({note for pair in pairs for note in pair})
    places = {note: place for place, note in enumerate(notes)}
    uses = [use for use in history if use.note in places]
    recalls = sorted({(use.at, use.recall) for use in uses})
    numbers = {recall: number for number, (_, recall) in enumerate(recalls)}
    found = co_fired(
        np.array([numbers[use.recall] for use in uses], dtype=np.int64),
        np.array([places[use.note] for use in uses], dtype=np.int64),
        np.array([hours(moment) for moment, _ in recalls]),
    )
    alone = np.bincount([places[use.note] for use in uses], minlength=len(notes)) if uses else np.zeros(len(notes))
    wired = is_wired(found.rounds, found.first, found.last, settings) if len(found) else np.zeros(0, bool)
    for number in np.flatnonzero(wired):
        one, other = notes[found.one[number]], notes[found.other[number]]
        if frozenset((one, other)) in pairs:
            share = float(found.rounds[number]) / max(float(max(alone[found.one[number]], alone[found.other[number]])), 1.0)
            last = _EPOCH + timedelta(hours=float(found.last[number]))
            yield from _wired(one, other, int(found.rounds[number]), min(share, 1.0), ends, last)


def _wired(one: str, other: str, rounds: int, share: float, ends: Ends, last: datetime) -> Iterator[Entry]:
    both = ((one, other), (other, one))
    links = [made for source, target in both if (made := _wire(source, target, share, rounds, ends, last)) is not None]
    if links:
        yield Entry(
            number=0,
            sign=Sign.NEW,
            kind="coactivation",
            text=f"{_short(ends, one)} ↔ {_short(ends, other)}",
            why=f"recalled together in {rounds} recalls",
            parts=Parts(links=tuple(links)),
        )


def coactivation_id(source: str, target: str) -> str:
    """The id of the link that firing together makes. Only such links are cut when they have faded: what was said by whom
    stays so, however long nobody thinks of it."""
    return derived_id("coactivation", source, target)


def _wire(source: str, target: str, share: float, rounds: int, ends: Ends, last: datetime) -> Link | None:
    types = ends.types[source], ends.types[target]
    payload: Payload
    if types[0].is_situation and types[1].is_situation:
        payload = SituationLink()
    else:
        payload = Sem("常一起想起" if has_cjk(ends.texts[source]) else "comes to mind with", round(share, 6))
        if not is_legal(LinkType.SEM, *types):
            return None
    made = link(source, target, payload, last)
    return replace(made, id=coactivation_id(source, target), last_fired_at=last, fired_count=rounds)


def _short(ends: Ends, note: str) -> str:
    text = " ".join(ends.texts.get(note, note).split())
    return text if len(text) <= 40 else text[:39] + "…"


# -- fading away --------------------------------------------------------------------------------------------------------------


def cut_entries(wires: Sequence[Wire], lonely: Sequence[str], ends: Ends) -> Iterator[Entry]:
    """Links that have faded below the cut, and the notes that are thereby left without links and are forgotten (``lonely``)."""
    for wire in wires:
        yield Entry(
            number=0,
            sign=Sign.CUT,
            kind="cut",
            text=f"{_short(ends, wire.source)} → {_short(ends, wire.target)}",
            why=f"not fired since {wire.since:%Y-%m-%d}",
            parts=Parts(links_removed=(wire.id,)),
        )
    for note in lonely:
        yield Entry(
            number=0,
            sign=Sign.CUT,
            kind="archive",
            text=_short(ends, note),
            why="no links are left, and nearly all of it is forgotten",
            parts=Parts(updates=(NoteUpdate(note=note, values={"active": False}),)),
        )
