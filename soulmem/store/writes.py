"""From a :class:`Change` and what is known of the mind to the rows that must be written. Pure, and where a change is refused."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from soulmem.errors import StoreError
from soulmem.model.changes import Change, Vector
from soulmem.model.links import Link, is_legal
from soulmem.model.messages import Message
from soulmem.model.notes import Note, NoteType
from soulmem.store.keys import term_key
from soulmem.store.own_vectors import place_text
from soulmem.store.rows import PAYLOADS, MadeRows, Row, embedding_text, message_row, note_row, pending_row, recall_row

#: Table → column → the engine's type, for every node table.
Columns = Mapping[str, Mapping[str, str]]

_FIXED = frozenset({"id", "key", "length", "kind", "chat", "index", "fingerprint"})
_NULLABLE = frozenset(
    {"last_accessed_at", "due_at", "category", "time_start", "time_end", "sent_at", "valid_from", "valid_until"}
    | {"revised_narrative", "revised_content", "revised_description", "revised_missing"}
)
#: Columns of links of all types that an update may change.
_LINK_COLUMNS = frozenset({"intensity", "last_fired_at", "fired_count"})

#: Rows of links by (link table, table of the source, table of the target).
LinkRows = list[tuple[tuple[str, str, str], list[Row]]]

#: What the names begin with under which ``Meta`` keeps new vectors of notes that were there, until they are set.
LATE = "late/"


@dataclass(frozen=True, slots=True)
class Known:
    """What the mind holds of all that a change names.

    ``types``: note id → its type, for notes that are there. ``occurs``, ``names`` and ``sources``: the present
    ones of notes and messages that are there and get new ones; ``sources``: message → its place among those of the note.
    ``links``: link id → row of ``store.links_of``, of links that are updated or removed. ``removed_words``: word → how many of
    the notes and of the messages that are removed it occurs in. ``lost_names``: those that no note has afterwards.
    ``useless``: those of ``embeddings`` that are kept as something that is not their vector.
    """

    types: Mapping[str, NoteType] = field(default_factory=dict)
    keys: frozenset[str] = frozenset()
    messages: frozenset[str] = frozenset()
    pending: frozenset[str] = frozenset()
    recalls: frozenset[str] = frozenset()
    embeddings: frozenset[str] = frozenset()
    useless: frozenset[str] = frozenset()
    pictures: frozenset[str] = frozenset()
    terms: frozenset[str] = frozenset()
    name_texts: frozenset[str] = frozenset()
    occurs: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    names: Mapping[str, list[str]] = field(default_factory=dict)
    sources: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    links: Mapping[str, Row] = field(default_factory=dict)
    removed_words: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    lost_names: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Writes:
    """Rows by table; links by (link table, table of the source, table of the target).

    ``nodes``: those of notes, messages and embeddings are made while they are written. ``links``: rows with ``from`` and ``to``,
    of all but the links between notes, which are in ``note_links`` as they are, because there are so many of them. ``words``:
    table → (note or message, word → how often), for the same reason.
    ``counts``: word → (notes, messages) to add to its document frequencies. ``values``: (table, column) → (id, new value).
    ``cleared``: (table, id) whose words are replaced; ``renamed``: Semantic notes whose names are replaced. ``links_set``: rows
    of links as they will be; ``links_cut``: rows of links to remove by themselves, those at removed notes go with them.
    ``sources_added``: (note, message) of notes that are there and were not drawn from that message before. ``embedded_anew``:
    rows of kept vectors that were of no use.
    """

    nodes: Mapping[str, Sequence[Row]]
    note_links: Mapping[tuple[str, str, str], list[Link]]
    links: Mapping[tuple[str, str, str], list[Row]]
    words: Mapping[str, list[tuple[str, Mapping[str, int]]]]
    counts: Mapping[str, tuple[int, int]]
    values: Mapping[tuple[str, str], list[tuple[str, Any]]]
    cleared: list[tuple[str, str]]
    renamed: list[str]
    links_set: list[Row]
    links_cut: list[Row]
    sources_added: list[tuple[str, str]]
    embedded_anew: list[Row]

    @property
    def rows_of_nodes(self) -> int:
        """How many rows there are without links and those of ``Meta``."""
        return sum(len(rows) for table, rows in self.nodes.items() if table != "Meta")

    @property
    def rows(self) -> int:
        """How many rows there are, links included, without those of ``Meta``."""
        words = sum(len(terms) for texts in self.words.values() for _, terms in texts)
        return self.rows_of_nodes + words + sum(map(len, self.note_links.values())) + sum(map(len, self.links.values()))

    @property
    def size(self) -> int:
        """About how long it takes to write row by row, in rows."""
        nodes = sum(len(rows) for table, rows in self.nodes.items() if table != "Term")
        words = words_size(terms for texts in self.words.values() for _, terms in texts)
        links = sum(map(len, self.note_links.values())) + sum(map(len, self.links.values()))
        return nodes + links + words


def words_size(texts: Iterable[Mapping[str, int]]) -> int:
    """As many rows take as long to write as the words of ``texts``: ten for a text, more for a very long one."""
    return sum(max(10, len(terms) // 3) for terms in texts)


def tables_of(change: Change, known: Known) -> dict[str, str]:
    """Note or message id → its table, for all that are there or are created."""
    tables = {note: note_type.value for note, note_type in known.types.items()}
    tables |= dict.fromkeys(known.messages, "Message")
    tables |= {note.id: note.type.value for note in change.notes}
    return tables | {message.id: "Message" for message in change.messages}


def writes_of(change: Change, known: Known, columns: Columns) -> Writes:
    """What ``change`` writes. A change that cannot be written whole raises :class:`StoreError`."""
    _check_new(change, known)
    tables = tables_of(change, known)
    vectors = _checked_vectors(change, tables, columns)
    words, counts, cleared = _words(change, known, tables)
    note_links = _note_links(change, tables)
    sources, sources_added = _sources(change, known, tables)
    links: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for key, rows in [*sources, *_uses(change, tables), *_names(change, tables)]:
        links[key] += rows
    return Writes(
        nodes=_nodes(change, known, tables, vectors, counts) | _late_vectors(change, tables, columns),
        note_links=note_links,
        links=links,
        words=words,
        counts={term: count for term, count in counts.items() if term in known.terms and count != (0, 0)},
        values=_values(change, tables, columns),
        cleared=cleared,
        renamed=[note for note in change.names if known.names.get(note)],
        links_set=_links_set(change, known),
        links_cut=_links_cut(change, known),
        sources_added=sources_added,
        embedded_anew=[_embedding_row(change, tables, (one, change.embeddings[one])) for one in sorted(known.useless)],
    )


def _refuse(what: str) -> StoreError:
    return StoreError(what, advice="Nothing was written.")


def _check_new(change: Change, known: Known) -> None:
    notes = [note.id for note in change.notes]
    _check_once("note id", notes, known.types.keys())
    _check_once("note key", [note.key for note in change.notes], known.keys)
    _check_once("message id", [message.id for message in change.messages], known.messages)
    _check_once("waiting link", [link.id for link in change.pending], known.pending - set(change.connected))
    _check_once("recall", [recall.id for recall in change.recalls], known.recalls)
    _check_once("link id", [link.id for link in change.links], ())
    _check_removed(change, known)


def _check_once(kind: str, ids: Iterable[str], taken: Iterable[str]) -> None:
    counted = Counter(ids)
    twice = sorted({i for i, count in counted.items() if count > 1} | (counted.keys() & set(taken)))
    if twice:
        raise _refuse(f"the {kind} {twice[0]!r} is already there" + (f", and {len(twice) - 1} more" if len(twice) > 1 else ""))


def _check_removed(change: Change, known: Known) -> None:
    removed = change.removed
    wanted = {
        "note": (removed.notes, known.types),
        "message": (removed.messages, known.messages),
        "link": ((*change.links_removed, *(update.link for update in change.link_updates)), known.links),
        "waiting link": (removed.pending, known.pending),
        "recall": (removed.recalls, known.recalls),
    }
    for kind, (ids, there) in wanted.items():
        for one in ids:
            if one not in there:
                raise _refuse(f"the {kind} {one!r} is not in the mind")
    for note, message in removed.sources:
        if message not in known.sources.get(note, ()):
            raise _refuse(f"the message {message!r} is no source of {note!r}")
    both = {*removed.notes, *removed.messages} & written_ids(change)
    if both:
        raise _refuse(f"{min(both)!r} is removed and written in one change")


def written_ids(change: Change) -> set[str]:
    """Ids of all notes and messages that ``change`` creates, changes, or refers to in what it writes."""
    ids = {note.id for note in change.notes} | {message.id for message in change.messages}
    ids |= {end for link in change.links for end in (link.source, link.target)}
    ids |= {update.note for update in change.updates} | {note for note, _ in change.sources_added}
    ids |= {message for note in change.notes for message in note.sources} | {message for _, message in change.sources_added}
    ids |= {use.note for recall in change.recalls for use in recall.uses} | {use.note for _, use in change.uses_added}
    ids |= {note for one in change.supersedes for note in (one.new, one.old)}
    return ids | change.vectors.keys() | change.terms.keys() | change.names.keys()


def _table(tables: Mapping[str, str], note: str, role: str) -> str:
    if note not in tables:
        raise _refuse(f"{role} {note!r} is not in the mind")
    return tables[note]


def _checked_vectors(change: Change, tables: Mapping[str, str], columns: Columns) -> Mapping[str, Mapping[str, Vector]]:
    for note, vectors in change.vectors.items():
        table = _table(tables, note, "the owner of a vector,")
        for column, vector in vectors.items():
            engine_type = columns[table].get(column, "")
            if engine_type != f"FLOAT[{len(vector)}]" or not column.startswith("v_"):
                raise _refuse(f"{table}.{column} is {engine_type or 'not a column'}, but got a vector of {len(vector)}")
            if not (np.isfinite(np.vdot(vector, vector)) or np.isfinite(vector).all()):
                raise _refuse(f"the vector {column} of {note!r} holds something that is not a number")
    return change.vectors


def _nodes(
    change: Change,
    known: Known,
    tables: Mapping[str, str],
    vectors: Mapping[str, Mapping[str, Vector]],
    counts: Mapping[str, tuple[int, int]],
) -> dict[str, Sequence[Row]]:
    def row_of_note(note: Note) -> Row:
        return note_row(note, sum(change.terms.get(note.id, {}).values())) | dict(vectors.get(note.id, {}))

    def row_of_message(message: Message) -> Row:
        return message_row(message, sum(change.terms.get(message.id, {}).values())) | dict(vectors.get(message.id, {}))

    notes: dict[str, list[Note]] = defaultdict(list)
    for note in change.notes:
        notes[note.type.value].append(note)
    nodes: dict[str, Sequence[Row]] = {table: MadeRows(of, row_of_note) for table, of in notes.items()}
    nodes["Message"] = MadeRows(change.messages, row_of_message)
    nodes["PendingLink"] = [pending_row(link) for link in change.pending]
    nodes["Recall"] = [recall_row(recall) for recall in change.recalls]
    nodes["Term"] = [
        {"key": term_key(term), "text": term, "note_df": in_notes, "message_df": in_messages}
        for term, (in_notes, in_messages) in sorted(counts.items())
        if term not in known.terms
    ]
    names = {name for texts in change.names.values() for name in texts}
    nodes["Name"] = [{"text": name} for name in sorted(names - known.name_texts)]
    new = [one for one in change.embeddings.items() if one[0] not in known.embeddings]
    nodes["Embedding"] = MadeRows(new, partial(_embedding_row, change, tables))
    nodes["Picture"] = [{"id": one, "data": data} for one, data in change.pictures.items() if one not in known.pictures]
    return nodes


def _embedding_row(change: Change, tables: Mapping[str, str], one: tuple[str, Vector]) -> Row:
    cache, vector = one
    owner = change.own_vectors.get(cache)
    return {"id": cache, "vector": embedding_text(vector) if owner is None else place_text((tables[owner], owner))}


def _late_vectors(change: Change, tables: Mapping[str, str], columns: Columns) -> dict[str, Sequence[Row]]:
    """Vectors of notes that are there, kept in ``Meta`` until they can be set: they replace all these had, so what has none any
    more is emptied."""
    new = {note.id for note in change.notes} | {message.id for message in change.messages}
    rows = [
        {
            "name": f"{LATE}{tables[note]}/{column}/{note}",
            "value": json.dumps(embedding_text(change.vectors[note][column]) if column in change.vectors[note] else None),
        }
        for note in sorted(change.vectors.keys() - new)
        for column in columns[tables[note]]
        if column.startswith("v_")
    ]
    return {"Meta": rows} if rows else {}


def _note_links(change: Change, tables: Mapping[str, str]) -> dict[tuple[str, str, str], list[Link]]:
    found: dict[tuple[str, str, str], list[Link]] = {}
    alike: dict[tuple[type, str | None, str | None], list[Link]] = {}
    for link in change.links:
        kind = (type(link.payload), tables.get(link.source), tables.get(link.target))
        if kind not in alike:
            alike[kind] = found.setdefault(_link_tables(link, tables), [])
        alike[kind].append(link)
    return found


def _link_tables(link: Link, tables: Mapping[str, str]) -> tuple[str, str, str]:
    source, target = _note_type(tables, link.source), _note_type(tables, link.target)
    if not is_legal(link.type, source, target):
        raise _refuse(f"the link {link.id!r}: {link.type.value} may not go from {source.value} to {target.value}")
    return link.type.value, source.value, target.value


def _note_type(tables: Mapping[str, str], note: str) -> NoteType:
    table = _table(tables, note, "the end of a link,")
    if table == "Message":
        raise _refuse(f"a link cannot end at the message {note!r}")
    return NoteType(table)


def _sources(change: Change, known: Known, tables: Mapping[str, str]) -> tuple[LinkRows, list[tuple[str, str]]]:
    """Sources keep their order: those added to a note come after those it has. Which were added to notes that are there."""
    places = {note.id: {message: place for place, message in enumerate(note.sources)} for note in change.notes}
    rows = [_source(note, message, place, tables) for note, all_ in places.items() for message, place in all_.items()]
    places |= {note: dict(known.sources.get(note, {})) for note, _ in change.sources_added if note not in places}
    added: list[tuple[str, str]] = []
    for note, message in change.sources_added:
        if message not in places[note]:
            places[note][message] = max(places[note].values(), default=-1) + 1
            rows.append(_source(note, message, places[note][message], tables))
            added += [(note, message)] if note in known.types else []
    return rows, added


def _source(note: str, message: str, place: int, tables: Mapping[str, str]) -> tuple[tuple[str, str, str], list[Row]]:
    if tables.get(message) != "Message":
        raise _refuse(f"the message {message!r}, source of {note!r}, is not in the mind")
    key = ("SOURCE", _note_type(tables, note).value, "Message")
    return key, [{"from": note, "to": message, "place": place}]


def _uses(change: Change, tables: Mapping[str, str]) -> LinkRows:
    rows: LinkRows = []
    for recall, use in (*((one.id, use) for one in change.recalls for use in one.uses), *change.uses_added):
        key = ("RECALLED", "Recall", _note_type(tables, use.note).value)
        rows.append((key, [{"from": recall, "to": use.note, "stage": use.stage, "score": float(use.score)}]))
    return rows


def _words(
    change: Change, known: Known, tables: Mapping[str, str]
) -> tuple[dict[str, list[tuple[str, Mapping[str, int]]]], dict[str, tuple[int, int]], list[tuple[str, str]]]:
    """Words by table, what changes in the words' document frequencies, and whose words are replaced."""
    words: dict[str, list[tuple[str, Mapping[str, int]]]] = defaultdict(list)
    notes: Counter[str] = Counter()
    messages: Counter[str] = Counter()
    cleared = []
    for note, terms in change.terms.items():
        table = _table(tables, note, "the owner of words,")
        if known.occurs.get(note):
            cleared.append((table, note))
            (messages if table == "Message" else notes).subtract(known.occurs[note].keys())
        words[table].append((note, terms))
    for table, texts in words.items():
        (messages if table == "Message" else notes).update(chain.from_iterable(terms for _, terms in texts))
    notes.subtract({term: count for term, (count, _) in known.removed_words.items()})
    messages.subtract({term: count for term, (_, count) in known.removed_words.items()})
    return words, {term: (notes[term], messages[term]) for term in notes.keys() | messages.keys()}, cleared


