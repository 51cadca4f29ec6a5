"""The columns of every frame: name, type, unit, meaning. The documentation has the same tables, and a test compares them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from soulmem.errors import NotFoundError

#: All times: UTC, to the microsecond.
TIME = pl.Datetime("us", "UTC")

_TEXT, _WHOLE, _REAL, _BOOL, _TEXTS = pl.String(), pl.Int64(), pl.Float64(), pl.Boolean(), pl.List(pl.String())


@dataclass(frozen=True, slots=True)
class Column:
    """A column. ``unit``: empty where there is none."""

    name: str
    dtype: pl.DataType
    unit: str
    meaning: str


NOTES = (
    Column("note", _TEXT, "", "id"),
    Column("key", _TEXT, "", "readable id, unique in the mind"),
    Column("type", _TEXT, "", "`Semantic`, `SpecificSituation`, `AbstractSituation` or `Procedure`"),
    Column("kind", _TEXT, "", "what sets its half-life: its category, `episode`, `pattern` or `procedure`"),
    Column("category", _TEXT, "", "of a Semantic note; null: none (it fades as an event)"),
    Column("text", _TEXT, "", "the note in one line, as it was written"),
    Column("tags", _TEXTS, "", "its tags"),
    Column("scope", _TEXT, "", "where it was heard: `public`, `direct:<person>` or `group:<id>`"),
    Column("strength", _REAL, "0..1", "retention as of `decayed_at`"),
    Column("decayed_at", TIME, "UTC", "the time `strength` is of"),
    Column("retention", _REAL, "0..1", "what is left of it at the time of the frame"),
    Column("missing_degree", _REAL, "0..1", "1 − `retention`"),
    Column("half_life_hours", _REAL, "hours", "in which retention halves; infinite: it does not decay"),
    Column("retrieval_count", _WHOLE, "", "how often it was used"),
    Column("last_accessed_at", TIME, "UTC", "when it was used last; null: never"),
    Column("due_at", TIME, "UTC", "when retention falls below the sleeping threshold; null: never"),
    Column("pinned", _BOOL, "", "practically never fades"),
    Column("core", _BOOL, "", "is always in what is recalled"),
    Column("active", _BOOL, "", "takes part in recall"),
    Column("valid_from", TIME, "UTC", "since when it holds; null: since ever"),
    Column("valid_until", TIME, "UTC", "up to when it held; null: it holds"),
    Column("time_start", TIME, "UTC", "of a situation: when it began"),
    Column("time_end", TIME, "UTC", "of a situation: when it ended"),
    Column("action_type", _TEXT, "", "of a procedure: `Speak`, `Think` or `Skill`"),
    Column("created_at", TIME, "UTC", "when it was made, as the note itself says"),
    Column("born_at", TIME, "UTC", "when it was written into this mind, as the journal says; null: it does not say"),
    Column("born_operation", _WHOLE, "", "the operation that wrote it"),
    Column("sources", _WHOLE, "messages", "from how many messages it was drawn"),
    Column("origins", _TEXTS, "", "where in which file it was read; empty: it was drawn from messages"),
)

LINKS = (
    Column("link", _TEXT, "", "id"),
    Column("type", _TEXT, "", "`Sem`, `Proc` or `Situation`"),
    Column("source", _TEXT, "", "note it leaves"),
    Column("source_key", _TEXT, "", "key of that note"),
    Column("target", _TEXT, "", "note it leads to"),
    Column("target_key", _TEXT, "", "key of that note"),
    Column("verb", _TEXT, "", "of a Sem link: the relation in words"),
    Column("confidence", _REAL, "0..1", "of a Sem link"),
    Column("prob", _REAL, "0..1", "of a Proc link: how probably the situation triggers the procedure"),
    Column("intensity", _REAL, "≥ 0", "as of when it fired last, or was made"),
    Column("effective_intensity", _REAL, "≥ 0", "what is left of `intensity` at the time of the frame"),
    Column("created_at", TIME, "UTC", "when it was made"),
    Column("last_fired_at", TIME, "UTC", "when both ends were last used together; null: never"),
    Column("fired_count", _WHOLE, "", "how often they were"),
)

RECALLS = (
    Column("recall", _TEXT, "", "id"),
    Column("at", TIME, "UTC", "when it was"),
    Column("query", _TEXT, "", "what was asked"),
    Column("note", _TEXT, "", "a note that was used; null: of what it used nothing is left"),
    Column("key", _TEXT, "", "key of that note"),
    Column(
        "stage",
        _TEXT,
        "",
        "how it was found: `similarity`, `association`, …; `private`: in a private talk; `feedback`: what the user said of it",
    ),
    Column("score", _REAL, "", "of the note in that recall; of feedback +1 or −1"),
)

MESSAGES = (
    Column("message", _TEXT, "", "id"),
    Column("chat", _TEXT, "", "id of its chat"),
    Column("index", _WHOLE, "", "its number in the chat, from 0"),
    Column("session", _WHOLE, "", "number of the sitting it belongs to, from 0"),
    Column("speaker", _TEXT, "", "who said it"),
    Column("role", _TEXT, "", "`user`, `character`, …"),
    Column("text", _TEXT, "", "what was said"),
    Column("sent_at", TIME, "UTC", "when; null: nobody knows"),
    Column("hidden", _BOOL, "", "kept, but was not said"),
    Column("scope", _TEXT, "", "where it was said"),
    Column("words", _WHOLE, "words", "how many words search sees in it"),
    Column("file", _TEXT, "", "the file it came from"),
    Column("line", _WHOLE, "", "its line in that file, from 1"),
)

OPERATIONS = (
    Column("operation", _WHOLE, "", "number, from 1"),
    Column("at", TIME, "UTC", "when it was written"),
    Column("command", _TEXT, "", "which command wrote it"),
    Column("what", _TEXT, "", "in words"),
    Column("undoes", _WHOLE, "", "number of the one it took back; null: none"),
    Column("undone_by", _WHOLE, "", "number of the one that took it back, where it is undone now"),
    Column("notes_added", _WHOLE, "notes", ""),
    Column("notes_changed", _WHOLE, "notes", ""),
    Column("notes_removed", _WHOLE, "notes", ""),
    Column("links_added", _WHOLE, "links", ""),
    Column("links_changed", _WHOLE, "links", ""),
    Column("links_removed", _WHOLE, "links", ""),
    Column("facts_superseded", _WHOLE, "notes", ""),
    Column("messages_added", _WHOLE, "messages", ""),
    Column("recalls_added", _WHOLE, "recalls", "uses that were recorded, and feedback"),
)

SUPERSEDINGS = (
    Column("old", _TEXT, "", "the fact that holds no longer"),
    Column("old_key", _TEXT, "", "its key"),
    Column("new", _TEXT, "", "what holds instead"),
    Column("new_key", _TEXT, "", "its key"),
    Column("at", TIME, "UTC", "since when"),
    Column("reason", _TEXT, "", "in words; may be empty"),
)

SOURCES = (
    Column("note", _TEXT, "", "a note"),
    Column("message", _TEXT, "", "a message it was drawn from"),
)

STRENGTH_EVENTS = (
    Column("note", _TEXT, "", "id, also of notes that are gone"),
    Column("key", _TEXT, "", "its key"),
    Column("type", _TEXT, "", "as in `notes`"),
    Column("kind", _TEXT, "", "as in `notes`, as it was after the change"),
    Column("operation", _WHOLE, "", "the operation that changed it"),
    Column("at", TIME, "UTC", "when"),
    Column("command", _TEXT, "", "which command"),
    Column("cause", _TEXT, "", "`born`, `recall`, `sweep`, `changed`, `gone` or `undo` (see below)"),
    Column("strength_before", _REAL, "0..1", "as of `decayed_at_before`; null: it was not there, or nobody knows any more"),
    Column("strength_after", _REAL, "0..1", "as of `decayed_at_after`; null: it is gone"),
    Column("decayed_at_before", TIME, "UTC", ""),
    Column("decayed_at_after", TIME, "UTC", ""),
    Column("retrieval_count_before", _WHOLE, "", ""),
    Column("retrieval_count_after", _WHOLE, "", ""),
    Column("half_life_before", _REAL, "hours", "that of its kind and count before, by the settings of today"),
    Column("half_life_after", _REAL, "hours", "the same after"),
)

DECAY = (
    Column("note", _TEXT, "", "id"),
    Column("key", _TEXT, "", "its key"),
    Column("kind", _TEXT, "", "as in `notes`"),
    Column("hours", _REAL, "hours", "from the time of the frame on"),
    Column("retention", _REAL, "0..1", "what is left then if it is not used before"),
)

LIFETIMES = (
    Column("note", _TEXT, "", "id"),
    Column("key", _TEXT, "", "its key"),
    Column("kind", _TEXT, "", "as it was born"),
    Column("born_at", TIME, "UTC", "since when it fades: `decayed_at` as it was born"),
    Column("hours", _REAL, "hours", "from then until it fell asleep first, or until nobody has looked further"),
    Column("fell_asleep", _BOOL, "", "whether retention fell below the threshold; if not, it is censored"),
    Column("recalls", _WHOLE, "", "how often it was used in that time"),
)

COURSE = (
    Column("at", TIME, "UTC", "a time asked for"),
    Column("retention", _REAL, "0..1", "what was left of the note"),
    Column("never_used", _REAL, "0..1", "what would have been left without any use"),
)

SURVIVAL = (
    Column("group", _TEXT, "", "value of the column it is computed by"),
    Column("hours", _REAL, "hours", "since birth"),
    Column("at_risk", _WHOLE, "notes", "awake and looked at until then"),
    Column("fell_asleep", _WHOLE, "notes", "fell asleep just then"),
    Column("survival", _REAL, "0..1", "share that is awake from then on (Kaplan–Meier)"),
)

IMPLIED = (
    Column("note", _TEXT, "", "id"),
    Column("key", _TEXT, "", "its key"),
    Column("kind", _TEXT, "", "as in `notes`"),
    Column("at", TIME, "UTC", "when its strength changed"),
    Column("cause", _TEXT, "", "`recall` or `sweep`"),
    Column("hours", _REAL, "hours", "since the change before, divided by what recalls had made the half-life longer"),
    Column("left", _REAL, "0..1", "share of the strength that was left after them"),
    Column("half_life", _REAL, "hours", "of a note of its kind that was never recalled, as these two imply"),
    Column("configured", _REAL, "hours", "the setting"),
)

FITTED = (
    Column("kind", _TEXT, "", "as in `notes`"),
    Column("events", _WHOLE, "", "changes of strength it is fitted to"),
    Column("least_squares", _REAL, "hours", "half-life that fits best, least squares of log2 of what was lost"),
    Column("median", _REAL, "hours", "median of what each event implies"),
    Column("configured", _REAL, "hours", "the setting"),
)

#: The frames a mind has, by the name of the method of :class:`~soulmem.analysis.frames.Frames`, then those computed of them.
FRAMES: Mapping[str, tuple[Column, ...]] = {
    "notes": NOTES,
    "links": LINKS,
    "messages": MESSAGES,
    "sources": SOURCES,
    "recalls": RECALLS,
    "operations": OPERATIONS,
    "supersedings": SUPERSEDINGS,
    "strength_events": STRENGTH_EVENTS,
    "decay": DECAY,
    "lifetimes": LIFETIMES,
    "survival": SURVIVAL,
    "course": COURSE,
    "implied": IMPLIED,
    "fitted": FITTED,
}


def schema(name: str) -> pl.Schema:
    """Names and types of the columns of a frame. Raises :class:`NotFoundError` for one that is not there."""
    if name not in FRAMES:
        raise NotFoundError(f"there is no frame {name!r}", advice=f"There are: {', '.join(FRAMES)}.")
    return pl.Schema({column.name: column.dtype for column in FRAMES[name]})


def framed(name: str, values: Mapping[str, Any]) -> pl.DataFrame:
    """A frame of columns as lists, arrays or Series; they are put in order and given their types."""
    types = schema(name)
    return pl.DataFrame([pl.Series(column, values[column], dtype=dtype) for column, dtype in types.items()])
