"""The friendly object: a mind that is open. It orchestrates; the mathematics is elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from soulmem.embed import Embedder, baseline, open_embedder
from soulmem.embed.texts import plain_text
from soulmem.errors import EmbedderMismatchError, NotFoundError, QueryError, StoreError
from soulmem.model.changes import Change, NoteUpdate, Operation, RecallRecord, Use
from soulmem.model.links import LinkType
from soulmem.model.messages import Chat
from soulmem.model.notes import SELF_KEY, Note, NoteType, Semantic, derived_id, display_text
from soulmem.model.queries import SubQuery
from soulmem.model.results import Memory, Recollection, Stage
from soulmem.recall.reinforce import envelope_of, reinforced_values
from soulmem.settings import Settings
from soulmem.store import EmbedderRecord, Rows, Store, create_store, mind_path, open_store
from soulmem.views import LinkView, NoteRow, NoteView, SourceView

if TYPE_CHECKING:
    from soulmem.consolidate.consolidate import ConsolidationReport
    from soulmem.consolidate.contract import Linker, Splitter
    from soulmem.ingest.report import FileReport, IngestReport
    from soulmem.recall.explain import Explanation
    from soulmem.recall.image import Image, Images
    from soulmem.recall.recollect import Trace
    from soulmem.store.queries import Query
    from soulmem.tune.profile import Profile

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
        self._images: Images | None = None

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

        ``embedder``: by default the one the mind was made with, loaded when it is first needed. ``settings``: by default those of
        the specification with the mind's own profile over them.

        Raises:
            NotFoundError: no such mind.
            MindLockedError: another process holds it.
            MindVersionError: made by a newer soulmem, or not a mind.
        """
        store = open_store(mind_path(mind), read_only=read_only, settings=settings or Settings(), now=clock())
        return cls(store, settings or _own_settings(store), clock, embedder)

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

    # -- weights of its own ---------------------------------------------------------------------------------------------------

    @property
    def profile(self) -> Profile:
        """The weights of the mind's own, which later recalls use."""
        from soulmem.tune.profile import META, read_profile

        return read_profile(self.store.meta(META))

    def save_profile(self, weights: Mapping[str, float], measured: Mapping[str, Any] | None = None) -> Operation:
        """Give the mind these weights of its own, instead of any it had. ``measured``: what they were chosen by, for the record.

        Raises :class:`InputError` for a weight that is not there, or out of its range.
        """
        from soulmem.tune.profile import saved

        operation = self.store.apply(saved(weights, measured or {}, self.clock()))
        self.settings = _own_settings(self.store)
        return operation

    def remove_profile(self) -> Operation | None:
        """Take the mind's own weights away; ``None``: it had none."""
        from soulmem.tune.profile import META, removed

        if self.store.meta(META) is None:
            return None
        operation = self.store.apply(removed(self.clock()))
        self.settings = _own_settings(self.store)
        return operation

    def remembering(self) -> Self:
        """This mind as one that reads and embeds nothing twice: for many recalls while nobody writes to it."""
        from soulmem.tune.remembered import RememberedEmbedder, RememberedStore

        return type(self)(RememberedStore(self.store), self.settings, self.clock, RememberedEmbedder(self.embedder))

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
        would be done. ``progress(file, done, total)`` is told when a file is begun, then of texts: words counted, then embedded.

        A file that cannot be read is reported, and the others go on. What a folder holds beside chats and graphs is passed over.
        """
        from soulmem.ingest.files import found_files
        from soulmem.ingest.ingest import Ingest
        from soulmem.ingest.report import IngestReport

        run = Ingest(
            store=self.store,
            embedder=lambda: self.embedder,
            at=at or self.clock(),
            strict=strict,
            dry_run=dry_run,
            progress=progress,
        )
        named = {Path(path) for path in paths}
        return IngestReport(files=tuple(run.file(file, format, named=file in named) for file in found_files(paths)))

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

        run = Ingest(store=self.store, embedder=lambda: self.embedder, at=at or self.clock(), strict=strict, dry_run=dry_run)
        return run.data(data, name, format)

    # -- consolidation --------------------------------------------------------------------------------------------------------

    def consolidate(
        self,
        at: datetime | None = None,
        dry_run: bool = False,
        accept: Collection[int] | None = None,
        splitter: Splitter | None = None,
        linker: Linker | None = None,
    ) -> ConsolidationReport:
        """Make memories of the messages that were not consolidated yet, at most 500, and let links grow and fade by what was
        recalled since; in one transaction.

        ``dry_run``: only say what would be done. ``accept``: the numbers of the entries to write, by default all; the others are
        not proposed again. ``splitter``, ``linker``: instead of the deterministic steps; what they answer is checked.

        What fails leaves the mind as it was, but for the count of failures: the third time the same messages fail, they are
        skipped, which the state of consolidation records.
        """
        from soulmem.consolidate.consolidate import Consolidation

        run = Consolidation(
            store=self.store,
            embedder=lambda: self.embedder,
            settings=self.settings,
            at=at or self.clock(),
            splitter=splitter,
            linker=linker,
        )
        return run.run(dry_run=dry_run, accept=accept)

    # -- recall ---------------------------------------------------------------------------------------------------------------

    def recall(self, text: str, top: int = 10, messages: int = 0, at: datetime | None = None) -> Recollection:
        """What ``text`` brings to mind. ``top``: most memories; ``messages``: most supporting lines; ``at``: now.

        Reads only: what was used of it is written by :meth:`commit`.
        """
        return self.traced(text, top=top, messages=messages, at=at)[0]

    def recall_queries(
        self, queries: Sequence[SubQuery], top: int = 10, at: datetime | None = None, name: str = ""
    ) -> Recollection:
        """What a structured question brings to mind."""
        return self.traced(name, queries=queries, top=top, at=at)[0]

    def traced(
        self, text: str, *, queries: Sequence[SubQuery] = (), top: int = 10, messages: int = 0, at: datetime | None = None
    ) -> tuple[Recollection, Trace]:
        """As :meth:`recall`, with the trace that :func:`soulmem.recall.explain.why` explains from."""
        return self._recollect(text, queries, top, messages, at)

    def _recollect(
        self,
        text: str,
        queries: Sequence[SubQuery],
        top: int,
        messages: int,
        at: datetime | None,
        also: tuple[str, ...] = (),
    ) -> tuple[Recollection, Trace]:
        from soulmem.recall.recollect import Question, Reader, recollect

        reader = Reader(
            image=self._image(),
            embedder=self.embedder,
            baseline=self.record.baseline,
            settings=self.settings,
            clock=time.perf_counter,
        )
        question = Question(
            text=plain_text(text), sub_queries=tuple(queries), at=at or self.clock(), top=top, messages=messages, also=also
        )
        return recollect(question, reader)

    def _image(self) -> Image:
        """The mind as recalls read it."""
        from soulmem.recall.image import Images

        self._images = self._images or Images(self.store)
        return self._images.current()

    def commit(self, recollection: Recollection, used: Sequence[Memory] | None = None) -> Operation | None:
        """Remember that ``used`` were used: they are reinforced, the recall is recorded. Nothing used: nothing written, ``None``.

        By default all memories of ``recollection`` but those that are always there.
        """
        found = [memory for memory in recollection.memories if memory.stage is not Stage.CORE]
        memories = tuple({memory.id: memory for memory in (found if used is None else used)}.values())
        if not memories:
            return None
        with self.store.turn():
            return self.store.apply(self._used(recollection, memories))

    def _used(self, recollection: Recollection, memories: Sequence[Memory]) -> Change:
        """The change that using ``memories`` makes."""
        at = recollection.at
        rows = self.store.query("recall.envelopes", ids=[memory.id for memory in memories])
        record = RecallRecord(
            id=derived_id("recall", recollection.query, at.isoformat(), self.store.query("recall.number")[0]["number"]),
            at=at,
            query=recollection.query,
            uses=tuple(Use(note=memory.id, stage=memory.stage, score=memory.score) for memory in memories),
        )
        return Change(
            command="ask",
            what="recalled 1 note" if len(memories) == 1 else f"recalled {len(memories)} notes",
            at=at,
            updates=tuple(
                NoteUpdate(note=row["id"], values=reinforced_values(envelope_of(row), at, self.settings)) for row in rows
            ),
            recalls=(record,),
        )

    # -- looking --------------------------------------------------------------------------------------------------------------

    def note(self, name: str) -> Note:
        """The note with this key or id. Raises :class:`NotFoundError`."""
        rows = self.store.query("store.note_ids", names=[plain_text(name)])
        found = self.store.notes([row["id"] for row in rows])
        if not found:
            raise NotFoundError(f"the mind has no note {name!r}", advice="soulmem list shows what there is")
        return found[0]

    def why(
        self, name: str, text: str, *, queries: Sequence[SubQuery] = (), top: int = 10, at: datetime | None = None
    ) -> Explanation:
        """Why the note with this key or id is, or is not, among what ``text`` brings to mind. Raises :class:`NotFoundError`."""
        from soulmem.recall.explain import explain

        note = self.note(name)
        recollection, trace = self._recollect(text, queries, top, 0, at, also=(note.id,))
        return explain(note.id, note.key, recollection, trace)

    def show(self, name: str, at: datetime | None = None) -> NoteView:
        """The note with this key or id, with its links and sources. Raises :class:`NotFoundError`."""
        note = self.note(name)
        envelope = self.store.query("recall.envelopes", ids=[note.id])[0]
        waiting = [pending for pending in self.store.pending() if note.key in (pending.source_key, pending.target_key)]
        return NoteView(
            note=note,
            retention=envelope_of(envelope).retention(at or self.clock(), self.settings),
            links_out=self._links("look.links_out", note.id),
            links_in=self._links("look.links_in", note.id),
            sources=tuple(
                SourceView(file=said.file, line=said.line, speaker=said.speaker, time=said.sent_at, text=said.text)
                for said in self.store.messages(note.sources)
            ),
            pending=len(waiting),
        )

    def _links(self, query: str, note: str) -> tuple[LinkView, ...]:
        return tuple(
            LinkView(
                id=row["id"],
                other=row["other"],
                other_type=NoteType(row["other_type"]),
                type=LinkType(row["type"]),
                verb=row["verb"],
                confidence=row["confidence"],
                prob=row["prob"],
                intensity=row["intensity"],
            )
            for row in self.store.query(query, id=note)
        )

    def list(
        self, type: str | None = None, tag: str | None = None, text: str | None = None, limit: int = 50, offset: int = 0
    ) -> tuple[NoteRow, ...]:
        """Notes by key, those of a type, with a tag, or with a text in them."""
        wanted = {name: plain_text(value or "") for name, value in (("type", type), ("tag", tag), ("text", text))}
        rows = self.store.query("look.list", **wanted, limit=limit, offset=offset)
        ids = [row["id"] for row in rows]
        at = self.clock()
        envelopes = {row["id"]: row for row in self.store.query("recall.envelopes", ids=ids)} if ids else {}
        return tuple(
            NoteRow(
                id=note.id,
                key=note.key,
                type=note.type,
                text=display_text(note.body),
                retention=envelope_of(envelopes[note.id]).retention(at, self.settings),
                retrieval_count=note.retrieval_count,
                tags=note.tags,
            )
            for note in self.store.notes(ids)
        )

    def stats(self) -> dict[str, Any]:
        """Counts of all there is, the embedder, the file and its size in bytes."""
        nodes = {row["name"]: row["count"] for row in self.store.query("store.node_counts")}
        links = {row["name"]: row["count"] for row in self.store.query("store.link_counts")}
        record = self.store.embedder()
        return {
            "path": str(self.store.path),
            "bytes": self.store.path.stat().st_size,
            "embedder": record.name if record else None,
            "notes": {kind.value: nodes.get(kind.value, 0) for kind in NoteType},
            "links": {kind.value: links.get(kind.value, 0) for kind in LinkType},
            "pending_links": nodes.get("PendingLink", 0),
            "chats": nodes.get("Chat", 0),
            "messages": nodes.get("Message", 0),
            "terms": nodes.get("Term", 0),
            "recalls": nodes.get("Recall", 0),
            "operations": nodes.get("Operation", 0),
        }

    def cypher(
        self,
        text: str,
        parameters: dict[str, Any] | None = None,
        *,
        limit: int | None = 100,
        write: bool = False,
        timeout_seconds: float | None = None,
    ) -> Rows:
        """Run one ad-hoc Cypher statement; only reading ones without ``write``. At most ``limit`` rows, ``timeout_seconds`` > 0.

        What is written past soulmem is not indexed: :meth:`check` tells, :meth:`reembed` mends. Raises :class:`QueryError`.
        """
        return self.store.cypher(
            text, parameters or {}, limit=limit, write=write, at=self.clock(), timeout_seconds=timeout_seconds
        )

    @staticmethod
    def shipped_queries() -> tuple[Query, ...]:
        """The reading queries that come with soulmem, those made for people first."""
        from soulmem.store.queries import Library

        library = Library()
        queries = [library[name] for name in library.names()]
        open_to_all = [query for query in queries if not (query.writes or query.choices or query.identifiers)]
        return tuple(sorted(open_to_all, key=lambda query: (not query.name.startswith("mind."), query.name)))

    def query(self, name: str, parameters: Mapping[str, Any] | None = None) -> Rows:
        """Run a shipped query. Times may be given as text (RFC 3339). Raises :class:`QueryError` or :class:`NotFoundError`."""
        query = next((query for query in self.shipped_queries() if query.name == name), None)
        if query is None:
            raise NotFoundError(f"there is no shipped query {name!r}", advice="soulmem query lists them")
        given = dict(parameters or {})
        for declared in query.parameters.values():
            if declared.type == "TIMESTAMP" and isinstance(given.get(declared.name), str):
                given[declared.name] = _time(declared.name, given[declared.name])
        columns = tuple(column.name for column in query.columns)
        rows = self.store.query(name, **given)
        return Rows(columns, tuple(tuple(row[column] for column in columns) for row in rows))

    def log(self, limit: int = 20) -> tuple[Operation, ...]:
        """The last operations, newest first."""
        return tuple(
            Operation(number=row["number"], at=row["at"], command=row["command"], what=row["what"])
            for row in self.store.query("store.operations", limit=limit)
        )

    # -- out and upkeep -------------------------------------------------------------------------------------------------------

    def export_graph(self) -> str:
        """All notes and links as Graph JSON; reading it into an empty mind gives the same mind."""
        from soulmem.ingest.graph_export import graph_json

        ids = [row["id"] for row in self.store.query("look.all_notes")]
        return graph_json(self.store.notes(ids), self.store.links(), pending=self.store.pending())

    def export_messages(self) -> str:
        """All messages as JSON Lines; reading them before the graph gives its notes their sources back."""
        from soulmem.ingest.archive import archive_text

        chats = [Chat(**row) for row in self.store.query("store.chats")]
        ids = [row["id"] for row in self.store.query("store.all_messages")]
        return archive_text(chats, self.store.messages(ids))

    def export(self, path: str | Path, messages: bool = False) -> dict[str, Any]:
        """Write the graph to ``path``, and with ``messages`` the messages beside it (``.messages.jsonl``), each file whole or
        not at all. Returns the paths written and the number of notes, links and messages."""
        from soulmem.files import write_whole

        target = Path(path)
        written = [target]
        write_whole(target, self.export_graph())
        if messages:
            written.append(target.with_suffix(".messages.jsonl"))
            write_whole(written[1], self.export_messages())
        counts = self.stats()
        return {
            "files": [str(file) for file in written],
            "notes": sum(counts["notes"].values()),
            "links": sum(counts["links"].values()),
            "messages": counts["messages"] if messages else 0,
        }

    def reembed(self, embedder: str | Embedder | None = None, progress: Callable[[int, int], None] | None = None) -> Operation:
        """Change all vectors to those of ``embedder`` (by default the mind's own), in one transaction.

        Vectors of texts that this embedder was asked for before are taken from the mind. ``progress(done, total)`` is told of
        the others. Words and names of notes that were changed past soulmem are made anew too.
        """
        from soulmem.indexing import kept_vectors, names_of, vectors_of
        from soulmem.stale import stale_terms

        chosen = embedder or self.record.name
        model = open_embedder(chosen) if isinstance(chosen, str) else chosen
        record = EmbedderRecord(model.name, model.dimension, baseline(model))
        with self.store.turn():
            notes = self.store.notes([row["id"] for row in self.store.query("look.all_notes")])
            ids = [row["id"] for row in self.store.query("store.all_messages") if not row["hidden"]]
            vectors, new = vectors_of(notes, self.store.messages(ids), model, kept_vectors(self.store), progress)
            what = f"embedder {self.record.name} → {record.name}: {len(notes)} notes, {len(ids)} messages"
            terms = stale_terms(self.store)
            names = {note.id: names_of(note) for note in notes if note.id in terms and isinstance(note.body, Semantic)}
            change = Change(
                command="reembed", what=what, at=self.clock(), vectors=vectors, embeddings=new, terms=terms, names=names
            )
            operation = self.store.replace_vectors(record, change)
        self._embedder = model
        return operation

    def check(self) -> tuple[str, ...]:
        """What is wrong with the mind, in words; empty when it is whole. Links that wait for a note: :meth:`waiting`."""
        from soulmem.stale import stale_terms
        from soulmem.store.checks import check

        stale = len(stale_terms(self.store))
        told = "1 text was changed past soulmem and is" if stale == 1 else f"{stale} texts were changed past soulmem and are"
        advice = f"{told} found by the old words: make words and vectors anew with soulmem reembed"
        return (*check(self.store), *([advice] if stale else []))

    def waiting(self) -> tuple[str, ...]:
        """The links that wait for a note that is not there yet, in words."""
        from soulmem.store.checks import waiting

        return tuple(waiting(self.store))

    def _introduce(self, name: str) -> None:
        from soulmem.indexing import indexed

        at = self.clock()
        note = Note(
            id=derived_id("note", SELF_KEY), key=SELF_KEY, body=Semantic(content=name), created_at=at, decayed_at=at, core=True
        )
        self.store.apply(indexed(Change(command="init", what=f"{name} is who this mind is", at=at, notes=(note,)), self.embedder))


def _own_settings(store: Store) -> Settings:
    """The settings of a mind of which nobody says any others."""
    profile = store.meta("profile")
    if profile is None:
        return Settings()
    from soulmem.tune.profile import with_profile

    return with_profile(Settings(), profile)


def _time(name: str, text: str) -> datetime:
    try:
        when = datetime.fromisoformat(text)
    except ValueError as error:
        raise QueryError(f"{name}: not an RFC 3339 time: {text[:40]}") from error
    return when if when.tzinfo else when.replace(tzinfo=UTC)
