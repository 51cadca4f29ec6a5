"""The door to Kùzu: databases, connections, transactions, locks. Nothing else imports the engine.

What was measured of Kùzu 0.11.3 and is built around here:

* Rolling back after ``COPY FROM`` into a table that is not empty damages it for good: the primary-key index loses keys that were
  there, links that were there vanish, and a later ``COPY`` may crash the process. So a transaction that has copied is never
  rolled back: it is *abandoned* (closed without a checkpoint, opened again), as a crash would leave it, and that is safe.
  Transactions of ``CREATE``, ``SET`` and ``DELETE`` roll back well.
* A commit after ``COPY FROM`` is whole only once its checkpoint is: see :mod:`soulmem.store.recovery`.
* Rows added to a column of DOUBLE[] or FLOAT[] whose numbers are nearly all alike may become other numbers at the next
  checkpoint: compression writes past what it can hold. So the schema has none. Single numbers are kept, also in structs and
  links, and so are vectors (FLOAT[N]), but where all of all rows so far are one number. Compression off is no way out: links
  alone then take 60 MB and more in every mind.
* Vectors (FLOAT[N]) of rows that are there may be set only where no row is created in their table before the next checkpoint:
  else the checkpoint gives one of them the vector of another. So a change leaves new vectors of old rows in a table of their
  own, and they are set in a second transaction between two checkpoints (:attr:`Transaction.late`). Texts, lists of texts and
  numbers do not suffer from it.
* Links that are removed before a checkpoint has seen them damage their table: the next checkpoint writes it so that reading it
  crashes the process. So a transaction that may remove some begins after a checkpoint (``removes``).
* ``EXISTS`` does not see what the same transaction has removed.
* An error inside a transaction rolls it back by itself.
* Links that are added after others were removed with their notes may come to lie at other notes, checkpoints between or not.
  So a mind of which notes or links were removed is written anew (:meth:`soulmem.store.mind.KuzuStore.rewrite`).
* A checkpoint that runs out of disk leaves a file that cannot be opened any more. So none is begun without room for it.
* A checkpoint waits for open readers and fails after some seconds. So checkpoints are ours, taken while no reader runs.
* A second database object on one file in one process is not refused, and damages it: hence the registry.
"""

from __future__ import annotations

import atexit
import importlib
import importlib.util  # the engine's binding uses it without importing it
import os
import re
import shutil
import sys
import threading
from collections import deque
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, BinaryIO

from soulmem.errors import MindDamagedError, MindLockedError, MindVersionError, SoulmemError, StoreError
from soulmem.store import recovery
from soulmem.store.frames import vector_dimension
from soulmem.store.interrupts import run_interruptibly
from soulmem.store.queries import shipped
from soulmem.store.recovery import log_of, shadow_of

if TYPE_CHECKING:
    import pyarrow as pa

    from soulmem.settings import Settings

Parameters = Mapping[str, Any]


class _Later(ModuleType):
    """Stands for a module that is imported when something of it is used."""

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self.__name__), name)


def load_engine() -> None:
    """Import the engine now, in half the time: the asyncio that its connections of another kind would use is imported if one is.

    For a process without other threads, which might look for asyncio meanwhile. Without this the engine is imported when it is
    first needed.
    """
    if "asyncio" in sys.modules:
        return
    sys.modules["asyncio"] = _Later("asyncio")
    try:
        import kuzu  # noqa: F401
    finally:
        del sys.modules["asyncio"]


#: A checkpoint is taken if the disk has so many bytes free, and so many times the size of the log.
ROOM_FOR_CHECKPOINT = 32 * 2**20
ROOM_OF_LOG = 4
#: Bytes of write-ahead log from which a commit takes a checkpoint.
CHECKPOINT_BYTES = 16 * 2**20
#: The same in rows written: of every value that is set the engine keeps a block of some 2,048 in its buffer pool until then.
CHECKPOINT_ROWS = 6000

