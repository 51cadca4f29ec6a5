"""A mind that is open: the :class:`~soulmem.store.contract.Store` kept by Kùzu."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import asdict, replace
from datetime import datetime
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from soulmem._data_files import data_folder
from soulmem.errors import MindDamagedError, MindVersionError, NotFoundError, QueryError, ReadOnlyError, StoreError
from soulmem.model.changes import Change, Operation, PendingLink, Removal, Vector
from soulmem.model.links import Link, LinkType
from soulmem.model.messages import Message
from soulmem.model.notes import Note
from soulmem.settings import Settings
from soulmem.store import adhoc, migrations, rebuild, recovery, results
from soulmem.store._kuzu import Engine, Transaction, acquire, make, release
from soulmem.store.contract import EmbedderRecord, Rows
from soulmem.store.lookups import WHOLE_TABLE, Lookups, parts
from soulmem.store.own_vectors import vectors_at
from soulmem.store.parameters import engine_values
from soulmem.store.queries import Library, Query, shipped
from soulmem.store.recovery import leftovers, put, taken
from soulmem.store.rows import SHORT, link_of, message_of, note_of, pending_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from soulmem.store.apply import Writer
    from soulmem.store.erase import Erased, Eraser, Erasure
    from soulmem.store.writes import Columns

#: Vector columns of a mind without an embedder are this long, and stay empty.
NO_DIMENSION = 1

#: Up to this many rows are taken as they are; more as an Arrow table.
PLAIN_ROWS = 2000
#: The same in a process that has not imported Arrow's library yet, which takes as long as some thousand rows; but vectors,
#: which are long, go through Arrow.
PLAIN_ROWS_WITHOUT_ARROW = 4000

_LINK_QUERIES = {LinkType.SEM: "sem", LinkType.PROC: "proc", LinkType.SITUATION: "situation"}


def _plain_rows(query: Query) -> int:
    has_vectors = any(column.type == "VECTOR" for column in query.columns)
    return PLAIN_ROWS if has_vectors or "pyarrow" in sys.modules else PLAIN_ROWS_WITHOUT_ARROW


class KuzuStore:
    """A mind that is open. Made by :func:`open_store` and :func:`create_store`."""

    def __init__(self, engine: Engine, library: Library, schema: Traversable, settings: Settings, *, read_only: bool) -> None:
        self._engine = engine
        self._library = library
        self._schema = schema
        self._settings = settings
        self._read_only = read_only
        self._closed = False
        self._columns: dict[str, dict[str, str]] | None = None
        self._embedder: EmbedderRecord | None = None
        self._generation = engine.generation
        self._embedder = self._recorded_embedder()

    def __enter__(self) -> KuzuStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def path(self) -> Path:
        return self._engine.path

    @property
    def read_only(self) -> bool:
        return self._read_only

    def embedder(self) -> EmbedderRecord | None:
        """The embedder the mind was made with."""
        self._check_open()
        return self._embedder

    def _recorded_embedder(self) -> EmbedderRecord | None:
        record = self.meta("embedder")
        return EmbedderRecord(**record) if record else None

    @property
    def _dimension(self) -> int:
        return self._embedder.dimension if self._embedder else NO_DIMENSION

    def meta(self, name: str) -> Any:
        """A recorded value, or ``None``."""
        rows = self.query("store.meta", name=name)
        try:
            return json.loads(rows[0]["value"]) if rows else None
        except ValueError as error:
            what = f"the value that is recorded as {name!r} cannot be read"
            raise MindDamagedError(what, place=str(self.path), advice="Restore a backup, or an export.") from error

    # -- reading --------------------------------------------------------------------------------------------------------------

    def query(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        """Run the shipped query ``name``; rows as dicts. Parameters are checked against its header."""
        query, checked = self._checked(name, parameters)
        return [] if checked is None else results.dicts(self._engine.read(query.text, checked))

    def columns(self, name: str, /, **parameters: Any) -> dict[str, list[Any] | NDArray[np.generic]]:
        """As :meth:`query`, by columns: numbers as arrays (nulls as NaN), fixed vectors as matrices, others as lists."""
        query, checked = self._checked(name, parameters)
        if checked is None:
            return {column.name: results.empty(column.type) for column in query.columns}
        whole = {column.name for column in query.columns if not column.nullable}
        table, arrow = self._engine.read_columns(query.text, checked, _plain_rows(query), whole)
        if table is not None:
            return results.columns(table)
        return results.arrow_columns(arrow)

    def _checked(self, name: str, parameters: Mapping[str, Any]) -> tuple[Query, dict[str, Any] | None]:
        self._check_open()
        query = self._library[name]
        if query.writes or query.choices or query.identifiers:
            raise QueryError(f"{name} is not a reading query", advice="Changes are written by apply.")
        return query, query.checked(parameters, self._dimension)

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("the mind is closed", place=str(self.path), advice="Open it again.")
        if self._generation != self._engine.generation:
            self._generation = self._engine.generation
            self._columns = None
            self._embedder = self._recorded_embedder()

    def notes(self, ids: Sequence[str]) -> list[Note]:
        """The notes with these ids, in this order; unknown ids are left out."""
        wanted = list(dict.fromkeys(ids))
        sources: dict[str, list[str]] = {}
        for row in self._some(wanted, "store.sources", "store.all_sources", "note"):
            sources.setdefault(row["note"], []).append(row["message"])
        found = {
            row["id"]: note_of(note_type, row, sources.get(row["id"], ()))
            for note_type, short in SHORT.items()
            for row in self._some(wanted, f"store.notes_{short}", f"store.all_{short}", "id")
        }
        return [found[note] for note in ids if note in found]

    def links_among(self, ids: Sequence[str]) -> list[Link]:
        """All links whose both ends are in ``ids``."""
        inside = set(ids)
        return [
            link_of(link_type, row)
            for link_type, short in _LINK_QUERIES.items()
            for row in self._some(sorted(inside), f"store.{short}_links_from", f"store.all_{short}_links", "source")
            if row["target"] in inside
        ]

    def links(self) -> list[Link]:
        """All links between notes."""
        return [link_of(kind, row) for kind, short in _LINK_QUERIES.items() for row in self.query(f"store.all_{short}_links")]

    def pending(self) -> list[PendingLink]:
        """All links that wait for one of their ends."""
        return [pending_of(row) for row in self.query("store.pending")]

    def messages(self, ids: Sequence[str]) -> list[Message]:
        """The messages with these ids, in this order; unknown ids are left out."""
        wanted = list(dict.fromkeys(ids))
        rows = self._some(wanted, "store.messages", "store.all_messages", "id")
        found = {row["id"]: message_of(row) for row in rows}
        return [found[message] for message in ids if message in found]

    def _some(self, ids: Sequence[str], some: str, whole: str, column: str) -> list[dict[str, Any]]:
        if len(ids) <= WHOLE_TABLE:
            return [row for part in parts(ids) for row in self.query(some, ids=part)]
        chosen = set(ids)
        return [row for row in self.query(whole) if row[column] in chosen]

    # -- writing --------------------------------------------------------------------------------------------------------------

    def turn(self) -> AbstractContextManager[object]:
        """Held by who reads, plans and applies: what was read is still so when it is applied. Others wait for their turn."""
        return self._engine.planning

    def apply(self, change: Change, progress: Callable[[int, int], None] | None = None) -> Operation:
        """Write ``change`` in one transaction together with its journal entry. ``progress(done, total)``: of rows, if many."""
        from soulmem.store.apply import bulk_bytes, group_bytes, removes_links  # who only reads does without

        need = bulk_bytes(change, self._dimension, self._settings.bulk_size)
        if need:
            need += group_bytes(self._dimension, max((row["count"] for row in self.query("store.node_counts")), default=0))
        is_copied = bool(change.removed.notes or change.removed.messages or change.links_removed)
        left = self._left_by(change.removed)
        with self._writing(need, removes=removes_links(change), is_copied=is_copied) as writer:
            operation = writer.apply(change, progress=progress)
        if is_copied:
            # Links that are added after others were removed may come to lie at other notes (Kùzu 0.11.3): a new file has none.
            self.rewrite(left)
        return operation

    def _left_by(self, removed: Removal) -> dict[str, Vector]:
        """The kept vectors that are those of what goes, by cache id."""
        gone = {*removed.notes, *removed.messages}
        kept = Lookups(self._looked_up).all_places() if gone else {}
        places = {cache: place for cache, place in kept.items() if place[1] in gone}
        vectors = vectors_at(self.query, places.values())
        return {cache: vectors[place] for cache, place in places.items() if place in vectors}

    def keep_vectors(self, vectors: Mapping[str, Vector]) -> None:
        """Keep vectors of texts, by cache id, without an entry in the journal."""
        with self._writing(removes=False) as writer:
            writer.keep(vectors)

    def replace_vectors(self, record: EmbedderRecord, change: Change) -> Operation:
        """Replace all vectors by those of ``change``, of another embedder, together with the rest of the change.

        The mind is written anew into another file, which then takes its place: all or nothing. Notes of ``change`` itself are
        refused: it is about those that are there.
        """
        self._check_writable()
        if change.notes or change.messages:
            raise StoreError("notes and messages cannot be added while vectors are replaced", advice="Add them before.")
        rebuild.check_vectors(self._engine, self._library, change.vectors, record.dimension)
        done: list[Operation] = []

        def fill(new: Engine) -> None:
            rebuild.copy_mind(self._engine, new, self._library, self._schema, record.dimension, change.vectors)
            with new.transaction() as transaction:
                writer = self._writer(transaction, rebuild.columns_of(transaction, self._library), record.dimension)
                writer.run("store.set_meta", name="embedder", value=json.dumps(asdict(record)))
                done.append(writer.apply(replace(change, vectors={})))

        self._engine.replace(fill)
        return done[0]

    def erase(self, erasure: Erasure, change: Change) -> tuple[Operation, Erased]:
        """Write the mind anew without what ``erasure`` names, together with ``change``: all or nothing, and no byte of it is
        left. What else went with it."""
        from soulmem.store.journal import FORGOTTEN

        self._check_writable()
        eraser = self._eraser(erasure)
        done: list[Operation] = []

        def fill(new: Engine) -> None:
            rebuild.copy_mind(self._engine, new, self._library, self._schema, self._dimension, None, eraser)
            with new.transaction() as transaction:
                writer = self._writer(transaction, rebuild.columns_of(transaction, self._library), self._dimension)
                done.append(writer.apply(change, FORGOTTEN))

        self._engine.replace(fill)
        recovery.remove_look(self.path)
        return done[0], eraser.erased

    def erasable(self, erasure: Erasure) -> Erased:
        """What else would go with ``erasure``."""
        from soulmem.store.erase import TOLD_IN

        eraser = self._eraser(erasure)
        for table in ("Operation", *sorted(TOLD_IN)):
            for rows in rebuild.text_rows(self._engine, self._library, table):
                eraser.rows(table, rows)
        ended = self._looked_up("store.all_supersedes")
        eraser.links("SUPERSEDES", [{"from": row["new"], "to": row["old"], "reason": row["reason"]} for row in ended])
        return eraser.erased

    def _eraser(self, erasure: Erasure) -> Eraser:
        from soulmem.store.erase import Eraser, lost_by

        return Eraser(erasure, lost_by(erasure, Lookups(self._looked_up), self.query("store.word_counts")))

    def texts(self) -> Iterator[tuple[str, str, str]]:
        """(table, column, text) of all that is text, entries of the journal unpacked."""
        from soulmem.store.texts import texts

        self._check_open()
        return texts(self._engine, self._library)

    def copies(self) -> list[Path]:
        """The copies of the mind as older versions of soulmem left it, which lie beside it."""
        return migrations.copies(self.path)

    def copy_to(self, path: Path) -> None:
        """Copy the mind as it is, which others may go on reading."""
        self._check_open()
        self._engine.copy_to(path)

    def go_back(self, change: Change, number: int) -> None:
        """Write ``change``, which takes back all after operation ``number``, and forget that it was: for a copy."""
        self._check_writable()
        adds = (change.notes, change.messages, change.links, change.recalls, change.sources_added, change.supersedes)
        # Where links are only removed, none can be mislaid.
        is_copied = any((*adds, change.uses_added, change.terms, change.names))
        with self._writing(removes=True, is_copied=is_copied) as writer:
            writer.apply(change)
            writer.run("store.delete_operations_after", number=number)
        if is_copied:
            self.rewrite()

    def _looked_up(self, name: str, words: Mapping[str, str] = {}, /, **parameters: Any) -> list[dict[str, Any]]:
        """Rows of a shipped query with choices, read."""
        query = self._library[name]
        checked = query.checked(parameters, self._dimension)
        return [] if checked is None else results.dicts(self._engine.read(query.bound(words), checked))

    def rewrite(self, left: Mapping[str, Vector] = rebuild.NOTHING_LEFT) -> None:
        """Write the mind anew into another file, which then takes its place, so that nothing deleted is left in it. ``left``: as
        :func:`~soulmem.store.rebuild.copy_mind` takes it."""
        self._check_writable()

        def fill(new: Engine) -> None:
            rebuild.copy_mind(self._engine, new, self._library, self._schema, self._dimension, None, left=left)

        self._engine.replace(fill)

    def _check_writable(self) -> None:
        self._check_open()
        if self._read_only:
            raise ReadOnlyError("the mind is open for reading only", place=str(self.path), advice="Open it for writing.")

    @contextmanager
    def _writing(self, need_bytes: int = 0, *, removes: bool, is_copied: bool = False) -> Iterator[Writer]:
        self._check_writable()
        with self._engine.transaction(need_bytes, removes=removes, is_copied=is_copied) as transaction:
            if self._columns is None:
                self._columns = rebuild.columns_of(transaction, self._library)
            yield self._writer(transaction, self._columns, self._dimension)

    def _writer(self, transaction: Transaction, columns: Columns, dimension: int) -> Writer:
        from soulmem.store.apply import Writer

        return Writer(transaction, self._library, columns, dimension=dimension, bulk_size=self._settings.bulk_size)

    # -- ad-hoc Cypher --------------------------------------------------------------------------------------------------------

    def cypher(
        self,
        text: str,
        parameters: dict[str, Any],
        *,
        limit: int | None,
        write: bool = False,
        at: datetime | None = None,
        timeout_seconds: float | None = None,
    ) -> Rows:
        """Run one ad-hoc statement. Without ``write`` only reading statements are accepted; files and network never are.

        ``at``: when a writing statement is written; needed for one. ``timeout_seconds``: after which it is stopped; ``None``:
        never. Ctrl-C stops it as well, and nothing is written then.
        """
        self._check_open()
        statement = adhoc.check(text, write=write)
        adhoc.check_parameters(statement, parameters)
        given = engine_values(parameters)
        try:
            if write and adhoc.is_writing(statement):
                return self._write_cypher(statement, given, limit, at, timeout_seconds)
            return _rows_of(self._engine.read_guarded(statement, given, limit, timeout_seconds))
        except (RuntimeError, ValueError, TypeError, OverflowError, MemoryError) as error:
            raise adhoc.refusal(error) from error

    def _write_cypher(
        self,
        statement: str,
        parameters: dict[str, Any],
        limit: int | None,
        at: datetime | None,
        timeout_seconds: float | None,
    ) -> Rows:
        if at is None:
            raise QueryError("a writing statement needs the time at which it is written")
        with self._writing(removes=True) as writer:
            operation = Operation(number=writer.next_number(), at=at, command="cypher", what=statement)
            table = writer.run_text(statement, parameters, limit, timeout_seconds)
            writer.enter(operation, {}, {"cypher": statement, "parameters": {n: str(v) for n, v in parameters.items()}})
        return _rows_of(table)

    def close(self) -> None:
        """Close the mind; it is closed for good once all that opened it in this process have closed it."""
        if not self._closed:
            self._closed = True
            release(self._engine)


def _rows_of(table: Any) -> Rows:
    rows = tuple(tuple(results.plain(value) for value in row) for row in table.rows)
    return Rows(tuple(table.columns), rows, table.more)


def create_store(
    path: Path,
    record: EmbedderRecord | None,
    *,
    settings: Settings | None = None,
    now: datetime,
    schema: Traversable | None = None,
) -> KuzuStore:
    """Make a new mind for the vectors of ``record`` (``None``: words alone) and open it.

    Raises :class:`StoreError` if something is there already; a failure leaves no file behind.
    """
    path = Path(path)
    if path.exists():
        raise taken(path)
    if left := leftovers(path):
        what = f"what belonged to a mind that was here is left: {left[0].name}"
        raise StoreError(what, place=str(path), advice="Move it away, or choose another name.")
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = schema if schema is not None else data_folder("schema")
    library = shipped()

    settings = settings or Settings()

    def fill(engine: Engine) -> None:
        with engine.transaction() as transaction:
            _make(transaction, library, folder, record, now)

    new = recovery.new_of(path)
    make(new, settings, fill)  # so that whoever finds the mind finds a whole one
    put(new, path)
    return KuzuStore(acquire(path.resolve(), read_only=False, settings=settings), library, folder, settings, read_only=False)


def _make(transaction: Transaction, library: Library, folder: Traversable, record: EmbedderRecord | None, now: datetime) -> None:
    migrations.apply_steps(transaction, library, migrations.steps(folder), now)
    for statement in migrations.vector_statements(folder, record.dimension if record else NO_DIMENSION):
        transaction.copy(statement, {})
    value = json.dumps(asdict(record)) if record else "null"
    transaction.run(library["store.set_meta"].text, {"name": "embedder", "value": value})


def open_store(
    path: Path,
    *,
    read_only: bool = False,
    settings: Settings | None = None,
    now: datetime,
    schema: Traversable | None = None,
) -> KuzuStore:
    """Open a mind. One made by an older soulmem is copied beside itself, then brought to this version.

    Raises :class:`NotFoundError`, :class:`MindLockedError`, :class:`MindVersionError` or :class:`MindDamagedError`.
    """
    path = Path(path)
    if not path.exists():
        advice = "Make it with: soulmem init. The minds you have: soulmem minds"
        raise NotFoundError("there is no such mind", place=str(path), advice=advice)
    folder = schema if schema is not None else data_folder("schema")
    library = shipped()

    def prepare(engine: Engine) -> Engine:
        engine.settle()
        missing = migrations.missing_steps(engine, library, migrations.steps(folder))
        if missing:
            _check_may_migrate(engine)
            migrations.migrate(engine, library, missing, now)
        if not engine.read_only:
            _set_late_vectors(engine, library)
        return engine

    engine = acquire(path.resolve(), read_only=read_only, settings=settings or Settings(), prepare=prepare)
    try:
        return KuzuStore(engine, library, folder, settings or Settings(), read_only=read_only)
    except StoreError as error:
        with suppress(StoreError):
            release(engine)
        raise MindDamagedError(error.what, place=str(path), advice="Restore a backup.") from error


def _set_late_vectors(engine: Engine, library: Library) -> None:
    """Finish what a crash left: a change is written whole, but for new vectors of notes that were there."""
    if engine.read(library["store.late_vectors"].text, {}).rows:
        from soulmem.store.apply import set_late_vectors

        engine.write_apart(lambda transaction: set_late_vectors(transaction, library))


def _check_may_migrate(engine: Engine) -> None:
    if engine.read_only:
        what = "the mind was made by an older soulmem and must be brought to this version first"
        raise MindVersionError(what, place=str(engine.path), advice="Open it once for writing: soulmem doctor --fix")
