"""What a change has to know of the mind before it is written."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, Protocol

from soulmem.model.changes import Removal, Vector
from soulmem.model.links import LinkType
from soulmem.model.notes import NoteType
from soulmem.store.frames import frame
from soulmem.store.keys import term_key
from soulmem.store.own_vectors import Place, place_of
from soulmem.store.rows import SHORT, Row, embedding_of
from soulmem.store.validity import Validity

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

    def useless(self, embeddings: Mapping[str, Vector]) -> set[str]:
        """Of these vectors, which had to be made anew, those in whose place something else is kept: that of a note or message
        that says something else by now, or what is no vector of that length."""
        rows = self._run("store.embeddings", ids=sorted(embeddings)) if embeddings else []
        return {row["id"] for row in rows if not _is_vector(row["vector"], embeddings[row["id"]].size)}

    def all_places(self) -> dict[str, Place]:
        """Where the vectors are, of all kept ones that are those of a note or message."""
        rows = self._run("store.kept_elsewhere")
        return {row["id"]: place for row in rows if (place := place_of(row["vector"])) is not None}

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
        keys = [term_key(text) for text in texts] if table == "Term" else texts
        filled = {f"text{place}": keys[min(place, len(keys) - 1)] for place in range(10)}
        words = {"TABLE": table, "KEY": "key" if table == "Term" else "text"}
        return [row["text"] for row in self._run("store.existing_ten_texts", words, **filled)]

    def occurs(self, table: str, note: str) -> dict[str, int]:
        """Word → how often it occurs in a note or message."""
        rows = self._run("store.occurs", {"TABLE": table}, id=note)
        return {row["text"]: row["tf"] for row in rows}

    def names(self, note: str) -> list[str]:
        """The names of a Semantic note."""
        return [row["text"] for row in self._run("store.names_of", id=note)]

    def sources(self, notes: Iterable[str]) -> dict[str, dict[str, int]]:
        """Note id → its source messages, in order → their places."""
        found: dict[str, dict[str, int]] = {}
        for row in self._rows("store.sources", "store.all_sources", "note", sorted(set(notes)), {}):
            found.setdefault(row["note"], {})[row["message"]] = row["place"]
        return found

    def validities(self, notes: Sequence[str]) -> dict[str, Validity]:
        """Semantic note id → since and until when it holds."""
        rows = self._run("store.validities", ids=list(notes)) if notes else []
        return {row["id"]: Validity(row["valid_from"], row["valid_until"]) for row in rows}

    def revised(self, notes: Sequence[str]) -> dict[str, NoteType]:
        """Of these notes those of which a model guessed something, with their types."""
        rows = self._run("store.revised", ids=list(notes)) if notes else []
        return {row["id"]: NoteType(row["type"]) for row in rows}

    def links(self, ids: Iterable[str], sources: Mapping[str, str], at: Sequence[str] = ()) -> dict[str, Row]:
        """Link id → its row with the types of its ends: of these ids, and of all links at the notes ``at``. ``sources``: link id
        → the note it leaves, where that is known."""
        wanted = sorted(set(ids))
        if len(wanted) > WHOLE_TABLE or len(at) > WHOLE_TABLE:
            return self._whole_links(set(wanted), set(at))
        unknown = [link for link in wanted if link not in sources]
        found = {row["id"]: row["source"] for row in self._run("store.link_sources", ids=unknown)} if unknown else {}
        ends = {link: sources.get(link) or found[link] for link in wanted if link in sources or link in found}
        rows = [row for part in parts(sorted(ends)) for row in self._links_of(part, ends)]
        for name in ("store.links_from", "store.links_to"):
            rows += [row for part in parts(sorted(at)) for row in self._run(name, ids=part)]
        return {row["id"]: row for row in rows}

    def _links_of(self, ids: Sequence[str], ends: Mapping[str, str]) -> list[Row]:
        return self._run("store.links_of", ids=ids, sources=sorted({ends[link] for link in ids}))

    def _whole_links(self, wanted: set[str], at: set[str]) -> dict[str, Row]:
        found: dict[str, Row] = {}
        for kind in LinkType:
            for row in self._run(f"store.all_{kind.value.lower()}_links"):
                if row["id"] in wanted or row["source"] in at or row["target"] in at:
                    found[row["id"]] = row | {"type": kind.value}
        types = self.note_types(end for row in found.values() for end in (row["source"], row["target"]))
        for row in found.values():
            row |= {"source_type": types[row["source"]].value, "target_type": types[row["target"]].value}
        return found

    def words_of(self, table: str, ids: Sequence[str]) -> dict[str, int]:
        """Word → in how many of these notes or messages it occurs."""
        found: dict[str, int] = {}
        if len(ids) > LIST_LENGTH:
            rows = self._run("store.occurs_in", {"TABLE": table}, frame=ids_frame(ids))
            return {row["text"]: row["count"] for row in rows}
        for note in ids:
            for text in self.occurs(table, note):
                found[text] = found.get(text, 0) + 1
        return found

    def lost_names(self, notes: Sequence[str], kept: Container[str]) -> list[str]:
        """The names that only these Semantic notes have, without those ``kept``."""
        gone = set(notes)
        if len(notes) > LIST_LENGTH:
            owners: dict[str, set[str]] = {}
            for row in self._run("recall.all_names"):
                owners.setdefault(row["name"], set()).add(row["id"])
        else:
            texts = {text for note in notes for text in self.names(note)}
            owners = {text: {row["id"] for row in self._run("store.owners", text=text)} for text in sorted(texts)}
        return [text for text, ids in owners.items() if ids <= gone and text not in kept]

    def rows_of(self, removed: Removal, types: Mapping[str, NoteType]) -> dict[str, Any]:
        """Whole rows of what is removed: notes by type, with their sources; messages, chats, waiting links, recalls."""
        by_type: dict[NoteType, list[str]] = {}
        for note in removed.notes:
            by_type.setdefault(types[note], []).append(note)
        sources = self.sources(removed.notes)
        notes = {kind.value: self._note_rows(kind, ids, sources) for kind, ids in by_type.items()}
        return {
            "notes": notes,
            "messages": self._rows("store.messages", "store.all_messages", "id", list(removed.messages), {}),
            "chats": self._run("store.chats_by_ids", ids=list(removed.chats)) if removed.chats else [],
            "pending": self._rows("store.pending_by_ids", "store.pending", "id", list(removed.pending), {}),
            "recalls": self._recalls(removed.recalls),
            "sources": self._lost_sources(removed),
            "supersedes": self._lost_supersedes(removed),
            "uses": self._lost_uses(removed),
        }

    def _note_rows(self, kind: NoteType, ids: list[str], sources: Mapping[str, Mapping[str, int]]) -> list[Row]:
        rows = self._rows(f"store.notes_{SHORT[kind]}", f"store.all_{SHORT[kind]}", "id", ids, {})
        return [row | {"sources": list(sources.get(row["id"], ()))} for row in rows]

    def _recalls(self, ids: Sequence[str]) -> list[Row]:
        found: dict[str, Row] = {}
        for row in self._rows("store.recalls", "store.all_recalls", "id", list(ids), {}):
            one = found.setdefault(row["id"], {"id": row["id"], "at": row["at"], "query": row["query"], "uses": []})
            if row["note"] is not None:
                one["uses"].append([row["note"], row["stage"], row["score"]])
        return list(found.values())

    def _lost_sources(self, removed: Removal) -> list[list[str]]:
        """Pairs of notes that stay and messages they will not be drawn from any more."""
        pairs = [list(pair) for pair in removed.sources]
        gone, notes = set(removed.messages), set(removed.notes)
        rows = self._run("store.all_sources") if gone else []
        return pairs + [[row["note"], row["message"]] for row in rows if row["message"] in gone and row["note"] not in notes]

    def _lost_uses(self, removed: Removal) -> list[list[Any]]:
        """Which recalls that stay used notes that go, at which stage and with which score."""
        gone, recalls = set(removed.notes), set(removed.recalls)
        rows = self._run("store.all_recalls") if gone else []
        used = [row for row in rows if row["note"] in gone and row["id"] not in recalls]
        return [[row["id"], row["note"], row["stage"], row["score"]] for row in used]

    def _lost_supersedes(self, removed: Removal) -> list[Row]:
        pairs, notes = set(removed.supersedes), set(removed.notes)
        rows = self._run("store.all_supersedes") if pairs or notes else []
        return [
            {name: row[name] for name in ("new", "old", "at", "reason")}
            for row in rows
            if (row["new"], row["old"]) in pairs or notes & {row["new"], row["old"]}
        ]

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


def _is_vector(kept: str | None, size: int) -> bool:
    vector = embedding_of(kept or "") if place_of(kept) is None else None
    return vector is not None and vector.size == size and bool(vector.any())


def ids_frame(ids: Sequence[str]) -> Any:
    """A frame with the column id."""
    return frame({"id": "STRING"}, [{"id": one} for one in ids])