#: A write that is thought to need more than this share of the buffer pool gets a larger one for the time being: opening again
#: takes as long as writing a hundred rows. What is not in the file yet fills the pool too.
POOL_IN_USE, POOL_AT_REST = 1 / 4, 2 / 3

#: The least buffer pool of a mind that is only read.
LEAST_READING_BYTES = 48 * 2**20

_MAGIC = b"KUZU"

#: Why the system does not open a file, in the engine's message.
_REFUSED = re.compile(r"Cannot open file .*: (Permission denied|Read-only file system|Too many open files)", re.DOTALL)

#: What the engine says where the Python code that it was running was ended: by Ctrl-C, or by a signal with an exit code.
_ENDED = re.compile(r"(?:KeyboardInterrupt\b|SystemExit: (\d+)$)", re.MULTILINE)

#: These come through Arrow, and vectors without nulls: the engine's Arrow arrays of vectors, lists and structs with nulls are not
#: well formed.
_ARROW_TYPES = frozenset({"STRING", "BOOL", "INT64", "DOUBLE", "FLOAT", "TIMESTAMP"})


@dataclass(frozen=True, slots=True)
class Table:
    """What a statement gave: column names, the engine's names of their types, rows. ``more``: rows were left out."""

    columns: list[str]
    types: list[str]
    rows: list[list[Any]]
    more: bool = False


class Queue:
    """A lock that is given in the order in which it was asked for."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._held = False

    def __enter__(self) -> None:
        turn = threading.Lock()
        with self._guard:
            if not self._held:
                self._held = True
                return
            turn.acquire()
            self._waiting.append(turn)
        try:
            turn.acquire()
        except BaseException:
            self._leave(turn)
            raise

    def _leave(self, turn: threading.Lock) -> None:
        with self._guard:
            if turn in self._waiting:
                self._waiting.remove(turn)
                return
        self.__exit__()

    def __exit__(self, *_: object) -> None:
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._held = False


class Gate:
    """Many may pass together, or one alone. Who wants to be alone goes first, so that readers cannot starve a checkpoint."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside = 0
        self._alone = False
        self._wanting = 0

    @contextmanager
    def shared(self) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: not self._alone and not self._wanting)
            self._inside += 1
        try:
            yield
        finally:
            with self._changed:
                self._inside -= 1
                self._changed.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        with self._changed:
            self._wanting += 1
            try:
                self._changed.wait_for(lambda: not self._alone and not self._inside)
                self._alone = True
            finally:
                self._wanting -= 1
                self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._alone = False
                self._changed.notify_all()


def _run(connection: Any, text: Any, parameters: Parameters, limit: int | None = None) -> Table:
    """Run a statement, given as text or prepared."""
    if any(_is_frame(value) for value in parameters.values()):
        import polars  # noqa: F401 - the engine would import it: interrupted there, it breaks off in the middle
    return _table(connection.execute(text, dict(parameters)), limit)


def _run_bounded(connection: Any, text: str, parameters: Parameters, limit: int | None, timeout_seconds: float | None) -> Table:
    """Run a statement that somebody wrote: Ctrl-C or the time stops it."""
    result = run_interruptibly(connection, lambda: connection.execute(text, dict(parameters)), timeout_seconds=timeout_seconds)
    return _table(result, limit)


def _table(result: Any, limit: int | None) -> Table:
    if isinstance(result, list):
        for one in result:
            one.close()
        raise StoreError("more than one statement was given where one is run at a time")
    try:
        rows = result.get_all() if limit is None else result.get_n(limit)
        return Table(result.get_column_names(), result.get_column_data_types(), rows, limit is not None and result.has_next())
    finally:
        result.close()


def _run_arrow(
    connection: Any, text: Any, parameters: Parameters, plain_rows: int, whole: Container[str]
) -> tuple[Table, None] | tuple[None, pa.Table]:
    result = connection.execute(text, dict(parameters))
    try:
        types = result.get_column_data_types()
        names = result.get_column_names()
        fits = all(_fits_arrow(of, name in whole) for name, of in zip(names, types, strict=True))
        if result.get_num_tuples() > plain_rows and fits:
            return None, result.get_as_arrow(-1)
        return Table(names, types, result.get_all()), None
    finally:
        result.close()


