"""Several entries of the journal as one that says what they did together; what was made and removed again is not in it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from soulmem.errors import UndoError
from soulmem.store.journal import FORGOTTEN, FORMAT, by_columns, by_rows
from soulmem.store.rows import Row

#: Kinds of things that are there or not.
_KINDS = ("notes", "messages", "links", "pending", "chats", "recalls")
#: Commands whose entries change nothing that can be shown: vectors alone; what is forgotten stays so at all times.
_PASSED = frozenset({"reembed", "forget"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed:
    """``before`` and ``after`` as entries of the journal have them. ``forgotten``: numbers of the entries of which some was
    forgotten for good: of what they changed is only known how it is now."""

    before: Mapping[str, Any]
    after: Mapping[str, Any]
    forgotten: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Kept:
    """What was known of a thing that went, for when it comes back as it was."""

    old: Row | None
    new: Row | None
    words: Any
    names: Any
    sources: Mapping[tuple[str, str], bool]


@dataclass(slots=True)
class _State:
    """``made``: there now and not before; ``gone``: rows of what was there before and is not now; ``kept``: what was known of
    that when it went; by kind and id. ``old`` and ``new``: values of columns, by kind, id and column. ``terms``, ``names``: those
    before, of what was indexed anew. ``sources``, ``supersedes``: pairs that are new, or row and pair that are gone."""

    made: dict[str, dict[str, None]] = field(default_factory=lambda: {kind: {} for kind in _KINDS})
    gone: dict[str, dict[str, Row]] = field(default_factory=lambda: {kind: {} for kind in _KINDS})
    kept: dict[str, _Kept] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    old: dict[str, dict[str, Row]] = field(default_factory=lambda: {"updated": {}, "link_updates": {}})
    new: dict[str, dict[str, Row]] = field(default_factory=lambda: {"updated": {}, "link_updates": {}})
    words: dict[str, Any] = field(default_factory=dict)
    names: dict[str, Any] = field(default_factory=dict)
    sources: dict[tuple[str, str], bool] = field(default_factory=dict)
    supersedes: dict[tuple[str, str], Row | None] = field(default_factory=dict)
    uses: dict[tuple[str, str], tuple[str, float]] = field(default_factory=dict)
    meta: dict[str, Row] = field(default_factory=dict)
    meta_after: dict[str, Any] = field(default_factory=dict)
    chats: dict[str, Row] = field(default_factory=dict)

    def is_made(self, one: str) -> bool:
        """Whether a note, message or link is new."""
        return any(one in self.made[kind] for kind in ("notes", "messages", "links"))


def composed(entries: Iterable[Mapping[str, Any]]) -> Composed:
    """``entries`` (number, command, before, after), in order, as one.

    Raises :class:`UndoError` for a statement of the user's own, of which is not known what it did, and for entries of a soulmem
    that did not keep what was there before.
    """
    state, forgotten = _State(), []
    for entry in entries:
        if entry["command"] in _PASSED:
            continue
        _check(entry)
        if entry["before"] == FORGOTTEN:
            forgotten.append(int(entry["number"]))
            _add(state, {}, {kind: entry["after"].get(kind, ()) for kind in _KINDS})
        else:
            _add(state, entry["before"], entry["after"])
    return Composed(before=_before(state), after=_after(state), forgotten=tuple(forgotten))


def _check(entry: Mapping[str, Any]) -> None:
    number, before = entry["number"], entry["before"]
    if entry["command"] == "cypher":
        what = f"operation {number} was a statement of your own, of which is not known what it changed"
        raise UndoError(what, advice="What was before it cannot be shown.")
    if before != FORGOTTEN and before.get("format") != FORMAT:
        what = f"operation {number} was written by a version of soulmem that did not keep what was there before"
        raise UndoError(what, advice="What was before it cannot be shown.")


def _add(state: _State, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    _add_values(state, before, after)
    _add_pairs(state, before, after)
    _add_words(state, before, after)
    for row in before.get("meta", ()):
        state.meta.setdefault(row["name"], row)
    state.meta_after |= after.get("meta", {})
    for recall, note, stage, score in before.get("removed", {}).get("uses", ()):
        if note not in state.made["notes"] and recall not in state.made["recalls"]:
            state.uses[recall, note] = (stage, score)
    for recall, note in after.get("uses", ()):
        state.uses.pop((recall, note), None)
    _add_removed(state, before, after)
    for row in before.get("chats", ()):
        if row["id"] not in state.made["chats"]:
            state.chats.setdefault(row["id"], row)
    _add_made(state, before, after)


def _add_words(state: _State, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    for name in after.get("words", ()):
        if not state.is_made(name):
            state.words.setdefault(name, before.get("terms", {}).get(name, {}))
            if name in before.get("names", {}):
                state.names.setdefault(name, before["names"][name])


def _add_made(state: _State, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    there = {row["id"] for row in before.get("chats", ())}
    for kind in _KINDS:
        for one in after.get(kind, ()):
            if one in state.gone[kind]:
                _bring_back(state, kind, one)
            elif one not in there:
                state.made[kind][one] = None


def _add_values(state: _State, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    for part in ("updated", "link_updates"):
        for one, values in after.get(part, {}).items():
            if not state.is_made(one):
                old = before.get(part, {}).get(one, {})
                state.old[part].setdefault(one, {})
                state.old[part][one] = {**{name: old[name] for name in values if name in old}, **state.old[part][one]}
                state.new[part].setdefault(one, {}).update(values)


def _add_pairs(state: _State, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    gone = before.get("removed", {})
    for is_new, pairs in ((True, after.get("sources", ())), (False, gone.get("sources", ()))):
        for note, message in pairs:
            known = state.sources.pop((note, message), None)
            is_old = not (note in state.made["notes"] or message in state.made["messages"])
            if known is None and (is_new or is_old):
                state.sources[note, message] = is_new
    for new, old in after.get("supersedes", ()):
        if state.supersedes.get((new, old)) is not None:
            del state.supersedes[new, old]
        else:
            state.supersedes[new, old] = None
    for row in gone.get("supersedes", ()):
        pair = (row["new"], row["old"])
        if pair in state.supersedes and state.supersedes[pair] is None:
            del state.supersedes[pair]
        else:
            state.supersedes[pair] = row


def _add_removed(state: _State, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    for kind, rows in _removed_rows(state, before).items():
        for row in rows:
            _remove(state, kind, row)
    removed = after.get("removed", {})
    for kind in _KINDS:  # of what was forgotten for good no row is known
        for one in removed.get(kind, ()):
            state.made[kind].pop(one, None)


def _removed_rows(state: _State, before: Mapping[str, Any]) -> dict[str, list[Row]]:
    gone = before.get("removed", {})
    found: dict[str, list[Row]] = {
        "messages": by_rows(gone.get("messages", {})),
        "pending": [*before.get("pending", ()), *gone.get("pending", ())],
        "chats": list(gone.get("chats", ())),
        "recalls": list(gone.get("recalls", ())),
    }
    for kind in ("links", "notes"):
        found[kind] = []
        for of_type, columns in gone.get(kind, {}).items():
            rows = by_rows(columns)
            state.types |= {row["id"]: of_type for row in rows}
            found[kind] += rows
    return found


def _remove(state: _State, kind: str, row: Row) -> None:
    one = row["id"]
    part = _part(kind)
    lost = {pair: is_new for pair, is_new in state.sources.items() if pair[0] == one} if kind == "notes" else {}
    for pair in lost:
        del state.sources[pair]
    old, new = state.old[part].pop(one, None), state.new[part].pop(one, None)
    kept = _Kept(old, new, state.words.pop(one, None), state.names.pop(one, None), lost)
    if one in state.made[kind]:
        del state.made[kind][one]
        return
    first = {**row, **(old or {})}
    if kind == "notes":
        added = {message for (_, message), is_new in lost.items() if is_new}
        again = [message for (_, message), is_new in lost.items() if not is_new]
        first["sources"] = [message for message in row["sources"] if message not in added] + again
    state.gone[kind][one] = state.chats.pop(one, first) if kind == "chats" else first
    state.kept[one] = kept


def _bring_back(state: _State, kind: str, one: str) -> None:
    """What went is there again, as it was when it went."""
    first = state.gone[kind].pop(one)
    kept = state.kept.pop(one)
    for values, known in ((state.old[_part(kind)], kept.old), (state.new[_part(kind)], kept.new)):
        if known is not None:
            values[one] = known
    for texts, text in ((state.words, kept.words), (state.names, kept.names)):
        if text is not None:
            texts[one] = text
    state.sources |= kept.sources
    if kind == "chats":
        state.chats[one] = first


def _part(kind: str) -> str:
    return "link_updates" if kind == "links" else "updated"


def _before(state: _State) -> dict[str, Any]:
    removed: dict[str, Any] = {
        "notes": _by_type(state, "notes"),
        "links": _by_type(state, "links"),
        "messages": by_columns(list(state.gone["messages"].values())),
        **{kind: list(state.gone[kind].values()) for kind in ("pending", "chats", "recalls")},
        "sources": [list(pair) for pair, is_new in state.sources.items() if not is_new],
        "supersedes": [row for row in state.supersedes.values() if row is not None],
        "uses": [[*pair, *use] for pair, use in state.uses.items()],
    }
    return {
        "format": FORMAT,
        "updated": state.old["updated"],
        "link_updates": state.old["link_updates"],
        "terms": state.words,
        "names": state.names,
        "meta": list(state.meta.values()),
        "chats": list(state.chats.values()),
        "removed": removed,
    }


def _by_type(state: _State, kind: str) -> dict[str, Any]:
    found: dict[str, list[Row]] = {}
    for one, row in state.gone[kind].items():
        found.setdefault(state.types[one], []).append(row)
    return {of_type: by_columns(rows) for of_type, rows in found.items()}


def _after(state: _State) -> dict[str, Any]:
    return {
        **{kind: list(state.made[kind]) for kind in _KINDS},
        "updated": state.new["updated"],
        "link_updates": state.new["link_updates"],
        "words": list(state.words),
        "sources": [list(pair) for pair, is_new in state.sources.items() if is_new],
        "supersedes": [list(pair) for pair, row in state.supersedes.items() if row is None],
        "meta": state.meta_after,
    }
