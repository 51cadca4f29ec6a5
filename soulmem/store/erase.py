"""A mind without some of its rows, and without their texts anywhere. Pure: rows in, the rows that stay out.

Deleted text stays in the engine's file, so nothing is deleted: what stays is copied into a new file
(:mod:`soulmem.store.rebuild`), and what goes is never written there.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from soulmem.model.notes import NoteType
from soulmem.store.journal import FORGOTTEN, compact, unpacked
from soulmem.store.lookups import Lookups
from soulmem.store.rows import SHORT, Row
from soulmem.text.excising import without_sentences
from soulmem.text.tokens import normal_form

_NOTES = frozenset(kind.value for kind in SHORT)
_DROPPED = object()
#: Columns that say from which file something is; what stands there for a name that tells what goes.
_PLACES = ("file", "place")
_UNNAMED = "forgotten"
#: Tables whose rows may stay and not tell any more what goes. The notes are counted by who revises them.
TOLD_IN = frozenset({"Meta", "Chat", "Message", "PendingLink", "Recall"})
#: The names of members in the formats of the journal and of what is recorded.
_FORMAT = frozenset(
    """
    due heard_at last_at next session cursors failed skipped embedder profile settings consolidation working
    active aliases alternate_greetings asleep at at_number card category character_book character_version chats comment
    concept_type connected content context core created_at creator creator_notes data decayed_at description due_at
    enabled entries extensions file fired_count first_mes forgotten format group_only_greetings held id index intensity
    kept_from key keys last_accessed_at last_fired_at lines link_sources link_updates links links_removed mes_example
    messages messages_read meta name named names narrative new nickname note notes old origins packed payload pending personality
    pinned place post_history_instructions query reason recalls removed retrieval_count said scenario scope score
    secondary_keys sha256 source source_key sources speaker spec spec_version stage strength summarised supersedes
    system_prompt tagged tags target target_key terms text time_end time_start type updated uses valid_from valid_until
    value vectors words
    """.split()  # noqa: SIM905
)
#: What the names of talks that are observed begin with.
_TALK = "live:"
#: What the names of recorded steps of the schema begin with.
_SCHEMA = "schema/"
#: Recorded values that tell of the mind itself, and nothing that was said.
_OF_THE_MIND = frozenset({"embedder", "profile", "settings"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """What goes for good.

    Ids of ``notes``, ``messages``, ``recalls``, waiting links (``pending``), ``links`` between notes, cached vectors
    (``embeddings``), and of what is gone already and still told of in the journal (``former``); ``keys`` of the notes.
    ``hashes``: of files, that go where they stand. ``texts``: what no text that stays may contain, ``words``: what they are made
    of; ``exact``: what no question and no line of a summary may be; ``mentions``: whether a text tells what goes; ``named``:
    whether a question, a waiting link or an entry's words name a note that goes; ``readings``: of a text with macros.
    ``revised``: note id → columns as they will be, of notes whose words, names and vectors are made anew. ``meta``: recorded
    values as they will be.
    """

    notes: frozenset[str] = frozenset()
    messages: frozenset[str] = frozenset()
    recalls: frozenset[str] = frozenset()
    pending: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()
    embeddings: frozenset[str] = frozenset()
    former: frozenset[str] = frozenset()
    hashes: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()
    texts: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    exact: frozenset[str] = frozenset()
    mentions: Callable[[str], bool] | None = None
    named: Callable[[str], bool] | None = None
    readings: Callable[[str], tuple[str, ...]] | None = None
    revised: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    meta: Mapping[str, Any] = field(default_factory=dict)

    @property
    def ids(self) -> frozenset[str]:
        """All ids that may stand nowhere any more."""
        return self.notes | self.messages | self.recalls | self.pending | self.links | self.former


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """How many ``entries`` of the journal cannot be undone any more, how many ``words`` and ``names`` went with the last that
    had them, and how many other ``values`` told of it: questions of recalls, recorded values, names of files, reasons."""

    entries: int
    words: int
    names: int
    values: int

    @property
    def is_told(self) -> bool:
        """Whether anything told of it."""
        return bool(self.entries or self.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """What follows from an :class:`Erasure`. ``words``: word → in how many of the notes and messages that go, or are made anew,
    it occurs; ``terms``: words that occur nowhere else; ``names`` that nothing else has."""

    words: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    terms: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()


def lost_by(erasure: Erasure, lookups: Lookups, counts: Sequence[Row]) -> Lost:
    """The words and names that go with ``erasure``. ``counts``: in how many notes and messages each word of the mind occurs."""
    types = lookups.note_types(erasure.notes | erasure.revised.keys())
    notes: Counter[str] = Counter()
    for kind in sorted(set(types.values())):
        notes.update(lookups.words_of(kind.value, sorted(note for note, of in types.items() if of is kind)))
    messages = lookups.words_of("Message", sorted(erasure.messages))
    words = {word: (notes[word], messages.get(word, 0)) for word in notes.keys() | messages.keys()}
    counted = {row["text"]: (row["notes"], row["messages"]) for row in counts}
    named = sorted(note for note, kind in types.items() if kind is NoteType.SEMANTIC)
    return Lost(
        words=words,
        terms=frozenset(
            word for word in words.keys() | erasure.words | counted.keys() if counted.get(word, (0, 0)) == words.get(word, (0, 0))
        ),
        names=frozenset(lookups.lost_names(named, ())) if named else frozenset(),
    )


def plain(text: str) -> str:
    """A text in its normal form, with single spaces, as forgotten texts are compared."""
    return " ".join(normal_form(text).split())


#: The id of a picture, as a recorded value has it beside where it is; where that tells what is forgotten, the picture goes too.
_PICTURE = re.compile(r'"path": "(?:[^"\\]|\\.)+", "picture": "([0-9a-f]{64})"')


class Eraser:
    """Which rows and links of a mind stay, and as what. ``entries`` counts the entries of the journal that were scrubbed."""

    def __init__(self, erasure: Erasure, lost: Lost) -> None:
        self._erasure = erasure
        self._lost = lost
        self._ids = erasure.ids
        self._dropped = erasure.ids | erasure.hashes
        self._entries = 0
        self._values = 0
        self._pictures: set[str] = set()
        self._texts = tuple(dict.fromkeys(map(plain, erasure.texts)))
        # A key that is a mere word is no key elsewhere.
        keys = sorted(key for key in erasure.keys if "_" in key)
        self._keys = re.compile("|".join(rf"(?<!\w){re.escape(key)}(?!\w)" for key in keys) or r"(?!)")

    @property
    def erased(self) -> Erased:
        """What went by now."""
        return Erased(entries=self._entries, words=len(self._lost.terms), names=len(self._lost.names), values=self._values)

    # -- rows -----------------------------------------------------------------------------------------------------------------

    def rows(self, table: str, rows: Sequence[Row]) -> list[Row]:
        """Those of these rows that stay."""
        kept = [(row, self._row(table, row)) for row in rows]
        if table in TOLD_IN:
            self._values += sum(is_kept is not None and is_kept != row for row, is_kept in kept)
        return [row for _, row in kept if row is not None]

    def keeps_note(self, note: str) -> bool:
        """Whether the note stays."""
        return note not in self._ids

    def _row(self, table: str, row: Row) -> Row | None:
        match table:
            case "Term":
                return self._term(row)
            case "Name":
                return None if row["text"] in self._lost.names else row
            case "Embedding":
                return None if row["id"] in self._erasure.embeddings else row
            case "Meta":
                return self._kept(row | {"value": self._meta(row["name"], row["value"])})
            case "Picture":
                return row if row["id"] in self._pictures else None
            case "Operation":
                return self._entry(row)
            case "Recall":
                return self._recall(row)
            case "Chat":
                return self._chat(row)
        if row.get("id") in self._ids:
            return None
        return self._note(row) if table in _NOTES else self._placed(row)

    def _kept(self, row: Row) -> Row:
        """The recorded value; pictures that none of them tells of any more go."""
        self._pictures.update(_PICTURE.findall(row["value"]))
        return row

    def _chat(self, row: Row) -> Row:
        return self._placed(row) | ({"sha256": ""} if row["sha256"] in self._erasure.hashes else {})

    def _placed(self, row: Row) -> Row:
        """The row under another name of its file, where that tells what goes. A talk keeps its name: its state is found by it."""
        mentions = self._erasure.mentions
        named = [name for name in _PLACES if mentions and mentions(row.get(name) or "") and not row[name].startswith(_TALK)]
        return row | {name: f"{_UNNAMED}{PurePath(row[name].partition(':')[0]).suffix}" for name in named}

    def _note(self, row: Row) -> Row:
        values = self._erasure.revised.get(row["id"])
        if values is None:
            return row
        vectors = {name: None for name in row if name.startswith("v_")}
        return row | vectors | dict(values) | {"length": 0}

    def _recall(self, row: Row) -> Row | None:
        if row["id"] in self._ids:
            return None
        return row | {"query": ""} if self.tells(row["query"], whole=True) or self._names(row["query"]) else row

    def _term(self, row: Row) -> Row | None:
        if row["text"] in self._lost.terms:
            return None
        notes, messages = self._lost.words.get(row["text"], (0, 0))
        return row | {"note_df": row["note_df"] - notes, "message_df": row["message_df"] - messages}

    # -- links ----------------------------------------------------------------------------------------------------------------

    def links(self, table: str, rows: Sequence[Row]) -> list[Row]:
        """Those of these links, with their ends ``from`` and ``to``, that stay."""
        if table in ("OCCURS", "NAMES"):
            gone = self._ids | self._erasure.revised.keys()
            return [row for row in rows if row["to"] not in gone]
        kept = [row for row in rows if not {row["from"], row["to"], row.get("id")} & self._ids]
        if table == "SUPERSEDES":
            self._values += sum(self.tells(row["reason"]) for row in kept)
            return [row | {"reason": "" if self.tells(row["reason"]) else row["reason"]} for row in kept]
        return [row for row in kept if not self.tells(row.get("verb"))]

    # -- texts ----------------------------------------------------------------------------------------------------------------

    def tells(self, text: Any, *, whole: bool = False) -> bool:
        """Whether ``text`` tells what is forgotten; ``whole``: also a short text, which may be a word of the format elsewhere."""
        if not isinstance(text, str):
            return False
        if text in self._erasure.keys or (whole and text in self._erasure.exact) or self._tells(text):
            return True
        readings = self._erasure.readings
        return readings is not None and any(map(self._tells, readings(text)))

    def _tells(self, text: str) -> bool:
        mentions = self._erasure.mentions
        if mentions is not None and mentions(text):
            return True
        if any(part in text for part in self._erasure.texts) or self._keys.search(text):
            return True
        return bool(self._texts) and any(part in plain(text) for part in self._texts)

    def _names(self, text: str) -> bool:
        return self._erasure.named is not None and self._erasure.named(text)

    def _without(self, text: str, *, whole: bool = False) -> str:
        """``text`` without the sentences that tell what is forgotten."""
        return "" if whole and text in self._erasure.exact else without_sentences(text, self.tells)

    def _meta(self, name: str, value: str) -> str:
        if name in _OF_THE_MIND or name.startswith(_SCHEMA):
            return value
        if name in self._erasure.meta:
            return json.dumps(self._erasure.meta[name], ensure_ascii=False)
        try:
            recorded = json.loads(value)
        except ValueError:
            return "null" if self.tells(value) else value
        scrubbed = self._scrubbed(recorded, whole=True)
        return value if scrubbed == recorded else json.dumps(None if scrubbed is _DROPPED else scrubbed, ensure_ascii=False)

    def _entry(self, row: Row) -> Row:
        """An entry of the journal; of one that tells what is forgotten only what else it wrote is known any more."""
        before, after = unpacked(row["before"]), json.loads(row["after"])
        left = self._entry_part(after)
        is_told = self.tells(row["what"]) or self._names(row["what"])
        if not is_told and left == after and self._entry_part(before) == before and not self._has_words(before):
            return row
        self._entries += 1
        return row | {"before": compact(FORGOTTEN), "after": compact(left), "what": "" if is_told else row["what"]}

    def _has_words(self, before: Mapping[str, Any]) -> bool:
        terms, names = before.get("terms", {}), before.get("names", {})
        return any(self._lost.terms & counted.keys() for counted in terms.values()) or any(
            self._lost.names & set(named) for named in names.values()
        )

    def _entry_part(self, part: Mapping[str, Any]) -> dict[str, Any]:
        """What stays of what an entry says was there before, or after."""
        left = {name: self._scrubbed(value, whole=name == "meta") for name, value in part.items()}
        return {name: value for name, value in left.items() if value is not _DROPPED}

    def _scrubbed(self, value: Any, *, whole: bool = False) -> Any:
        if isinstance(value, str):
            return _DROPPED if value in self._dropped else self._without(value, whole=whole)
        if isinstance(value, list):
            kept = [self._scrubbed(item, whole=whole) for item in value if not self._is_pair_of_gone(item)]
            return [item for item in kept if item is not _DROPPED]
        if isinstance(value, dict):
            left = {name: self._scrubbed(item, whole=whole) for name, item in value.items() if not self._is_gone_name(name)}
            return {name: item for name, item in left.items() if item is not _DROPPED}
        return value

    def _is_gone_name(self, name: str) -> bool:
        """Whether a member of an object goes for its name; those of the formats stay, whatever they mean."""
        return name in self._ids or (name not in _FORMAT and self.tells(name, whole=True))

    def _is_pair_of_gone(self, item: Any) -> bool:
        return isinstance(item, list) and any(isinstance(one, str) and one in self._ids for one in item)