def _fits_arrow(engine_type: str, whole: bool) -> bool:
    return engine_type in _ARROW_TYPES or (whole and vector_dimension(engine_type) is not None)


#: So many prepared statements are kept for each connection.
KEPT_STATEMENTS = 200


class Statements:
    """Statements prepared before, by connection: half of what a small query costs is planning it.

    A statement is planned for the types of its parameters, so other types are another statement. One that reads a frame is
    planned for that very frame, and refused with any other: it is never kept.
    """

    def __init__(self) -> None:
        self._kept: dict[int, dict[tuple[str, str], Any]] = {}

    def prepared(self, connection: Any, text: str, parameters: Parameters) -> Any:
        """The prepared statement, or the text of one that cannot be prepared for more than once: without parameters, or with a
        frame."""
        if not parameters or any(_is_frame(value) for value in parameters.values()):
            return text
        import kuzu

        kept = self._kept.setdefault(id(connection), {})
        key = (text, _shape(dict(parameters)))
        if key not in kept:
            if len(kept) >= KEPT_STATEMENTS:
                kept.clear()
            kept[key] = kuzu.PreparedStatement(connection, text, dict(parameters))
        return kept[key]

    def clear(self) -> None:
        """Let go of all, before their connections are closed."""
        self._kept.clear()


def _is_frame(value: Any) -> bool:
    """Whether ``value`` is an Arrow table: nothing else that is given to the engine has columns."""
    return hasattr(value, "column_names")


def _shape(value: Any) -> str:
    """The types in a parameter, as far as the engine tells them apart."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{name}:{_shape(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return f"[{_shape(value[0])}]" if value else "[]"
    return type(value).__name__


class Transaction:
    """A write transaction: the only way to change a mind."""

    def __init__(self, connection: Any, path: Path, statements: Statements) -> None:
        self._connection = connection
        self._path = path
        self._statements = statements
        self.has_copied = False
        #: About how many rows were written, statements that only look something up included.
        self.rows = 0
        #: What is to be written after the commit, apart from anything else; see above.
        self.late: Callable[[Transaction], None] | None = None
        #: The number of the journal entry, if that was copied: by it is told whether a commit that was cut off is whole.
        self.operation: int | None = None

    def run(self, text: str, parameters: Parameters = {}) -> Table:  # noqa: B006 - never changed
        """Run one statement. Its failure ends the transaction."""
        self.rows += 1 + len(parameters) // 3 + sum(len(value) for value in parameters.values() if isinstance(value, list))
        with translated(self._path):
            return _run(self._connection, self._statements.prepared(self._connection, text, parameters), parameters)

    def run_bounded(self, text: str, parameters: Parameters, limit: int | None, timeout_seconds: float | None) -> Table:
        """As :meth:`run`, for a statement that somebody wrote. The engine's own errors come through untranslated."""
        return _run_bounded(self._connection, text, parameters, limit, timeout_seconds)

    def copy(self, text: str, parameters: Parameters = {}) -> None:  # noqa: B006
        """Run a statement that cannot be rolled back (``COPY FROM``, ``ALTER``); failure of anything later abandons all."""
        self.has_copied = True
        with translated(self._path):
            _run(self._connection, text, parameters)


