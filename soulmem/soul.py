"""The friendly object: a mind that is open. It orchestrates; the mathematics is elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from soulmem.embed import Embedder, baseline, open_embedder
from soulmem.errors import EmbedderMismatchError, NotFoundError, StoreError
from soulmem.ingest.report import FileReport, IngestReport
from soulmem.model.changes import Change, NoteUpdate, Operation, RecallRecord, Use
from soulmem.model.notes import SELF_KEY, Note, Semantic, derived_id
from soulmem.model.queries import SubQuery
from soulmem.model.results import Memory, Recollection
from soulmem.settings import Settings
from soulmem.store import EmbedderRecord, Store, create_store, mind_path, open_store

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The time now, UTC."""
    return datetime.now(UTC)


class Soul:
    """A mind that is open.

    >>> with Soul.open("mind.kuzu") as soul:            # doctest: +SKIP
    ...     soul.ingest("chat.jsonl")
    ...     recollection = soul.recall("What did she promise?")
    ...     print(recollection.rendered)
    ...     soul.commit(recollection)

    Reading is safe from any thread; writes queue up, and each is one transaction. ``clock`` gives the time wherever a method is
    not told it.
    """

    def __init__(self, store: Store, settings: Settings, clock: Clock, embedder: Embedder | None = None) -> None:
        self.store = store
        self.settings = settings
        self.clock = clock
        self._embedder = embedder

    @classmethod
    def create(
        cls,
        mind: str | Path,
        *,
        embedder: str | Embedder = "e5",
        name: str | None = None,
        settings: Settings | None = None,
        clock: Clock = utc_now,
    ) -> Self:
        """Make a new mind. ``name``: of the character, who then knows itself (``sem_self``).

        Raises:
            StoreError: there is something at this place already.
            EmbedderError: the embedder is not installed or does not work.
        """
        settings = settings or Settings()
        model = open_embedder(embedder) if isinstance(embedder, str) else embedder
        record = EmbedderRecord(model.name, model.dimension, baseline(model))
        store = create_store(mind_path(mind), record, settings=settings, now=clock())
        soul = cls(store, settings, clock, model)
        if name:
            soul._introduce(name)
        return soul

    @classmethod
    def open(
        cls,
        mind: str | Path,
        *,
        read_only: bool = False,
        settings: Settings | None = None,
        embedder: Embedder | None = None,
        clock: Clock = utc_now,
    ) -> Self:
        """Open a mind by name or path.

        ``embedder``: by default the one the mind was made with, loaded when it is first needed.

        Raises:
            NotFoundError: no such mind.
            MindLockedError: another process holds it.
            MindVersionError: made by a newer soulmem, or not a mind.
        """
        settings = settings or Settings()
        store = open_store(mind_path(mind), read_only=read_only, settings=settings, now=clock())
        return cls(store, settings, clock, embedder)

    def close(self) -> None:
        """Close the mind. What was written is on disk."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # -- what the mind is made with -------------------------------------------------------------------------------------------

    @property
    def record(self) -> EmbedderRecord:
        """The embedder the mind was made with."""
        record = self.store.embedder()
        if record is None:
            raise StoreError("the mind does not say which embedder made it", advice="run: soulmem reembed")
        return record

    @property
    def embedder(self) -> Embedder:
        """The mind's embedder, loaded when first asked for.

        Raises:
            EmbedderMismatchError: the embedder given is not the mind's.
        """
        if self._embedder is None:
            self._embedder = open_embedder(self.record.name)
        if (self._embedder.name, self._embedder.dimension) != (self.record.name, self.record.dimension):
            raise EmbedderMismatchError(
                f"the mind was made with the embedder {self.record.name}, not {self._embedder.name}",
                advice=f"change the mind to it with: soulmem reembed {self._embedder.name}",
            )
        return self._embedder

    # -- in -------------------------------------------------------------------------------------------------------------------

    def ingest(
        self,
        *paths: str | Path,
        format: str | None = None,
        strict: bool = False,
        dry_run: bool = False,
        at: datetime | None = None,
        progress: Callable[[str, int, int], None] | None = None,
    ) -> IngestReport:
        """Read files and folders into the mind, one transaction for each file.

        ``format``: forced instead of detected. ``strict``: a file with any problem is refused whole. ``dry_run``: reports what
        would be done. ``progress(file, done, total)`` is told of texts embedded.

        A file that cannot be read is reported, and the others go on.
        """
        from soulmem.ingest.files import found_files
        from soulmem.ingest.ingest import Ingest

        run = Ingest(self.store, lambda: self.embedder, at or self.clock(), strict=strict, dry_run=dry_run, progress=progress)
        return IngestReport(files=tuple(run.file(file, format) for file in found_files(paths)))

    def ingest_bytes(
        self,
        data: bytes,
        *,
        name: str = "-",
        format: str | None = None,
        strict: bool = False,
        dry_run: bool = False,
        at: datetime | None = None,
    ) -> FileReport:
        """Read one file's content, as :meth:`ingest`; ``name`` is what its lines are said to come from."""
        from soulmem.ingest.ingest import Ingest

        run = Ingest(self.store, lambda: self.embedder, at or self.clock(), strict=strict, dry_run=dry_run)
        return run.data(data, name, format)

    # -- recall ---------------------------------------------------------------------------------------------------------------

    def recall(self, text: str, top: int = 10, messages: int = 0, at: datetime | None = None) -> Recollection:
        """What ``text`` brings to mind. ``top``: most memories; ``messages``: most supporting lines; ``at``: now.

        Reads only: what was used of it is written by :meth:`commit`.
        """
        return self.traced(text, top=top, messages=messages, at=at)[0]

    def recall_queries(self, queries: Sequence[SubQuery], top: int = 10, at: datetime | None = None, name: str = "") -> Recollection:
        """What a structured question brings to mind."""
        return self.traced(name, queries=queries, top=top, at=at)[0]

    def traced(
        self, text: str, *, queries: Sequence[SubQuery] = (), top: int = 10, messages: int = 0, at: datetime | None = None
    ) -> tuple[Recollection, Any]:
        """As :meth:`recall`, with the trace that :func:`soulmem.recall.explain.why` explains from."""
        from soulmem.recall.recollect import Question, Reader, recollect

        reader = Reader(
            store=self.store,
            embedder=self.embedder,
            baseline=self.record.baseline,
            settings=self.settings,
            clock=time.perf_counter,
        )
        question = Question(text=text, sub_queries=tuple(queries), at=at or self.clock(), top=top, messages=messages)
        return recollect(question, reader)

    def commit(self, recollection: Recollection, used: Sequence[Memory] | None = None) -> Operation | None:
        """Remember that ``used`` (by default all memories of ``recollection``) were used: they are reinforced, the recall is
        recorded. Nothing used: nothing written, ``None``."""
        memories = recollection.memories if used is None else tuple(used)
        if not memories:
            return None
        at = recollection.at
        rows = self.store.query("recall.envelopes", ids=[memory.id for memory in memories])
        record = RecallRecord(
            id=derived_id("recall", recollection.query, at.isoformat(), time.time_ns()),
            at=at,
            query=recollection.query,
            uses=tuple(Use(note=memory.id, stage=memory.stage, score=memory.score) for memory in memories),
        )
        return self.store.apply(
            Change(
                command="ask",
                what=f"recalled {len(memories)} notes",
                at=at,
                updates=tuple(self._reinforced(row, at) for row in rows),
                recalls=(record,),
            )
        )

    def _reinforced(self, row: dict[str, Any], at: datetime) -> NoteUpdate:
        from soulmem.recall.reinforce import reinforced_values

        return NoteUpdate(note=row["id"], values=reinforced_values(row, at, self.settings))

    # -- looking --------------------------------------------------------------------------------------------------------------

    def note(self, name: str) -> Note:
        """The note with this key or id. Raises :class:`NotFoundError`."""
        rows = self.store.query("store.note_ids", names=[name])
        found = self.store.notes([row["id"] for row in rows])
        if not found:
            raise NotFoundError(f"the mind has no note {name!r}", advice="soulmem list shows what there is")
        return found[0]

    def _introduce(self, name: str) -> None:
        from soulmem.indexing import indexed

        at = self.clock()
        note = Note(
            id=derived_id("note", SELF_KEY), key=SELF_KEY, body=Semantic(content=name), created_at=at, decayed_at=at, core=True
        )
        self.store.apply(indexed(Change(command="init", what=f"{name} is who this mind is", at=at, notes=(note,)), self.embedder))
