"""A mind as it is seen from a context: a store that answers as if what may not be heard there were not in it.

Filtering is here, below all that recall does, so that no channel can forget it. A query that this module does not know is
refused.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from soulmem.errors import QueryError
from soulmem.model.changes import PendingLink
from soulmem.model.links import Link
from soulmem.model.messages import Chat, Message, Role
from soulmem.model.notes import Note, NoteType, derived_id
from soulmem.scopes.contexts import (
    Context,
    Heard,
    Said,
    Sittings,
    context_of,
    drawn_from,
    kept_names,
    listening,
    normal_scope,
    note_heard,
    people,
)
from soulmem.store.contract import Store
from soulmem.text.names import normal_name

if TYPE_CHECKING:
    from soulmem.working.summary import SummaryLine

Row = dict[str, Any]
Columns = dict[str, "list[Any] | NDArray[np.generic]"]

#: What stands for *all there are* where a query has a limit that must count after filtering.
_ALL = 2**31
#: The file of talks that are observed begins so: their lines are numbered, those of files stand where they stand.
_LIVE = "live:"


@dataclass(frozen=True, slots=True)
class Line:
    """A line that may not be heard: where it stands, and how many words it has; hidden ones count nothing."""

    id: str
    chat: str
    index: int
    speaker: str
    role: str
    hidden: bool
    length: int


@dataclass(frozen=True)
class Unheard:
    """What of a mind may not be heard in a ``context``, after journal entry ``number``: ``notes`` and ``lines`` by id.
    ``doubted``: chats of whose summaries a model may have written what was kept only later."""

    context: Context
    number: int
    notes: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()
    lines: Mapping[str, Line] = field(default_factory=dict)
    speakers: Mapping[tuple[str, str], int] = field(default_factory=dict)
    doubted: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.notes or self.lines)

    @cached_property
    def _indexes(self) -> Mapping[str, list[int]]:
        found: defaultdict[str, list[int]] = defaultdict(list)
        for line in self.lines.values():
            found[line.chat].append(line.index)
        return {chat: sorted(indexes) for chat, indexes in found.items()}

    def index(self, chat: str, index: int) -> int:
        """The number a line would have if what may not be heard had not been said."""
        return index - bisect_left(self._indexes.get(chat, ()), index)

    def numbered(self, message: Message) -> Message:
        """The message with the number it would have; lines of files stand where they stand."""
        index = self.index(message.chat, message.index)
        line = index + 1 if message.file.startswith(_LIVE) else message.line
        file = self.file(message.chat, message.file)
        if (index, line, file) == (message.index, message.line, message.file):
            return message
        return replace(message, index=index, line=line, file=file)

    def file(self, chat: str, file: str) -> str:
        """Where a chat was read, without the title of the conversation where some of it may not be heard: programs make titles of
        what was said."""
        return file if file.startswith(_LIVE) or chat not in self._indexes else file.partition("#")[0]

    def hears_summary(self, chat: str, line: SummaryLine) -> bool:
        """Whether a line of the summary of ``chat`` may be heard: as the line it was taken from, else as those it was made of."""
        if line.index is not None:
            return line.index not in self._indexes.get(chat, ())
        if chat in self.doubted:
            return False
        return line.scope is not None and self.context.hears(Heard(normal_scope(line.scope), kept_names(line.kept_from)))

    def rows(self, rows: Iterable[Row], notes: Sequence[str] = (), lines: Sequence[str] = ()) -> list[Row]:
        """Those in whose columns stand only notes and lines that may be heard."""
        return [
            row
            for row in rows
            if not any(row[name] in self.notes for name in notes) and not any(row[name] in self.lines for name in lines)
        ]


#: From whom notes and lines are kept, by id.
Kept = Mapping[str, Sequence[str]]


def unheard(store: Store, scope: str, kept: Kept = MappingProxyType({})) -> Unheard:
    """What of the mind may not be heard in ``scope``. ``kept``: from whom something of it is kept beside what the mind says: of
    one as it was, from whom it is kept now."""
    number = store.query("store.last_operation")[0]["number"] or 0
    notes, lines = store.query("recall.restricted_notes"), store.query("recall.restricted_lines")
    if kept:
        lines = _kept_lines(store, lines, kept)
        notes = _kept_notes(store, notes, {**kept, **{row["id"]: row["kept_from"] or () for row in lines}})
    if not notes and not lines:
        return Unheard(context_of(scope), number)
    rows = store.query("recall.sittings")
    sittings = Sittings(map(_said, rows))
    context = _context(store, scope, sittings, rows)
    heard = {row["id"]: sittings.heard(_said(row)) for row in lines}
    closed = _closed(store, context, notes, heard)
    spoken = Counter({(row["speaker"], row["role"]): 0 for row in rows})
    for row in rows:
        spoken[row["speaker"], row["role"]] += row["lines"]
    return Unheard(
        context,
        number,
        frozenset(row["id"] for row in closed),
        frozenset(row["key"] for row in closed),
        {row["id"]: _line(row) for row in lines if not context.hears(heard[row["id"]])},
        spoken,
        frozenset(row["chat"] for row in lines if row["id"] in kept and not context.hears(heard[row["id"]])),
    )


def _kept_lines(store: Store, lines: Sequence[Row], kept: Kept) -> list[Row]:
    """The lines that not everybody may hear of, with those that are ``kept`` too."""
    known = {row["id"]: row for row in lines} | {row["id"]: row for row in store.query("store.all_messages") if row["id"] in kept}
    return [_kept_too(row, kept.get(one, ())) for one, row in known.items()]


def _kept_notes(store: Store, notes: Sequence[Row], kept: Kept) -> list[Row]:
    """The notes that not everybody may hear of, with those that are ``kept`` too, or were drawn from lines that are."""
    sources: defaultdict[str, list[Sequence[str]]] = defaultdict(list)
    names: set[str] = set()
    for row in store.query("working.drawn_notes", ids=sorted(kept)):
        sources[row["note"]].append(kept.get(row["message"], ()))
        if row["type"] == NoteType.SEMANTIC and row["category"] is None:
            names.add(row["note"])
    drawn = {note: drawn_from(of, is_name=note in names) for note, of in sources.items()}
    known = {row["id"]: row for row in notes}
    for note in store.notes([one for one in sorted({*kept, *drawn}) if one not in known]):
        known[note.id] = {"id": note.id, "key": note.key, "scope": note.scope, "kept_from": list(note.kept_from)}
    return [_kept_too(row, (*kept.get(one, ()), *drawn.get(one, ()))) for one, row in known.items()]


def _kept_too(row: Row, names: Sequence[str]) -> Row:
    return {**row, "kept_from": list(dict.fromkeys((*(row["kept_from"] or ()), *names)))}


def _closed(store: Store, context: Context, notes: Sequence[Row], heard: Mapping[str, Heard]) -> list[Row]:
    """The notes that may not be heard of. Looked at one by one only where it depends on who heard their lines."""
    drawn = [row["id"] for row in notes if context.asks_who_heard(normal_scope(row["scope"]), row["kept_from"] or ())]
    sources: dict[str, list[Heard]] = {note: [] for note in drawn}
    for row in store.query("recall.restricted_sources", ids=drawn) if drawn else ():
        if row["message"] in heard:
            sources[row["note"]].append(heard[row["message"]])
    known: dict[tuple[str, tuple[str, ...]], bool] = {}
    closed: list[Row] = []
    for row in notes:
        stated = row["scope"], tuple(row["kept_from"] or ())
        if row["id"] in sources:
            is_open = context.hears(note_heard(*stated, sources[row["id"]]))
        else:
            is_open = known[stated] if stated in known else context.hears(note_heard(*stated, ()))
            known[stated] = is_open
        if not is_open:
            closed.append(row)
    return closed


def _context(store: Store, scope: str, sittings: Sittings, rows: Sequence[Row]) -> Context:
    members = sittings.members(scope)
    known = [row["name"] for row in store.query("recall.known_names", names=sorted(listening(scope, members)))]
    names: defaultdict[str, list[str]] = defaultdict(list)
    for row in store.query("recall.people_names", names=known) if known else ():
        names[row["id"]].append(row["name"])
    speakers = {normal_name(row["speaker"]) for row in rows}
    sure, may = people(names, speakers)
    return context_of(scope, members, sure, may, speakers)


def _said(row: Mapping[str, Any]) -> Said:
    return Said(
        chat=row["chat"],
        session=row["session"],
        scope=row["scope"],
        speaker=row["speaker"],
        is_character=row["role"] == Role.CHARACTER,
        present=tuple(row["present"] or ()),
        kept_from=tuple(row.get("kept_from") or ()),
        hidden=bool(row.get("hidden", False)),
    )


def _line(row: Mapping[str, Any]) -> Line:
    return Line(*(row[name] for name in ("id", "chat", "index", "speaker", "role", "hidden", "length")))


class SeenStore:
    """A :class:`~soulmem.store.contract.Store` for reading, as it is seen where what is ``unheard`` may not be heard."""

    def __init__(self, store: Store, unheard: Unheard) -> None:
        self._store = store
        self.unheard = unheard

    def __getattr__(self, name: str) -> Any:
        """What tells nothing of what was said is as in the store itself."""
        if name in _OPEN:
            return getattr(self._store, name)
        raise AttributeError(f"{name} is not to be had in a context")

    def query(self, name: str, /, **parameters: Any) -> list[Row]:
        """As :meth:`soulmem.store.contract.Store.query`."""
        if name in _SPECIAL:
            return _SPECIAL[name](self, parameters)
        if name in _TOLD:
            return [] if parameters["id"] in self.unheard.notes else self._store.query(name, **parameters)
        notes, lines = _columns_of(name)
        return self.unheard.rows(self._store.query(name, **parameters), notes, lines)

    def columns(self, name: str, /, **parameters: Any) -> Columns:
        """As :meth:`soulmem.store.contract.Store.columns`."""
        if name in _SPECIAL_COLUMNS:
            return _SPECIAL_COLUMNS[name](self)
        notes, lines = _columns_of(name)
        found = self._store.columns(name, **parameters)
        closed = [(found[column], self.unheard.notes) for column in notes] + [
            (found[column], self.unheard.lines) for column in lines
        ]
        shown = np.ones(len(next(iter(found.values()))), dtype=np.bool_)
        for values, unheard in closed:
            shown &= np.array([one not in unheard for one in values], dtype=np.bool_)
        return found if shown.all() else {column: _kept(values, shown) for column, values in found.items()}

    def notes(self, ids: Sequence[str]) -> list[Note]:
        """As :meth:`soulmem.store.contract.Store.notes`; of their sources those that may be heard."""
        found = self._store.notes([note for note in ids if note not in self.unheard.notes])
        return [replace(note, sources=tuple(one for one in note.sources if one not in self.unheard.lines)) for note in found]

    def messages(self, ids: Sequence[str]) -> list[Message]:
        """As :meth:`soulmem.store.contract.Store.messages`; their numbers leave none out."""
        wanted = [one for one in ids if one not in self.unheard.lines]
        return [self.unheard.numbered(one) for one in self._store.messages(wanted)]

    def links(self) -> list[Link]:
        """As :meth:`soulmem.store.contract.Store.links`."""
        return [link for link in self._store.links() if not {link.source, link.target} & self.unheard.notes]

    def pending(self) -> list[PendingLink]:
        """As :meth:`soulmem.store.contract.Store.pending`; only those of which one end is there and may be heard."""
        found = [one for one in self._store.pending() if not {one.source_key, one.target_key} & self.unheard.keys]
        ends = [key for one in found for key in (one.source_key, one.target_key)]
        keys = {row["key"] for row in self.query("store.note_ids", names=ends)} if found else set()
        return [one for one in found if {one.source_key, one.target_key} & keys]

    # -- queries that count, or cut ---------------------------------------------------------------------------------------------

    def limited(
        self, name: str, parameters: Mapping[str, Any], notes: Sequence[str] = (), lines: Sequence[str] = ()
    ) -> list[Row]:
        """A query with a limit, which counts only what may be heard."""
        found = self._store.query(name, **{**parameters, "limit": _ALL})
        return self.unheard.rows(found, notes, lines)[: parameters["limit"]]

    def placed(self, rows: Iterable[Row]) -> list[Row]:
        """Rows of lines with the numbers these would have."""
        return [{**row, "index": self.unheard.index(row["chat"], row["index"])} for row in rows]

    def line_frequencies(self, terms: Sequence[str]) -> Counter[str]:
        """In how many lines each term occurs."""
        return Counter(row["term"] for row in self.query("recall.term_lines", terms=list(terms)))


def given_away(store: Store, held: Unheard) -> SeenStore:
    """The mind as it is handed to those who listen in a context: also without what was said in live talks and taken back."""
    rows = store.query("store.all_messages")
    back = {row["id"]: _line(row) for row in rows if row["hidden"] and row["file"].startswith(_LIVE)}
    return SeenStore(store, replace(held, lines={**held.lines, **back}))


def seen_in(store: Store, scope: str) -> Store:
    """The mind as it is seen in ``scope``; where nothing is held back there, the store itself."""
    held = unheard(store, scope)
    return SeenStore(store, held) if held else store


#: Of the store itself; nothing that is written or said is among it.
_OPEN = frozenset({"path", "read_only", "embedder"})


def _kept(values: list[Any] | NDArray[np.generic], shown: NDArray[np.bool_]) -> list[Any] | NDArray[np.generic]:
    if isinstance(values, np.ndarray):
        return np.asarray(values[shown])
    return [value for value, is_shown in zip(values, shown.tolist(), strict=True) if is_shown]


# Columns that hold notes, and columns that hold lines, of every query that may be asked.
_SHORT = ("semantic", "specific", "abstract", "procedure")
_NOTES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(
        (
            "consolidate.facts_of",
            "ingest.chat_situations",
            "ingest.entity_names",
            "ingest.ids",
            "look.all_notes",
            "recall.all_envelopes",
            "recall.all_names",
            "recall.concepts",
            "recall.envelopes",
            "recall.names",
            "recall.note_offsets",
            "recall.secrets",
            "store.note_ids",
        ),
        ("id",),
    ),
    **{f"recall.{kind}_{short}": ("id",) for kind in ("all_told", "cosines", "cosines_to", "vectors_of") for short in _SHORT},
    **{f"recall.{name}": ("source", "target") for name in ("links_proc", "links_sem", "links_situation", "neighbours")},
    "recall.neighbours_beyond": ("source", "target"),
    "recall.link_sources": ("source",),
    "recall.occurrences": ("note",),
    "store.all_supersedes": ("new", "old"),
    "working.records": ("note",),
}
_LINES: Mapping[str, tuple[str, ...]] = {
    "recall.message_cosines_of": ("id",),
    "recall.term_lines": ("line",),
    "store.all_messages": ("id",),
}
#: Numbers of the engine, which lead nowhere without the notes; the journal's own numbers; and which keys and ids are taken.
_BARE = frozenset(
    {
        *(f"recall.all_occurrences_{short}" for short in _SHORT),
        "ingest.link_ids",
        "recall.written",
        "store.keys",
        "store.last_operation",
        "store.operation",
    }
)
#: What is told of one note, by its id.
_TOLD = frozenset(f"recall.told_{short}" for short in _SHORT)
_VECTORS = frozenset(
    f"recall.vectors_{name}"
    for name in ("semantic_content", "semantic_aliases", "semantic_description", "specific_narrative", "abstract_self")
) | {"recall.vectors_procedure_content"}
_BOTH: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "consolidate.situations_of": (("situation",), ("message",)),
}


def _columns_of(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if name in _BOTH:
        return _BOTH[name]
    if name in _NOTES:
        return _NOTES[name], ()
    if name in _VECTORS:
        return ("id",), ()
    if name in _LINES:
        return (), _LINES[name]
    if name in _BARE:
        return (), ()
    raise QueryError(f"{name} cannot be asked in a context", advice="Ask without one.")


def _during(seen: SeenStore, parameters: Mapping[str, Any]) -> list[Row]:
    return seen.limited("recall.during", parameters, notes=("id",))


def _last_situations(seen: SeenStore, parameters: Mapping[str, Any]) -> list[Row]:
    return seen.limited("consolidate.last_situations", parameters, notes=("id",))


def _lines_before(seen: SeenStore, parameters: Mapping[str, Any]) -> list[Row]:
    return seen.limited("consolidate.lines_before", parameters, lines=("id",))


def _message_cosines(seen: SeenStore, parameters: Mapping[str, Any]) -> list[Row]:
    return seen.placed(seen.limited("recall.message_cosines", parameters, lines=("id",)))


def _known_names(seen: SeenStore, parameters: Mapping[str, Any]) -> list[Row]:
    names = dict.fromkeys(row["name"] for row in seen.query("recall.names", names=parameters["names"]))
    return [{"name": name} for name in names]


def _frequencies(seen: SeenStore, parameters: Mapping[str, Any]) -> list[Row]:
    terms = list(parameters["terms"])
    notes = Counter(row["term"] for row in seen.query("recall.occurrences", terms=terms))
    lines = seen.line_frequencies(terms)
    found = sorted(notes.keys() | lines.keys())
    return [{"text": term, "note_df": notes[term], "message_df": lines[term]} for term in found]


def _message_corpus(seen: SeenStore, parameters: Mapping[str, Any]) -> list[Row]:
    whole = seen._store.query("store.message_corpus", **parameters)[0]
    said = [line for line in seen.unheard.lines.values() if not line.hidden]
    count = whole["count"] - len(said)
    words = whole["count"] * (whole["mean_length"] or 0.0) - sum(line.length for line in said)
    return [{"count": count, "mean_length": words / count if count else None}]


def _speakers(seen: SeenStore, _: Mapping[str, Any]) -> list[Row]:
    unheard = Counter((line.speaker, line.role) for line in seen.unheard.lines.values() if not line.hidden)
    left = sorted(one for one, number in seen.unheard.speakers.items() if number > unheard[one])
    return [{"speaker": speaker, "role": role} for speaker, role in left]


def _message_words(seen: SeenStore, parameters: Mapping[str, Any]) -> list[Row]:
    """BM25 as the query computes it, where only what may be heard counts."""
    terms = list(parameters["terms"])
    rows = seen.unheard.rows(seen._store.query("recall.message_occurrences", terms=terms), lines=("id",))
    frequencies = Counter(row["term"] for row in rows)
    number, k1, b = parameters["number"], parameters["k1"], parameters["b"]
    found: dict[str, Row] = {}
    for row in rows:
        frequency = frequencies[row["term"]]
        weight = math.log(1.0 + (number - frequency + 0.5) / (frequency + 0.5))
        length = row["length"] / parameters["mean_length"]
        presence = row["tf"] * (k1 + 1.0) / (row["tf"] + k1 * (1.0 - b + b * length))
        one = found.setdefault(row["id"], {**row, "score": 0.0, "matched": 0.0})
        one["score"] += weight * presence
        one["matched"] += weight
    best = sorted(found.values(), key=lambda row: (-row["score"], row["id"]))[: parameters["limit"]]
    return seen.placed({name: value for name, value in row.items() if name not in ("term", "tf", "length")} for row in best)


def _line_terms(seen: SeenStore, parameters: Mapping[str, Any]) -> list[Row]:
    ids = [one for one in parameters["ids"] if one not in seen.unheard.lines]
    rows = seen._store.query("recall.line_terms", ids=ids, most=_ALL)
    frequencies = seen.line_frequencies(sorted({row["term"] for row in rows})) if rows else Counter[str]()
    found = [{**row, "df": frequencies[row["term"]]} for row in rows]
    return [row for row in found if 2 <= row["df"] <= parameters["most"]]


def _superseded(seen: SeenStore, parameters: Mapping[str, Any]) -> list[Row]:
    found = seen._store.query("look.superseded", **parameters)
    return [row for row in found if row["key"] not in seen.unheard.keys]


def _chats(seen: SeenStore, parameters: Mapping[str, Any]) -> list[Row]:
    """The chats in which something was said that may be heard, with the number of such lines; without what tells of the file,
    and live ones as if they had begun with the first of these."""
    said: defaultdict[str, list[datetime | None]] = defaultdict(list)
    for row in seen.query("store.all_messages"):
        said[row["chat"]].append(row["sent_at"])
    found = (Chat(**row) for row in seen._store.query("store.chats", **parameters))
    of = [
        _told_chat(replace(chat, file=seen.unheard.file(chat.id, chat.file)), said[chat.id]) for chat in found if chat.id in said
    ]
    return [{name: getattr(chat, name) for name in chat.__dataclass_fields__} for chat in of]


def _told_chat(chat: Chat, said: Sequence[datetime | None]) -> Chat:
    at = min((one for one in said if one is not None), default=chat.ingested_at)
    return replace(chat, messages=len(said), sha256="", ingested_at=at if chat.file.startswith(_LIVE) else chat.ingested_at)


def _sources(seen: SeenStore, parameters: Mapping[str, Any]) -> list[Row]:
    found = seen.unheard.rows(seen._store.query("recall.sources", **parameters), ("note",), ("message",))
    titled = seen._store.messages([row["message"] for row in found if "#" in row["file"]])
    files = {message.id: seen.unheard.file(message.chat, message.file) for message in titled}
    found = [{**row, "file": files.get(row["message"], row["file"])} for row in found]
    return [row if not row["file"].startswith(_LIVE) else {**row, "line": _live_line(seen, row)} for row in found]


def _live_line(seen: SeenStore, row: Row) -> int:
    return seen.unheard.index(derived_id("chat", row["file"]), row["line"] - 1) + 1


def _nothing(_: SeenStore, __: Mapping[str, Any]) -> list[Row]:
    return []


_SPECIAL: Mapping[str, Callable[[SeenStore, Mapping[str, Any]], list[Row]]] = {
    "consolidate.last_situations": _last_situations,
    "consolidate.lines_before": _lines_before,
    "look.superseded": _superseded,
    "recall.during": _during,
    "recall.known_names": _known_names,
    "recall.line_terms": _line_terms,
    "recall.message_cosines": _message_cosines,
    "recall.message_words": _message_words,
    "recall.sources": _sources,
    "recall.speakers": _speakers,
    "recall.term_frequencies": _frequencies,
    "store.chats": _chats,
    "store.last_indexing": _nothing,
    "store.message_corpus": _message_corpus,
}


def _terms(seen: SeenStore) -> tuple[Columns, NDArray[np.int64]]:
    """All terms with their places in the engine's table, and in how many of the notes that may be heard of each occurs."""
    terms, notes = seen._store.columns("recall.term_offsets"), seen.columns("recall.note_offsets")
    frequencies = np.zeros(int(np.max(terms["offset"], initial=-1)) + 1, dtype=np.int64)
    for kind, short in zip(NoteType, _SHORT, strict=True):
        found: Mapping[str, Any] = seen._store.columns(f"recall.all_occurrences_{short}")
        mine = np.array([one == kind.value for one in notes["type"]], dtype=np.bool_)
        there = np.isin(found["note"], np.asarray(notes["offset"])[mine])
        np.add.at(frequencies, np.asarray(found["term"])[there].astype(np.int64), 1)
    return terms, frequencies[np.asarray(terms["offset"], dtype=np.int64)]


def _all_terms(seen: SeenStore) -> Columns:
    terms, counts = _terms(seen)
    return {"text": _kept(terms["text"], counts > 0), "note_df": _kept(counts, counts > 0)}


def _term_offsets(seen: SeenStore) -> Columns:
    terms, counts = _terms(seen)
    return {name: _kept(values, counts > 0) for name, values in terms.items()}


def _all_sources(seen: SeenStore) -> Columns:
    ids = list(seen.columns("recall.all_envelopes")["id"])
    rows = seen.query("recall.sources", ids=ids) if ids else []
    return {name: [row[name] for row in rows] for name in ("note", "file", "line", "speaker", "sent_at")}


_SPECIAL_COLUMNS: Mapping[str, Callable[[SeenStore], Columns]] = {
    "recall.all_terms": _all_terms,
    "recall.all_sources": _all_sources,
    "recall.term_offsets": _term_offsets,
}