class Engine:
    """One open database file, shared by all who open it in this process."""

    def __init__(self, path: Path, *, read_only: bool, settings: Settings) -> None:
        self.path = path
        self.read_only = read_only
        self.writing = Queue()
        #: Counts how often another database took the place of this one: what was learned of it before may not hold.
        self.generation = 0
        self.planning = threading.RLock()
        self._settings = settings
        self._gate = Gate()
        self._guard = threading.Lock()
        self._idle: list[Any] = []
        self._statements = Statements()
        self._open_files: list[BinaryIO] = []
        self._rows_in_log = 0
        self._database: Any = None
        self._open()

    def _open(self, buffer_pool_bytes: int | None = None) -> None:
        import kuzu

        _recover(self.path, self._settings)
        if self.read_only and shadow_of(self.path).exists():
            Engine(self.path, read_only=False, settings=self._settings).close()  # a checkpoint was cut off: it is finished so
        with translated(self.path, opening=True):
            self._database = kuzu.Database(
                self.path,
                buffer_pool_size=buffer_pool_bytes or self._pool_bytes(),
                max_db_size=self._settings.max_db_bytes,
                read_only=self.read_only,
                compression=True,
                auto_checkpoint=False,
            )
            connection = self._connect()
            _run(connection, "CALL force_checkpoint_on_close=false", {})
            self._idle.append(connection)
        if not self.read_only:
            recovery.remove_cut_off(self.path)

    def _pool_bytes(self) -> int:
        """The buffer pool: what the settings allow, and for reading alone no more than a file of this size has use for."""
        allowed = self._settings.buffer_pool_bytes
        return min(allowed, max(LEAST_READING_BYTES, self.path.stat().st_size // 8)) if self.read_only else allowed

    def _connect(self) -> Any:
        import kuzu

        return kuzu.Connection(self._database)

    def _take(self) -> Any:
        """A connection that nobody else uses meanwhile."""
        if self._database is None:
            raise StoreError("the mind is closed", place=str(self.path), advice="Open it again.")
        with self._guard:
            if self._idle:
                return self._idle.pop()
        with translated(self.path):
            return self._connect()

    def _give(self, connection: Any) -> None:
        if not connection.is_closed:
            with self._guard:
                self._idle.append(connection)

    @contextmanager
    def _connection(self) -> Iterator[Any]:
        connection = self._take()
        try:
            yield connection
        finally:
            self._give(connection)

    def read(self, text: str, parameters: Parameters) -> Table:
        """Run one reading statement."""
        with self._gate.shared(), self._connection() as connection, translated(self.path):
            return _run(connection, self._statements.prepared(connection, text, parameters), parameters)

    def read_columns(
        self, text: str, parameters: Parameters, plain_rows: int, whole: Container[str] = ()
    ) -> tuple[Table, None] | tuple[None, pa.Table]:
        """As :meth:`read`; more than ``plain_rows`` rows come as an Arrow table. ``whole``: columns without nulls."""
        with self._gate.shared(), self._connection() as connection, translated(self.path):
            statement = self._statements.prepared(connection, text, parameters)
            return _run_arrow(connection, statement, parameters, plain_rows, whole)

    def read_guarded(self, text: str, parameters: Parameters, limit: int | None, timeout_seconds: float | None = None) -> Table:
        """Run one statement in a read-only transaction. The engine's own errors come through untranslated."""
        with self._gate.shared(), self._connection() as connection:
            _run(connection, "BEGIN TRANSACTION READ ONLY", {})
            try:
                return _run_bounded(connection, text, parameters, limit, timeout_seconds)
            finally:
                with suppress(RuntimeError):  # an error has ended the transaction already
                    _run(connection, "ROLLBACK", {})

    @contextmanager
    def transaction(self, need_bytes: int = 0, *, removes: bool = False, is_copied: bool = False) -> Iterator[Transaction]:
        """All that is written inside is kept together, or none of it. Waits for its turn among the writers.

        ``need_bytes``: memory the engine needs for it, if that may be much: it gets a larger buffer pool for the time being.
        ``removes``: whether links may be removed inside. ``is_copied``: whether the mind is written anew afterwards: then no
        checkpoint is taken before, which loses links of words where very many went (Kùzu 0.11.3).
        """
        pool = self._settings.buffer_pool_bytes
        with self.writing:
            if removes and log_of(self.path).exists():
                with self._gate.alone():
                    self._checkpoint()
            large = need_bytes > (pool * POOL_IN_USE if self._rows_in_log else pool * POOL_AT_REST)
            if large:
                self._reopen(pool + need_bytes)
            try:
                with self._written() as transaction:
                    yield transaction
            finally:
                if large:
                    self._reopen()
        if not is_copied:
            self._checkpoint_when_due()

    @contextmanager
    def _written(self) -> Iterator[Transaction]:
        with self._connection() as connection:
            transaction = Transaction(connection, self.path, self._statements)
            transaction.run("BEGIN TRANSACTION")
            try:
                yield transaction
                self._commit(transaction)
                # After COPY the engine takes a checkpoint by itself.
                self._rows_in_log = 0 if transaction.has_copied else self._rows_in_log + transaction.rows
            except BaseException:
                self._undo(transaction, connection)
                raise

    def _commit(self, transaction: Transaction) -> None:
        if not transaction.has_copied and transaction.late is None:
            transaction.run("COMMIT")
            return
        with self._gate.alone():  # the engine takes a checkpoint after COPY
            self._statements.clear()  # planned for tables as they were
            if transaction.has_copied and transaction.operation is not None:
                with recovery.marked(self.path, transaction.operation):
                    transaction.run("COMMIT")
            else:
                transaction.run("COMMIT")
            if transaction.late is not None:
                self._write_apart(transaction.late)

    def write_apart(self, write: Callable[[Transaction], None]) -> None:
        """Run ``write`` in a transaction between two checkpoints, so that it shares them with nothing else."""
        with self.writing, self._gate.alone():
            self._write_apart(write)

    def _write_apart(self, write: Callable[[Transaction], None]) -> None:
        self._checkpoint()
        with self._connection() as connection:
            transaction = Transaction(connection, self.path, self._statements)
            transaction.run("BEGIN TRANSACTION")
            try:
                write(transaction)
                transaction.run("COMMIT")
            except BaseException:
                with suppress(StoreError):  # an error has ended the transaction already
                    transaction.run("ROLLBACK")
                raise
        self._checkpoint()

    def _undo(self, transaction: Transaction, connection: Any) -> None:
        if not transaction.has_copied:
            with suppress(StoreError):  # an error has ended the transaction already
                transaction.run("ROLLBACK")
            return
        connection.close()
        self._reopen()

    def _reopen(self, buffer_pool_bytes: int | None = None) -> None:
        """Close without a checkpoint and open again: what was not committed is gone. Readers wait."""
        with self._gate.alone():
            self._shut()
            self._open(buffer_pool_bytes)

    def replace(self, fill: Callable[[Engine], None]) -> None:
        """Put a new database in the place of this one. ``fill`` writes it and may read this one; if it fails, nothing changes."""
        with self.writing:
            new = recovery.new_of(self.path)
            make(new, self._settings, fill, 2 * self.path.stat().st_size)
            with self._gate.alone():
                if log_of(self.path).exists():
                    self._checkpoint()  # so that no log is left that would be read into the new file
                self._shut()
                log_of(self.path).unlink(missing_ok=True)
                shutil.copymode(self.path, new)
                new.replace(self.path)
                self._open()
                self.generation += 1

    def copy_to(self, path: Path) -> None:
        """Copy the database file, with its log where it is only read and no checkpoint can be taken."""
        with self.writing, self._gate.alone():
            if not self.read_only:
                self._checkpoint()
            elif log_of(self.path).exists():
                shutil.copy(log_of(self.path), log_of(path))
            # Closing any descriptor of a file gives up the process's locks on it: it stays open as long as the database.
            file = self.path.open("rb")
            self._open_files.append(file)
            with recovery.private(path) as target:
                shutil.copyfileobj(file, target)

    def _checkpoint_when_due(self) -> None:
        log = log_of(self.path)
        recovery.guard_log(self.path)
        is_due = self._rows_in_log >= CHECKPOINT_ROWS or (log.exists() and log.stat().st_size >= CHECKPOINT_BYTES)
        if is_due and self._has_room():  # without room the log grows on
            self.checkpoint()

    def checkpoint(self) -> None:
        """Move the write-ahead log into the main file, while no reader runs."""
        with self.writing, self._gate.alone():
            self._checkpoint()

    def settle(self) -> None:
        """Checkpoint what a crash left in the log, unless open for reading only.

        A column dropped in the log, and anything written after it, crashes the next checkpoint.
        """
        if not self.read_only and log_of(self.path).exists():
            self.checkpoint()

    def _has_room(self) -> bool:
        """Whether a checkpoint has room on the disk. One that runs out of it leaves a file that cannot be opened any more; the
        log alone can."""
        log = log_of(self.path)
        size = log.stat().st_size if log.exists() else 0
        return shutil.disk_usage(self.path.parent).free >= ROOM_FOR_CHECKPOINT + ROOM_OF_LOG * size

    def _checkpoint(self) -> None:
        if not self._has_room():
            what = "the disk is too full to write the mind's log into its file"
            raise StoreError(what, place=str(self.path), advice="Nothing is lost. Make room on the disk, and try again.")
        with self._connection() as connection, translated(self.path):
            _run(connection, "CHECKPOINT", {})
        self._rows_in_log = 0

    def close(self, *, checkpoint: bool = True) -> None:
        """Close; what was committed is moved into the main file first. Closing twice does nothing."""
        with self.writing, self._gate.alone():
            if self._database is None:
                return
            try:
                if checkpoint and not self.read_only and log_of(self.path).exists() and self._has_room():
                    self._checkpoint()
            finally:
                self._shut()

    def _shut(self) -> None:
        """Connections first, then the database: the other order crashes."""
        with self._guard:
            idle, self._idle = self._idle, []
        self._statements.clear()
        for connection in idle:
            connection.close()
        database, self._database = self._database, None
        if database is not None:
            database.close()
        while self._open_files:
            self._open_files.pop().close()


def make(path: Path, settings: Settings, fill: Callable[[Engine], None], need_bytes: int = 0) -> None:
    """Make a whole new database, synced and closed. What a crash left there before is removed; a failure leaves nothing.

    Raises :class:`MindLockedError` while another process makes one there.
    """
    if path.exists():
        with recovery.held(path):
            recovery.remove(path)
    recovery.remove(path)
    engine = Engine(
        path, read_only=False, settings=settings.with_values(buffer_pool_bytes=settings.buffer_pool_bytes + need_bytes)
    )
    try:
        path.chmod(recovery.PRIVATE)
        fill(engine)
        engine.close()
    except BaseException:
        engine.close(checkpoint=False)
        recovery.remove(path)
        raise
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _recover(path: Path, settings: Settings) -> None:
    """Take back a bulk load whose commit was cut off, or see that it is whole."""
    if not recovery.mark_of(path).exists():
        return
    with recovery.held(path) as file:
        mark = recovery.read_mark(path)
        # A mark of this mind follows upon its last entry; any other is none of its own, and takes nothing back.
        if mark is not None and _last_entry(path, file, settings) == mark.operation - 1:
            recovery.take_back(path, mark)
        recovery.mark_of(path).unlink(missing_ok=True)


def _last_entry(path: Path, file: BinaryIO, settings: Settings) -> int:
    """The last journal entry that the engine finds, asked of a copy: opening a mind changes it."""
    with recovery.copied(path, file) as copy:
        engine = Engine(copy, read_only=False, settings=settings)
        try:
            return engine.read(shipped()["store.last_operation"].text, {}).rows[0][0] or 0
        finally:
            engine.close(checkpoint=False)


@contextmanager
def translated(path: Path, *, opening: bool = False) -> Iterator[None]:
    """Turn the engine's errors into ours, but for what ended Python code that it was running: that ends whatever goes on."""
    try:
        yield
    except (RuntimeError, ValueError, OverflowError, IndexError, MemoryError) as error:
        ended = _ENDED.match(str(error))
        if ended:
            raise (KeyboardInterrupt() if ended[1] is None else SystemExit(int(ended[1]))) from error
        raise _translation(str(error), path, opening=opening) from error


def _translation(message: str, path: Path, *, opening: bool) -> SoulmemError:
    place = str(path)
    if "lock on file" in message:
        advice = "Close the other program that has it open. Several programs may read it at once if all open it read-only."
        return MindLockedError("another process holds the mind", place=place, advice=advice)
    if "buffer pool is full" in message or "Unable to allocate memory" in message:
        return StoreError("the engine ran out of memory", place=place, advice="Raise the setting buffer_pool_bytes.")
    if "storage version" in message or "different version" in message:
        advice = "Use the version of soulmem that made it to export it, and import that here."
        return MindVersionError(f"made by another version of the engine: {message}", place=place, advice=advice)
    if "Mmap for size" in message:
        advice = "Lower the setting max_db_bytes, or raise the limit of the process (ulimit -v)."
        return StoreError(f"the engine does not get the address space it asks for: {message}", place=place, advice=advice)
    refused = _REFUSED.search(message)
    if refused:
        advice = "Who writes a mind needs the right to write the file and its folder; reading alone needs less (ask --peek)."
        return StoreError(f"the file cannot be opened: {refused[1].lower()}", place=place, advice=advice)
    if opening:
        advice = "Restore a backup. If a .wal file of another mind lies beside it, move that away first."
        return MindDamagedError(f"the mind cannot be opened: {message}", place=place, advice=advice)
    return StoreError(f"the engine refused: {message}", place=place)


def check_is_engine_file(path: Path) -> None:
    """Refuse what is certainly no mind, before the engine makes one of it."""
    advice = "Name another file, or create a mind there after moving this one away."
    if path.is_dir():
        raise MindVersionError("this is a folder, not a mind", place=str(path), advice="Name the .mind file inside.")
    with path.open("rb") as file:
        start = file.read(len(_MAGIC))
    if not start:
        raise MindDamagedError("the file is empty", place=str(path), advice=advice)
    if start != _MAGIC:
        raise MindVersionError("this file is not a mind", place=str(path), advice=advice)


_registry: dict[Path, tuple[Engine, int]] = {}
_registry_guard = threading.RLock()


def acquire(path: Path, *, read_only: bool, settings: Settings, prepare: Callable[[Engine], Engine] = lambda e: e) -> Engine:
    """The engine of ``path``, opened if this process has not opened it yet. Give it back with :func:`release`.

    ``prepare`` is run on a new engine, and gives the one to keep; if it raises, the engine is closed.
    """
    with _registry_guard:
        engine, users = _registry.get(path, (None, 0))
        if engine is None:
            check_is_engine_file(path)  # not of one that is open: see recovery.held
            engine = _prepared(Engine(path, read_only=read_only, settings=settings), prepare)
        elif engine.read_only and not read_only:
            advice = "Close the reading one first."
            raise MindLockedError("this process has the mind open for reading only", place=str(path), advice=advice)
        _registry[path] = (engine, users + 1)
        return engine


def _prepared(engine: Engine, prepare: Callable[[Engine], Engine]) -> Engine:
    try:
        return prepare(engine)
    except BaseException:
        with suppress(StoreError):
            engine.close()
        raise


def release(engine: Engine) -> None:
    """Close ``engine`` once all who acquired it have released it."""
    with _registry_guard:
        _, users = _registry.get(engine.path, (None, 0))
        if users > 1:
            _registry[engine.path] = (engine, users - 1)
            return
        _registry.pop(engine.path, None)
        engine.close()


@atexit.register
def _close_all() -> None:
    """An engine still open when the interpreter goes down crashes it."""
    with _registry_guard:
        engines = [engine for engine, _ in _registry.values()]
        _registry.clear()
    for engine in engines:
        engine.close()
