"""What a change has to know of the mind before it is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from soulmem.model.notes import NoteType

#: Ids are asked for in lists of this length: the engine compares every row with every item of a list.
LIST_LENGTH = 50
#: From this many wanted ids a table is read whole.
WHOLE_TABLE = 500
#: Up to this many are looked up one by one: only so does the engine use the index of a table instead of reading it.
FEW = 64


def parts(ids: Sequence[str]) -> list[Sequence[str]]:
    """``ids`` in lists of :data:`LIST_LENGTH`."""
    return [ids[start : start + LIST_LENGTH] for start in range(0, len(ids), LIST_LENGTH)]


class Runner(Protocol):
    """Runs a shipped query inside a transaction."""

    def __call__(self, name: str, /, words: Mapping[str, str] = ..., **parameters: Any) -> list[dict[str, Any]]: ...


class Lookups:
    """Reads through one transaction."""

    def __init__(self, run: Runner) -> None:
        self._run = run

    def note_types(self, ids: Iterable[str]) -> dict[str, NoteType]:
        """Note id → type, for those that are there."""
        wanted = sorted(set(ids))
        rows = self._rows("store.types", "store.all_keys", "id", wanted, {})
        return {row["id"]: NoteType(row["type"]) for row in rows}

    def keys(self, keys: Iterable[str]) -> set[str]:
        """Which of these keys are taken."""
        wanted = sorted(set(keys))
        if len(wanted) > WHOLE_TABLE:
            return {row["key"] for row in self._run("store.all_keys")} & set(wanted)
        return {row["key"] for row in self._run("store.keys", keys=wanted)}

    def ids(self, table: str, ids: Iterable[str]) -> set[str]:
        """Which of these ids ``table`` has."""
        wanted = sorted(set(ids))
        if len(wanted) <= FEW:
            return {row["id"] for one in wanted for row in self._run("store.existing_id", {"TABLE": table}, id=one)}
        rows = self._rows("store.existing", "store.all_ids", "id", wanted, {"TABLE": table})
        return {row["id"] for row in rows}

    def texts(self, table: str, texts: Iterable[str]) -> set[str]:
        """Which of these words or names ``table`` has."""
        wanted = sorted(set(texts))
        if len(wanted) > WHOLE_TABLE:
            return {row["text"] for row in self._run("store.all_texts", {"TABLE": table})} & set(wanted)
        if len(wanted) <= FEW:
            return {text for start in range(0, len(wanted), 10) for text in self._ten(table, wanted[start : start + 10])}
        return {row["text"] for row in self._run("store.existing_texts", {"TABLE": table}, texts=wanted)}

    def _ten(self, table: str, texts: Sequence[str]) -> list[str]:
        """Which of at most ten texts are there; fewer are filled up with the last."""
        filled = {f"text{place}": texts[min(place, len(texts) - 1)] for place in range(10)}
        return [row["text"] for row in self._run("store.existing_ten_texts", {"TABLE": table}, **filled)]

    def occurs(self, table: str, note: str) -> dict[str, int]:
        """Word → how often it occurs in a note or message."""
        rows = self._run("store.occurs", {"TABLE": table}, id=note)
        return {row["text"]: row["tf"] for row in rows}

    def names(self, note: str) -> list[str]:
        """The names of a Semantic note."""
        return [row["text"] for row in self._run("store.names_of", id=note)]

    def sources(self, notes: Iterable[str]) -> dict[str, list[str]]:
        """Note id → its source messages, in order."""
        found: dict[str, list[str]] = {}
        for row in self._rows("store.sources", "store.all_sources", "note", sorted(set(notes)), {}):
            found.setdefault(row["note"], []).append(row["message"])
        return found

    def values(self, table: str, column: str, ids: Iterable[str]) -> dict[str, Any]:
        """Id → present value of a column."""
        words = {"TABLE": table, "COLUMN": column}
        return {row["id"]: row["value"] for row in self._rows("store.value", "store.all_values", "id", sorted(set(ids)), words)}

    def memory(self, table: str, ids: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Id → present values of the columns that a recall changes, for a few notes."""
        rows = [row for part in parts(sorted(set(ids))) for row in self._run("store.memory", {"TABLE": table}, ids=part)]
        return {row.pop("id"): row for row in rows}

    def _rows(self, some: str, whole: str, column: str, ids: list[str], words: Mapping[str, str]) -> list[dict[str, Any]]:
        if not ids:
            return []
        if len(ids) > WHOLE_TABLE:
            chosen = set(ids)
            return [row for row in self._run(whole, words) if row[column] in chosen]
        return [row for part in parts(ids) for row in self._run(some, words, ids=part)]