def _names(change: Change, tables: Mapping[str, str]) -> LinkRows:
    rows: LinkRows = []
    for note, names in change.names.items():
        if tables.get(note) != NoteType.SEMANTIC.value:
            raise _refuse(f"names are given to {note!r}, which is no Semantic note of the mind")
        rows.append((("NAMES", "Name", "Semantic"), [{"from": name, "to": note} for name in sorted(set(names))]))
    return rows


def _values(change: Change, tables: Mapping[str, str], columns: Columns) -> dict[tuple[str, str], list[tuple[str, Any]]]:
    new = {note.id for note in change.notes} | {message.id for message in change.messages}
    values: dict[tuple[str, str], list[tuple[str, Any]]] = defaultdict(list)
    for update in change.updates:
        table = _table(tables, update.note, "the note to update,")
        if update.note in new:
            raise _refuse(f"{update.note!r} is created and updated in one change")
        for column, value in update.values.items():
            _check_value(table, column, value, columns)
            values[table, column].append((update.note, value))
    for note in change.terms.keys() - new:
        values[tables[note], "length"].append((note, sum(change.terms[note].values())))
    return values


def _check_value(table: str, column: str, value: Any, columns: Columns) -> None:
    engine_type = columns[table].get(column)
    if engine_type is None or column in _FIXED or column.startswith("v_") or engine_type.startswith("STRUCT"):
        raise _refuse(f"{table}.{column} is not a column that an update may change")
    if value is None and column not in _NULLABLE:
        raise _refuse(f"{table}.{column} may not be empty")


def _links_set(change: Change, known: Known) -> list[Row]:
    values: dict[str, dict[str, Any]] = {}
    for update in change.link_updates:
        row = known.links[update.link]
        for column, value in update.values.items():
            _check_link_value(row, column, value)
        values.setdefault(update.link, {}).update(update.values)
    twice = values.keys() & set(change.links_removed)
    if twice:
        raise _refuse(f"the link {min(twice)!r} is updated and removed in one change")
    return [{**known.links[link], **new} for link, new in values.items()]


def _check_link_value(row: Row, column: str, value: Any) -> None:
    allowed = column in _LINK_COLUMNS or (column == PAYLOADS[row["type"]] and column != "variant")
    if not allowed:
        raise _refuse(f"{row['type']}.{column} is not a column that an update may change")
    if value is None and column != "last_fired_at":
        raise _refuse(f"{row['type']}.{column} may not be empty")
    if isinstance(value, float) and not math.isfinite(value):
        raise _refuse(f"{row['type']}.{column} may not be {value}")


def _links_cut(change: Change, known: Known) -> list[Row]:
    gone = set(change.removed.notes)
    rows = (known.links[link] for link in dict.fromkeys(change.links_removed))
    return [row for row in rows if not gone & {row["source"], row["target"]}]
