"""The friendly object: a mind that is open. It orchestrates; the mathematics is elsewhere."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from soulmem.embed import Embedder, baseline, open_embedder
from soulmem.embed.texts import plain_text
from soulmem.errors import EmbedderMismatchError, InputError, ModelError, NotFoundError, QueryError, StoreError
from soulmem.model.changes import Change, NoteUpdate, Operation, RecallRecord, Superseding, Use
from soulmem.model.links import LinkType
from soulmem.model.messages import Chat, Message, Role
from soulmem.model.notes import (
    REVISABLE,
    SELF_KEY,
    Body,
    Note,
    NoteType,
    Revision,
    Semantic,
    believed_texts,
    derived_id,
    display_text,
)
from soulmem.model.queries import SubQuery
from soulmem.model.results import Fading, Memory, Recollection, Stage
from soulmem.recall.plastic import uses_of
from soulmem.recall.reinforce import envelope_of, reinforced_values, revised_values
from soulmem.settings import Settings
from soulmem.store import EmbedderRecord, Rows, Store, all_notes, create_store, mind_path, open_store
from soulmem.text.counts import counted
from soulmem.views import LedNote, LinkView, NearNote, NoteRow, NoteView, SourceView, SupersededView
from soulmem.working.activation import Activation

if TYPE_CHECKING:
    from soulmem.analysis.frames import Frames
    from soulmem.consolidate.consolidate import ConsolidationReport
    from soulmem.consolidate.contract import Linker, Splitter
    from soulmem.edit import Edit, Edited
    from soulmem.export.forms import Form
    from soulmem.forget.for_good import ForgetReport
    from soulmem.forget.present import Present
    from soulmem.forget.request import Request
    from soulmem.forget.sweep import Forecast, SweepReport
    from soulmem.history import Diff, NoteEvent
    from soulmem.ingest.report import FileReport, IngestReport
    from soulmem.llm.contract import Model
    from soulmem.mending import Repair
    from soulmem.past import Past
    from soulmem.quality import Remark
    from soulmem.recall.explain import Explanation
    from soulmem.recall.image import Image, Images
    from soulmem.recall.recollect import Trace
    from soulmem.scopes.views import View, Views
    from soulmem.store.queries import Query
    from soulmem.tune.profile import Profile
    from soulmem.working.observer import IdleReport, Line, Observed, Observer, WindowView
    from soulmem.working.records import NoteRecord
    from soulmem.working.window import Event

#: The recorded values that the settings of a mind are made of: its profile, and what was set over it.
_SETTINGS = ("profile", "settings")

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
        self._views: Views | None = None
        self._activations: dict[str, Activation] = {}
        self._observer: Observer | None = None
        self._model: Model | None = None
        self._summary_problems: list[str] = []
        #: What was left as it was when the last recall was committed, and why, in words.
        self.problems: tuple[str, ...] = ()
        #: What this is a copy of, where it is a mind as it was.
        self.past: Past | None = None
        self._ended: Callable[[], Any] | None = None
        #: What was used lately comes to mind more easily: in this process, and only while it ``is_talking``.
        self.activation = Activation(settings)
        #: Whether short-term activation counts; so it does once something was observed.
        self.is_talking = False

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
        as_of: int | datetime | None = None,
    ) -> Self:
        """Open a mind by name or path.

        ``as_of``: the number of an operation, or a time: the mind as it was then, for reading alone, and now is then. It is a
        private copy, which takes as long as writing the mind anew and is removed when it is closed. What was forgotten for good
        since is not in it; what is kept from somebody now is kept from them then.

        ``embedder``: by default the one the mind was made with, loaded when it is first needed. ``settings``: by default those of
        the specification with the mind's own profile over them.

        Raises:
            NotFoundError: no such mind.
            MindLockedError: another process holds it.
            MindVersionError: made by a newer soulmem, or not a mind.
            UndoError: ``as_of`` is before something of which is not known what it changed.
        """
        if as_of is not None:
            return cls._open_past(mind_path(mind).resolve(), as_of, settings, embedder, clock)
        store = open_store(mind_path(mind), read_only=read_only, settings=settings or Settings(), now=clock())
        return cls(store, settings or _own_settings(store), clock, embedder)

    @classmethod
    def _open_past(
        cls, path: Path, as_of: int | datetime, settings: Settings | None, embedder: Embedder | None, clock: Clock
    ) -> Self:
        from soulmem.past import past_of

        past = past_of(path, as_of, settings or Settings(), clock(), cls)
        try:
            soul = cls.open(past.path, read_only=True, settings=settings, embedder=embedder, clock=lambda: past.moment.at)
        except BaseException:
            past.remove()
            raise
        soul.past, soul._ended = past, weakref.finalize(soul, past.remove)
        return soul

    def close(self) -> None:
        """Close the mind. What was written is on disk."""
        self.store.close()
        if self._ended is not None:
            self._ended()

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

        return self._configured(lambda: saved(weights, measured or {}, self.clock()))

    def remove_profile(self) -> Operation | None:
        """Take the mind's own weights away; ``None``: it had none."""
        from soulmem.tune.profile import META, removed

        if self.store.meta(META) is None:
            return None
        return self._configured(lambda: removed(self.clock()))

    @property
    def own_values(self) -> Mapping[str, float]:
        """The constants that were set for this mind, by name; they come before its profile."""
        from soulmem.own_settings import META, read_values

        return read_values(self.store.meta(META))[0]

    def set_values(self, values: Mapping[str, float | None]) -> Operation:
        """Set constants for this mind, in one operation; ``None`` takes one away again. Those not named stay.

        Where half-lives change, what is left of the notes now is written down, and they go on fading from there.

        Raises :class:`InputError` for a constant that is not there, or out of its range.
        """
        from soulmem.own_settings import META, changed

        return self._configured(lambda: changed(self.store.meta(META), values, self.clock()))

    @property
    def preset(self) -> str | None:
        """Whose memory this mind has: ``human``, ``elephant``, ``goldfish``; ``None``: half-lives of its own."""
        from soulmem.forget.presets import preset_of

        return preset_of(self.settings)

    def use_preset(self, preset: str) -> Operation:
        """Give the mind the half-lives of ``human`` (the defaults), ``elephant`` or ``goldfish``, as :meth:`set_values` does.

        Raises :class:`InputError` for a preset that is not there."""
        from soulmem.forget.presets import NAME, preset_values
        from soulmem.own_settings import META, changed

        values = preset_values(preset)
        return self._configured(
            lambda: replace(changed(self.store.meta(META), values, self.clock()), what=f"settings: {NAME}={preset}")
        )

    def _configured(self, change: Callable[[], Change]) -> Operation:
        """Write a change of the mind's constants, and use them."""
        with self.store.turn():
            operation = self.store.apply(self._settled(change()))
        self.settings = _own_settings(self.store)
        return operation

    def _settled(self, change: Change) -> Change:
        """``change``, and if it changes the half-lives, what is left of the notes before."""
        after = self._settings_after(change)
        if after is None:
            return change
        from soulmem.forget.sweep import is_same_curve, settled_updates

        if is_same_curve(self.settings, after):
            return change
        own = {update.note for update in change.updates} | set(change.removed.notes)
        rows = (row for row in self.store.query("forget.envelopes") if row["id"] not in own)
        return replace(change, updates=(*change.updates, *settled_updates(rows, change.at, self.settings, after)))

    def _settings_after(self, change: Change) -> Settings | None:
        """The settings of the mind after ``change``; ``None`` where it says nothing of them."""
        if not any(name in change.meta or name in change.removed.meta for name in _SETTINGS):
            return None
        values = (None if name in change.removed.meta else change.meta.get(name, self.store.meta(name)) for name in _SETTINGS)
        return _settings_of(*values)

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
        aged: bool = False,
        encoding: str | None = None,
        scope: str = "public",
        present: Sequence[str] = (),
        progress: Callable[[str, int, int], None] | None = None,
    ) -> IngestReport:
        """Read files and folders into the mind, one transaction for each file.

        ``format``: forced instead of detected. ``strict``: a file with any problem is refused whole. ``dry_run``: reports what
        would be done. ``aged``: what is read has faded since it happened, instead of beginning to fade now. ``encoding``: of
        texts that are neither UTF-8 nor marked, instead of the one they look like. ``scope``: who may hear of the chats that are
        read; ``present``: who heard them besides those who speak. ``progress(file, done, total)`` is told when a file is begun,
        then of texts: searched for names, words counted, embedded; and then of rows that are written, if many.

        A file that cannot be read is reported, and the others go on. What a folder holds beside chats and graphs is passed over,
        and so is another character's: its card, talks in which the mind's character does not speak, and beside these lorebooks
        that nothing links with it. What is named is read.
        A zip is read like a folder, its files called ``chats.zip!name``.
        """
        from soulmem.ingest.files import found_files
        from soulmem.ingest.ingest import Ingest
        from soulmem.ingest.rehearsal import are_several, rehearsal
        from soulmem.ingest.report import IngestReport
        from soulmem.scopes.contexts import checked_scope

        run = Ingest(
            store=self.store,
            embedder=lambda: self.embedder,
            at=at or self.clock(),
            strict=strict,
            dry_run=dry_run,
            settings=self.settings,
            aged=aged,
            encoding=encoding,
            scope=checked_scope(scope),
            present=tuple(present),
            progress=progress,
        )
        named = {Path(path) for path in paths}
        found = found_files(paths)
        if dry_run and are_several(found.files):
            with rehearsal(self.store, run.at) as (store, embedder):
                trial = replace(run, store=store, embedder=lambda: embedder, dry_run=False)
                return IngestReport(files=tuple(trial.found(found, format, named)))
        return IngestReport(files=tuple(run.found(found, format, named)))

    def ingest_bytes(
        self,
        data: bytes,
        *,
        name: str = "-",
        format: str | None = None,
        strict: bool = False,
        dry_run: bool = False,
        at: datetime | None = None,
        aged: bool = False,
        encoding: str | None = None,
        scope: str = "public",
        present: Sequence[str] = (),
        progress: Callable[[str, int, int], None] | None = None,
    ) -> FileReport:
        """Read one file's content, as :meth:`ingest`; ``name`` is what its lines are said to come from."""
        from soulmem.ingest.ingest import Ingest
        from soulmem.scopes.contexts import checked_scope

        run = Ingest(
            store=self.store,
            embedder=lambda: self.embedder,
            at=at or self.clock(),
            strict=strict,
            dry_run=dry_run,
            settings=self.settings,
            aged=aged,
            encoding=encoding,
            progress=progress,
            scope=checked_scope(scope),
            present=tuple(present),
        )
        return run.data(data, name, format)

    # -- consolidation --------------------------------------------------------------------------------------------------------

    def consolidate(
        self,
        at: datetime | None = None,
        dry_run: bool = False,
        accept: Collection[int] | None = None,
        splitter: Splitter | None = None,
        linker: Linker | None = None,
        from_start: bool = False,
    ) -> ConsolidationReport:
        """Make memories of the messages that were not consolidated yet, at most 500, and let links grow and fade by what was
        recalled since; in one transaction.

        Chats that were ingested count as consolidated: they brought their situations and names. ``from_start``: draw facts from
        them too, from the first line of every chat on; what is there already is not added again.

        ``dry_run``: only say what would be done. ``accept``: the numbers of the entries to write, by default all; the others are
        not proposed again. ``splitter``, ``linker``: instead of the deterministic steps; what they answer is checked.

        What fails leaves the mind as it was, but for the count of failures: the third time the same messages fail, they are
        skipped, which the state of consolidation records.
        """
        from soulmem.consolidate.consolidate import Consolidation

        moment = at or self.clock()
        if self._model is not None:
            by_model = self._by_model(self._model, moment)
            splitter, linker = splitter or by_model[0], linker or by_model[1]
        run = Consolidation(
            store=self.store,
            embedder=lambda: self.embedder,
            settings=self.settings,
            at=moment,
            splitter=splitter,
            linker=linker,
            summaries=self.observer.summaries() if splitter else {},
            cleared=self.observer.cleared,
            from_start=from_start,
        )
        try:
            return run.run(dry_run=dry_run, accept=accept)
        finally:
            self.observer.reread()

    def use_model(self, model: Model | None) -> None:
        """Let ``model`` write summaries, split and link what is consolidated, and guess what is forgotten of memories that are
        used; ``None``: no model does, as at first."""
        from soulmem.consolidate.by_model import ModelSummariser
        from soulmem.working.summary import Extractive

        self._model = model
        tell = self._summary_problems.append
        self.observer.summariser = Extractive() if model is None else ModelSummariser(model, self._called(), tell)

    def _by_model(self, model: Model, at: datetime) -> tuple[Splitter, Linker]:
        from soulmem.consolidate.by_model import ModelLinker, ModelSplitter

        return ModelSplitter(model, self._called(), at), ModelLinker(model, self._called())

    def _called(self) -> str:
        """What the character is called."""
        names = self.own_names()
        return names[0] if names else self.store.path.stem

    # -- recall ---------------------------------------------------------------------------------------------------------------

    def recall(
        self,
        text: str,
        top: int = 10,
        messages: int = 0,
        at: datetime | None = None,
        *,
        chat: str | None = "default",
        heard_in: str | None = None,
        original: bool = False,
    ) -> Recollection:
        """What ``text`` brings to mind. ``top``: most memories; ``messages``: most supporting lines; ``at``: now. ``chat``: the
        talk that was observed and whose window and summary come along; ``None``: none. ``heard_in``: the scope it is asked in
        (``public``, ``direct:<person>``, ``group:<id>``), where nothing comes to mind that must not be heard there; ``None``: the
        owner asks, and all there is may come to mind. ``original``: tell memories as they were written, whatever was forgotten of
        them since.

        Reads only: what was used of it is written by :meth:`commit`. Raises :class:`InputError` for what is no scope.
        """
        return self.traced(text, top=top, messages=messages, at=at, chat=chat, heard_in=heard_in, original=original)[0]

    def recall_queries(
        self,
        queries: Sequence[SubQuery],
        top: int = 10,
        at: datetime | None = None,
        name: str = "",
        *,
        heard_in: str | None = None,
        original: bool = False,
    ) -> Recollection:
        """What a structured question brings to mind. ``heard_in`` and ``original``: as for :meth:`recall`."""
        return self.traced(name, queries=queries, top=top, at=at, heard_in=heard_in, original=original)[0]

    def traced(
        self,
        text: str,
        *,
        queries: Sequence[SubQuery] = (),
        top: int = 10,
        messages: int = 0,
        at: datetime | None = None,
        chat: str | None = "default",
        heard_in: str | None = None,
        original: bool = False,
    ) -> tuple[Recollection, Trace]:
        """As :meth:`recall`, with the trace that :func:`soulmem.recall.explain.why` explains from."""
        return self._recollect(text, queries, top, messages, at, chat=chat, heard_in=heard_in, original=original)

    def _recollect(
        self,
        text: str,
        queries: Sequence[SubQuery],
        top: int,
        messages: int,
        at: datetime | None,
        also: tuple[str, ...] = (),
        chat: str | None = None,
        heard_in: str | None = None,
        original: bool = False,
    ) -> tuple[Recollection, Trace]:
        from soulmem.recall.recollect import Question, Reader, recollect

        reader = Reader(
            image=self._image() if heard_in is None else self._view(heard_in).image,
            embedder=self.embedder,
            baseline=self.record.baseline,
            settings=self.settings,
            clock=time.perf_counter,
        )
        now = at or self.clock()
        view = self._talked(chat, now, heard_in) if chat is not None else None
        question = Question(
            text=plain_text(text),
            sub_queries=tuple(queries),
            at=now,
            top=top,
            messages=messages,
            also=also,
            activation=self._activation(heard_in).at(now) if self.is_talking else {},
            window=view.messages if view else (),
            summary=view.summary if view else "",
            heard_in=heard_in,
            original=original,
        )
        return recollect(question, reader)

    def is_answered(self, query: SubQuery, at: datetime | None = None, *, heard_in: str | None = None) -> bool:
        """Whether the mind has anything to answer ``query`` with: what resembles it most reaches the floor."""
        _, trace = self.traced("", queries=(query,), at=at, chat=None, heard_in=heard_in)
        best = max((candidate.relevance for candidate in trace.candidates.values()), default=0.0)
        return best >= self.settings.similarity_floor

    def nearest(self, text: str, top: int = 10) -> tuple[NearNote, ...]:
        """The ``top`` notes nearest to ``text`` by their vectors alone, best first: what recall is compared with."""
        from soulmem.recall.nearest import nearest

        return nearest(plain_text(text), self._image(), self.embedder, self.record.baseline, top)

    def leads_to(self, name: str, top: int = 10, at: datetime | None = None) -> tuple[LedNote, ...]:
        """What the note with this key or id leads to by walking alone, the ``top`` it leads to most, best first; whatever is
        asked, and whether or not it would be remembered. Raises :class:`NotFoundError`."""
        from soulmem.recall.leads import leads

        note = self.note(name)
        return leads(note.id, self._image(), self.settings, at or self.clock(), top, time.perf_counter)

    def _image(self) -> Image:
        """The mind as recalls read it."""
        return self._all_images().current()

    def _all_images(self) -> Images:
        from soulmem.recall.image import Images

        self._images = self._images or Images(self.store)
        return self._images

    def _viewing(self) -> Views:
        from soulmem.scopes.views import Views

        kept = self.past.kept if self.past else None
        self._views = self._views or Views(self.store, self._all_images(), kept)
        return self._views

    def _view(self, heard_in: str) -> View:
        """The mind as it is seen in a scope. Raises :class:`InputError` for what is none."""
        from soulmem.scopes.contexts import checked_scope

        return self._viewing().of(checked_scope(heard_in))

    def is_public(self, found: Recollection) -> bool:
        """Whether all that ``found`` tells may be heard in public."""
        from soulmem.scopes.contexts import PUBLIC

        held = self._viewing().unheard(PUBLIC)
        notes = [memory.id for memory in found.memories] + [one.id for one in (*found.actions, *found.self_knowledge)]
        lines = [(one.scope, one.kept_from) for one in found.messages] + [(one.scope, one.kept_from) for one in found.window]
        is_open = held.notes.isdisjoint(notes) and all(line == (PUBLIC, ()) for line in lines)
        return not held or (is_open and not found.summary)

    def kept_from(self, found: Recollection, chat: str) -> tuple[str, ...]:
        """From whom anything is kept that ``found`` tells, in the talk ``chat``."""
        from soulmem.working.talk import chat_id

        told = {one.id for one in found.memories} | {one.id for one in (*found.actions, *found.self_knowledge)}
        kept = [row["kept_from"] for row in self.store.query("recall.secrets") if row["id"] in told]
        kept += [*(one.kept_from for one in found.messages), *(one.kept_from for one in found.window)]
        if found.summary:  # which lines it was made of is not known for certain
            lines = self.store.query("recall.restricted_lines")
            kept += [row["kept_from"] or () for row in lines if row["chat"] == chat_id(chat) and not row["hidden"]]
        return tuple(dict.fromkeys(name for names in kept for name in names))

    def _seen(self, heard_in: str | None) -> Store:
        """The store to read with in a scope; ``None``: all of it."""
        return self.store if heard_in is None else self._view(heard_in).store

    def _given_away(self, heard_in: str | None) -> Store:
        """The store to hand on from, to those who listen in a scope."""
        from soulmem.scopes.contexts import checked_scope
        from soulmem.scopes.seen import given_away

        return self.store if heard_in is None else given_away(self.store, self._viewing().unheard(checked_scope(heard_in)))

    def _activation(self, heard_in: str | None) -> Activation:
        """What was used lately, here: what was used in a private talk is not more on the mind in another."""
        from soulmem.scopes.contexts import PUBLIC, normal_scope  # a recall of the owner does without

        if heard_in is None or normal_scope(heard_in) == PUBLIC:
            return self.activation
        return self._activations.setdefault(normal_scope(heard_in), Activation(self.settings))

    def commit(
        self, recollection: Recollection, used: Sequence[Memory] | None = None, *, complete: bool = True
    ) -> Operation | None:
        """Remember that ``used`` were used: they are reinforced, the recall is recorded. Nothing used: nothing written, ``None``.

        By default all memories of ``recollection`` but those that are always there. With a model (:meth:`use_model`) and
        ``complete``, what is forgotten of them is guessed, once for each: the guess stands in place of the text from then on, and
        is part of the same operation. What it could not guess is told by ``problems``.
        """
        found = [memory for memory in recollection.memories if memory.stage is not Stage.CORE]
        memories = tuple({memory.id: memory for memory in (found if used is None else used)}.values())
        if not memories:
            return None
        self.problems = ()
        revisions = self._guessed(memories, recollection.at) if complete else {}
        with self.store.turn():
            there = {note.id: note for note in self.store.notes(list(revisions))}
            kept = {note: revision for note, (body, revision) in revisions.items() if note in there and there[note].body == body}
            operation = self.store.apply(self._used(recollection, memories, kept))
        self._activation(recollection.heard_in).used((memory.id for memory in memories), recollection.at)
        return operation

    def _guessed(self, memories: Sequence[Memory], at: datetime) -> dict[str, tuple[Body, Revision]]:
        """What the model believes of the memories whose texts have blanks, with the notes as they were when it was asked."""
        from soulmem.recall.completing import guessed

        hazy = [memory.id for memory in memories if memory.fading is Fading.REVISED]
        if self._model is None or not hazy:
            return {}
        about = self.note(SELF_KEY).body if self.own_names() else None
        told = about.description if isinstance(about, Semantic) else ""
        bodies = {note.id: note.body for note in self.store.notes(hazy)}
        done = guessed(self._image(), hazy, at, self.settings, self._model, self._called(), told)
        self.problems = done.problems
        return {note: (bodies[note], revision) for note, revision in done.revisions.items()}

    def _used(self, recollection: Recollection, memories: Sequence[Memory], revisions: Mapping[str, Revision]) -> Change:
        """The change that using ``memories`` makes."""
        at = recollection.at
        rows = self.store.query("recall.envelopes", ids=[memory.id for memory in memories])
        record = RecallRecord(
            id=derived_id("recall", recollection.query, at.isoformat(), self.store.query("recall.number")[0]["number"]),
            at=at,
            query=recollection.query,
            uses=uses_of(memories, self.store.notes([memory.id for memory in memories]), recollection.heard_in),
        )
        return Change(
            command="ask",
            what=f"recalled {counted(len(memories), 'note')}",
            at=at,
            updates=tuple(
                NoteUpdate(
                    note=row["id"],
                    values=reinforced_values(envelope_of(row), at, self.settings) | revised_values(revisions.get(row["id"])),
                )
                for row in rows
            ),
            recalls=(record,),
        )

    # -- working memory -------------------------------------------------------------------------------------------------------

    @property
    def observer(self) -> Observer:
        """What observes talks for this mind; give it another summariser to have summaries written by a model."""
        if self._observer is None:
            from soulmem.working.observer import Observer

            self._observer = Observer(self.store, self.settings, lambda: self.embedder, lambda: self.clock())
        return self._observer

    def observe(
        self,
        text: str,
        *,
        speaker: str,
        role: Role | str = Role.USER,
        at: datetime | None = None,
        scope: str = "public",
        present: Sequence[str] = (),
        chat: str = "default",
        tag: bool = False,
        hidden: bool = False,
        token: str | None = None,
        replace: str | None = None,
    ) -> Observed:
        """Take in what is said now: a message of the mind, in the window of its talk, found by its words at once.

        When this returns, it is written. ``scope``: who hears it, ``public``, ``direct:<person>`` or ``group:<id>``;
        ``present``: by name, who hears it in a group without speaking there. ``tag``: what is in the window is summarised when
        the line slides out of it; ``hidden``: it is kept, but was not said. ``token``: a name of your own for the line; a
        second try with it adds nothing. ``replace``: the id of the last message, which is said again otherwise: the former is
        kept, hidden.

        Raises :class:`InputError` for a line that says nothing, and for a ``token`` that was given to another line.
        """
        from soulmem.working.observer import Line

        line = Line(
            text=text,
            speaker=speaker,
            at=at or self.clock(),
            role=Role(role),
            scope=scope,
            present=tuple(present),
            tag=tag,
            hidden=hidden,
            token=token,
            replaces=replace,
        )
        return self.observe_many([line], chat)[0]

    def observe_many(self, lines: Sequence[Line], chat: str = "default") -> list[Observed]:
        """As :meth:`observe`, of several lines in one transaction: all of them or none."""
        observed = self.observer.observe(lines, chat) if lines else []
        self.is_talking = self.is_talking or bool(lines)
        return observed

    def end_talk(self, chat: str = "default", at: datetime | None = None) -> tuple[Event, ...]:
        """The talk has ended, or turned to something else: its last message is tagged. Gives what that did; nothing if it was."""
        return self.observer.end_talk(at or self.clock(), chat)

    def retract(self, chat: str = "default", at: datetime | None = None) -> Message | None:
        """Take back the last message of the window as if it had not been said; it is kept, hidden. ``None``: there is none."""
        return self.observer.retract(at or self.clock(), chat)

    def window(self, chat: str = "default", at: datetime | None = None, *, heard_in: str | None = None) -> WindowView:
        """What is in the window of a talk, the summary of what came before, and whether the mind is working or idle.
        ``heard_in``: only what may be heard in that scope."""
        if heard_in is None:
            return self.observer.window(at or self.clock(), chat)
        from soulmem.scopes.contexts import checked_scope

        return self.observer.window(at or self.clock(), chat, self._viewing().unheard(checked_scope(heard_in)))

    def _talked(self, chat: str, at: datetime, heard_in: str | None = None) -> WindowView | None:
        """The window of a talk, if this mind has observed one; a recall in any other need not look."""
        from soulmem.working.talk import talk_meta

        return self.window(chat, at, heard_in=heard_in) if self.store.meta(talk_meta(chat)) is not None else None

    def talks(self) -> tuple[str, ...]:
        """The names of the talks that were observed."""
        return self.observer.talks()

    def idle(self, at: datetime | None = None, *, forced: bool = False) -> IdleReport:
        """Do what waits for quiet: due summaries, vectors of observed lines, consolidation, a sweep. While there is talk nothing
        is done, unless ``forced``; and then only a full window is consolidated, since what is cut off in the middle is understood
        worse. With the setting ``idle_consolidate`` 0 nothing is consolidated here: a person looks at the plan first.

        What a model fails at waits for the next time, or is done by rules: see ``trouble`` and ``problems`` of the report.
        """
        from soulmem.working.state import State

        moment = at or self.clock()
        self._summary_problems.clear()
        report = self.observer.idle(moment, forced=forced)
        report = replace(report, problems=tuple(self._summary_problems))
        waiting = self._unconsolidated() if self.settings.idle_consolidate else 0
        if waiting and (report.state is State.IDLE or (forced and waiting >= self.settings.window_capacity)):
            report = self._consolidated(report, moment)
        if report.state is not State.IDLE and not forced:
            return report
        from soulmem.forget.sweep import BY_ITSELF

        return replace(report, asleep=self._swept(moment, BY_ITSELF).asleep)

    def _consolidated(self, report: IdleReport, at: datetime) -> IdleReport:
        try:
            done = self.consolidate(at=at)
        except ModelError as error:
            return replace(report, trouble=error.what)
        return replace(report, consolidation=done, problems=(*report.problems, *done.problems))

    def _unconsolidated(self) -> int:
        """How many messages wait to be consolidated."""
        from soulmem.consolidate.state import META, state_of

        state = state_of(self.store.meta(META))
        rows = self.store.query("consolidate.unread_chats")
        return sum(max(row["last"] - state.cursor(row["chat"]), 0) for row in rows)

    def feedback(self, notes: Sequence[str], sign: int, at: datetime | None = None) -> Operation | None:
        """What the user said to memories, by id: ``sign`` +1 or −1. None: nothing is written. Raises :class:`InputError`."""
        from soulmem.working.records import FEEDBACK

        if sign not in (-1, 1):
            raise InputError(f"feedback is +1 or -1, not {sign}")
        if not notes:
            return None
        moment = at or self.clock()
        with self.store.turn():
            number = self.store.query("recall.number")[0]["number"]
            record = RecallRecord(
                id=derived_id("feedback", moment.isoformat(), number),
                at=moment,
                query="",
                uses=tuple(Use(note=note, stage=FEEDBACK, score=float(sign)) for note in dict.fromkeys(notes)),
            )
            what = f"feedback {sign:+d} on {counted(len(record.uses), 'note')}"
            return self.store.apply(Change(command="feedback", what=what, at=moment, recalls=(record,)))

    def records(self, *, heard_in: str | None = None) -> tuple[NoteRecord, ...]:
        """When each note was recalled, how often, and what the user said to it; of notes of which there is anything to say.
        ``heard_in``: of those that may be heard of in that scope."""
        from soulmem.working.records import records_of

        return records_of(self._seen(heard_in).query("working.records"))

    def hot_notes(self, top: int | None = None, *, heard_in: str | None = None) -> tuple[NoteRecord, ...]:
        """The notes recalled most often, the most recalled first; ``top``: by default the setting ``hot_notes``. ``heard_in``:
        of those that may be heard of in that scope."""
        from soulmem.working.records import hot

        return hot(self.records(heard_in=heard_in), self.settings.hot_notes if top is None else top)

    def preload(self) -> int:
        """Read what the next recall will need, hot notes first among it, so that it need not wait. How many notes are hot."""
        image, notes = self._image(), [record.note for record in self.hot_notes()]
        there = [note for note in notes if note in image.table.places]
        image.telling.of(there)
        return len(there)

    # -- looking --------------------------------------------------------------------------------------------------------------

    def note(self, name: str) -> Note:
        """The note with this key or id. Raises :class:`NotFoundError`."""
        return self._note(self.store, name, is_owner=True)

    def _note(self, store: Store, name: str, *, is_owner: bool) -> Note:
        rows = store.query("store.note_ids", names=[plain_text(name)])
        found = store.notes([row["id"] for row in rows])
        if not found:
            # Who may not hear all is told nothing of what there is.
            near = self._near(plain_text(name)) if is_owner else ""
            raise NotFoundError(f"the mind has no note {name!r}", advice=f"{near}soulmem list shows what there is")
        return found[0]

    def _near(self, name: str) -> str:
        """The keys near to ``name``, in words."""
        rows = self.store.query("look.similar_keys", name=name.lower(), limit=3) if name.strip() else []
        return f"Near to it: {', '.join(row['key'] for row in rows)}. " if rows else ""

    def own_names(self) -> tuple[str, ...]:
        """The names of the character, as it knows itself (``sem_self``), its own name first; none where it does not."""
        try:
            body = self.note(SELF_KEY).body
        except NotFoundError:
            return ()
        return (body.content, *body.aliases) if isinstance(body, Semantic) else ()

    def short_names(self) -> dict[str, str]:
        """The first and the last word of the character's name, case-folded, with the name: what it is called for short. None that
        somebody or something else in the mind goes by."""
        from soulmem.text.names import normal_name

        own = next(iter(self.own_names()), "")
        words = [word.casefold() for word in own.split()]
        short = [word for word in dict.fromkeys((*words[:1], *words[-1:])) if len(words) > 1 and len(word) > 1]
        rows = self.store.query("recall.known_names", names=[normal_name(word) for word in short]) if short else []
        taken = {row["name"] for row in rows}
        return {word: own for word in short if normal_name(word) not in taken}

    def why(
        self,
        name: str,
        text: str,
        *,
        queries: Sequence[SubQuery] = (),
        top: int = 10,
        at: datetime | None = None,
        heard_in: str | None = None,
    ) -> Explanation:
        """Why the note with this key or id is, or is not, among what ``text`` brings to mind. Raises :class:`NotFoundError`; also
        for a note of which nothing may be heard in the scope ``heard_in``."""
        from soulmem.recall.explain import explain

        store = self._seen(heard_in)
        note = self._note(store, name, is_owner=heard_in is None)
        recollection, trace = self._recollect(text, queries, top, 0, at, also=(note.id,), heard_in=heard_in)
        by = [(view.key, view.at) for view in self._superseded(note.id, is_new=True, store=store)]
        return explain(note.id, note.key, recollection, trace, by, note.due_at or note.decayed_at if note.asleep else None)

    def show(self, name: str, at: datetime | None = None) -> NoteView:
        """The note with this key or id, with its links and sources, and what is left of it. Raises :class:`NotFoundError`."""
        from soulmem.recall.told import in_one_line

        note = self.note(name)
        envelope = self.store.query("recall.envelopes", ids=[note.id])[0]
        retention = envelope_of(envelope).retention(at or self.clock(), self.settings)
        standing = self._standing([note], {note.id: round(1.0 - retention, 6)}).get(note.id)
        waiting = [pending for pending in self.store.pending() if note.key in (pending.source_key, pending.target_key)]
        return NoteView(
            note=note,
            retention=retention,
            present=in_one_line(standing.texts) if standing else display_text(note.body),
            original=display_text(note.body),
            texts=dict(zip(REVISABLE[note.type], standing.texts, strict=True)) if standing else {},
            missing=standing.missing if standing else 0.0,
            fading=standing.fading if standing else Fading.NO_ACTION,
            hidden=standing.hidden if standing else (),
            links_out=self._links("look.links_out", note.id),
            links_in=self._links("look.links_in", note.id),
            sources=tuple(
                SourceView(file=said.file, line=said.line, speaker=said.speaker, time=said.sent_at, text=said.text)
                for said in self.store.messages(note.sources)
            ),
            pending=len(waiting),
            superseded_by=self._superseded(note.id, is_new=True),
            supersedes=self._superseded(note.id, is_new=False),
            edited=self._edited(note.id),
        )

    def _edited(self, note: str) -> tuple[datetime, ...]:
        """When a note was edited by hand, by what still counts."""
        from soulmem.history import wrote_note
        from soulmem.store.undo import undoings

        rows = [row for row in self.store.query("look.edits", id=note) if wrote_note(row["after"], note)]
        undone = undoings(self.store).undone if rows else {}
        return tuple(row["at"] for row in rows if row["number"] not in undone)

    def _standing(self, notes: Sequence[Note], missing: Mapping[str, float]) -> dict[str, Present]:
        """What is left of the texts of those of ``notes`` that may fade, by id. ``missing``: the missing degree of each."""
        from soulmem.forget.present import present
        from soulmem.recall.faded import presents

        able = [note for note in notes if note.type in REVISABLE]
        hazy = [note.id for note in able if missing[note.id] >= self.settings.mask_from]
        image = self._image() if hazy else None
        found = presents(image, image.telling.of(hazy), missing, self.settings) if image else {}
        whole = {
            note.id: present(believed_texts(note), missing[note.id], self.settings, {}) for note in able if note.id not in found
        }
        return found | whole

    def _superseded(self, note: str, *, is_new: bool, store: Store | None = None) -> tuple[SupersededView, ...]:
        rows = [row for row in (store or self.store).query("look.superseded", id=note) if row["is_new"] is is_new]
        views = (SupersededView(key=row["key"], at=row["at"], reason=row["reason"]) for row in rows)
        return tuple(sorted(views, key=lambda view: (view.at, view.key)))

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
        """Notes by key, those of a type, with a tag, or with a text in them, whether it was forgotten since or not."""
        from soulmem.recall.told import in_one_line

        wanted = {name: plain_text(value or "") for name, value in (("type", type), ("tag", tag), ("text", text))}
        rows = self.store.query("look.list", **wanted, limit=limit, offset=offset)
        ids = [row["id"] for row in rows]
        at = self.clock()
        rows = self.store.query("recall.envelopes", ids=ids) if ids else []
        kept = {row["id"]: envelope_of(row).retention(at, self.settings) for row in rows}
        notes = self.store.notes(ids)
        standing = self._standing(notes, {note: round(1.0 - retention, 6) for note, retention in kept.items()})
        return tuple(
            NoteRow(
                id=note.id,
                key=note.key,
                type=note.type,
                text=in_one_line(standing[note.id].texts) if note.id in standing else display_text(note.body),
                original=display_text(note.body),
                retention=kept[note.id],
                retrieval_count=note.retrieval_count,
                tags=note.tags,
                scope=note.scope,
                kept_from=note.kept_from,
                valid_until=note.body.valid_until if isinstance(note.body, Semantic) else None,
            )
            for note in notes
        )

    def remarks(self) -> tuple[Remark, ...]:
        """What could be better in how the mind is made; advice, while :meth:`check` tells of damage."""
        from soulmem.quality import remarks

        return tuple(remarks(all_notes(self.store), self.store.links(), self._examples()))

    def _examples(self) -> frozenset[str]:
        """The lines that cards show and nobody said."""
        from soulmem.ingest.contract import CARD

        cards = [row["id"] for row in self.store.query("store.chats") if row["format"].startswith(CARD)]
        return frozenset(row["id"] for card in cards for row in self.store.query("ingest.chat_lines", chat=card))

    def mend(self, at: datetime | None = None, *, dry_run: bool = False) -> tuple[tuple[Repair, ...], Operation | None]:
        """Mend what is safe to mend in how the mind is made, in one operation that :meth:`undo` takes back: notes that are there
        twice become one, the name of the character stands where a macro of a card does. What it did, and the operation; ``None``:
        there was nothing, or it is a ``dry_run``."""
        from soulmem.mending import mended

        with self.store.turn():
            name = next(iter(self.own_names()), "")
            change, repairs = mended(all_notes(self.store), self.store.links(), name, at or self.clock())
            operation = None if change is None or dry_run else self.store.apply(self._indexed(change))
        return repairs, operation

    def frames(self, at: datetime | None = None) -> Frames:
        """The mind as tidy Polars frames: ``soul.frames().notes()``, and others. ``at``: the time retention is computed for."""
        from soulmem.analysis.frames import Frames

        return Frames(self.store, self.settings, at or self.clock())

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
            "asleep": self.store.query("forget.asleep")[0]["count"],
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
        from soulmem.store.queries import shipped

        library = shipped()
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
        """The last operations, newest first, each with the one it took back and the one that took it back."""
        from soulmem.store.undo import undoings

        undone = undoings(self.store).undone
        rows = self.store.query("store.operation_heads", limit=limit)
        return tuple(Operation(**row, undone_by=undone.get(row["number"])) for row in rows)

    def history(self, name: str) -> tuple[NoteEvent, ...]:
        """What each operation did to the note with this key or id, the first one first; of one that is gone too, where the
        journal knows it. Raises :class:`NotFoundError`."""
        from soulmem.history import history

        return history(self.store, plain_text(name))

    def diff(self, first: int, last: int | None = None) -> Diff:
        """What is different after operation ``last`` (by default the latest) from how it was after operation ``first`` (0: the
        beginning). Raises :class:`NotFoundError`, and :class:`UndoError` where it is not known what one of them did."""
        from soulmem.history import diff

        return diff(self.store, first, last)

    # -- back and forth -------------------------------------------------------------------------------------------------------

    def undo(self, number: int | None = None, at: datetime | None = None) -> Operation:
        """Take back what operation ``number`` wrote (by default the last that is not undone and not bookkeeping): the mind is as
        if it had not been, but for the journal. What else was written since stays. Bookkeeping that builds upon it (where a talk
        stands, vectors of its lines) is taken back before it, each with an entry of its own. Where the last is never undone,
        what is before it is not taken for it, but named by the error.

        Raises:
            NotFoundError: the journal has no such operation.
            UndoError: it is undone already; a later one changed, or builds upon, what it wrote; it cannot be taken back.
        """
        from soulmem.store.undo import UNDO, books_after, last_to_undo, undo_change

        moment = at or self.clock()
        with self.store.turn():
            chosen = last_to_undo(self.store, moment) if number is None else number
            books = books_after(self.store, chosen)
            undo_change(self.store, chosen, moment, UNDO, books)  # refused before anything is written
            for one in (*books, chosen):
                operation = self._take_back(one, moment, UNDO)
        self._reread()
        return operation

    def redo(self, at: datetime | None = None) -> Operation:
        """Do again what the last :meth:`undo` took back, that is not done again, with the bookkeeping that went with it. Raises
        :class:`UndoError` as that does. The entry of the journal that did what was undone last."""
        from soulmem.store.undo import REDO, books_to_redo, last_to_redo, undoings

        moment = at or self.clock()
        with self.store.turn():
            undoing = last_to_redo(self.store)
            done = undoings(self.store).root(undoing)
            operation = self._take_back(undoing, moment, REDO)
            while (books := books_to_redo(self.store, done)) is not None:
                self._take_back(books, moment, REDO)
        self._reread()
        return operation

    def _reread(self) -> None:
        if self._observer is not None:
            self._observer.reread()

    def _take_back(self, number: int, at: datetime, command: str) -> Operation:
        from soulmem.ageing import with_due_anew
        from soulmem.store.undo import recorded_since, undo_change

        change = self._settled(undo_change(self.store, number, at, command))
        after = self._settings_after(change)
        if recorded_since(self.store, number) & set(_SETTINGS):
            change = with_due_anew(change, self.store.notes, after or self.settings)
        operation = self.store.apply(self._indexed(change))
        self.settings = after or self.settings
        return operation

    def _indexed(self, change: Change) -> Change:
        """``change`` with words, names and vectors of the texts that it brings or changes."""
        from soulmem.indexing import indexed, is_indexed, kept_vectors

        if not is_indexed(change):
            return change
        return indexed(change, self.embedder, kept_vectors(self.store), present=self.store.notes)

    def forget_messages(self, ids: Sequence[str], at: datetime | None = None) -> ForgetReport:
        """Forget these messages for good: :meth:`forget` of nothing but them."""
        from soulmem.forget.request import Request

        return self._forget(Request(messages=tuple(ids)), at, dry_run=False)

    def forget(
        self,
        about: Sequence[str] = (),
        notes: Sequence[str] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        at: datetime | None = None,
        *,
        dry_run: bool = False,
    ) -> ForgetReport:
        """Forget for good what any of these means, all of it at once. ``dry_run``: only say what would go.

        ``about``: texts: lines that mention one, or whose speaker is called so, notes that do, and the lines that facts about it
        were drawn from; of a name of the mind, under all names it has. ``notes``: keys or ids, with the lines they were drawn
        from. ``since``, ``until`` (left out itself): lines said in that time, notes that came in then and not from lines, and
        what was asked.

        With lines goes all that was drawn from them alone: notes, links, words, names, lines of windows and summaries, questions
        of recalls, cached vectors, and what the journal tells of them. Notes that have other sources stay, without these and
        without what they had from there; one that cannot be without their words goes. The mind is written anew into another
        file that takes its place, all or nothing, so that no byte of the texts is left in it. It cannot be undone, nor can what
        was written for these before. Files elsewhere, such as exports and backups of your own, stay as they are.

        Raises :class:`InputError` where nothing is named, :class:`NotFoundError` for a note that is not there: nothing is
        forgotten then. Where there is nothing of the kind, nothing is written.
        """
        from soulmem.forget.request import Request

        return self._forget(Request(about=tuple(about), notes=tuple(notes), since=since, until=until), at, dry_run=dry_run)

    def _forget(self, request: Request, at: datetime | None, *, dry_run: bool) -> ForgetReport:
        from soulmem.backup import remove_cut_off_copies
        from soulmem.forget.for_good import forget_plan
        from soulmem.forget.request import chosen

        with self.store.turn():
            found = chosen(self.store, request)
            plan = forget_plan(self.store, found, at or self.clock())
            erasable = self.store.erasable(plan.erasure)
            if dry_run or (plan.is_nothing and not erasable.is_told):
                return plan.report(erasable, None, self._copies(), self._backups())
            operation, erased = self.store.erase(plan.erasure, self._indexed(plan.change))
        self._reread()
        remove_cut_off_copies(self.store.path)
        return plan.report(erased, operation, self._copies(), self._backups())

    # -- out and upkeep -------------------------------------------------------------------------------------------------------

    def _copies(self) -> tuple[Path, ...]:
        """The copies of the mind that soulmem made or is making, in which what is forgotten may still be; backups left out."""
        from soulmem.backup import half_made

        return (*self.store.copies(), *half_made(self.store.path))

    def _backups(self) -> tuple[Path, ...]:
        from soulmem.backup import backups_of

        return tuple(backups_of(self.store.path))

    def export_graph(self, *, heard_in: str | None = None) -> str:
        """All notes and links as Graph JSON; reading it into an empty mind gives the same mind. ``heard_in``: only those that may
        be heard of in that scope."""
        from soulmem.ingest.graph_export import graph_json

        with self.store.turn():  # all of it as it is at one moment
            store = self._given_away(heard_in)
            supersedes = [
                Superseding(new=row["new"], old=row["old"], at=row["at"], reason=row["reason"])
                for row in store.query("store.all_supersedes")
            ]
            return graph_json(all_notes(store), store.links(), pending=store.pending(), supersedes=supersedes)

    def export_messages(self, *, heard_in: str | None = None) -> str:
        """All messages as JSON Lines, and the card and lorebooks that the mind was made from; reading them before the graph gives
        its notes their sources back. ``heard_in``: only the messages that may be heard of in that scope, and were not taken back
        in a live talk; of their chats only what tells of these."""
        from soulmem.ingest.archive import archive_text
        from soulmem.ingest.editing import kept_in, pictures_in

        with self.store.turn():
            store = self._given_away(heard_in)
            chats = [Chat(**row) for row in store.query("store.chats")]
            ids = [row["id"] for row in store.query("store.all_messages")]
            kept = kept_in(self.store) if heard_in is None else {}
            pictures = pictures_in(self.store, kept.get("card"))
            messages = store.messages(ids)
        return archive_text(chats, messages, kept, {one.id: one.data for one in pictures})

    def export(
        self,
        path: str | Path,
        messages: bool = False,
        *,
        form: Form | None = None,
        heard_in: str | None = None,
        picture: bytes | None = None,
        at: datetime | None = None,
    ) -> dict[str, Any]:
        """Write the mind to ``path``, in the ``form`` that is said, or that the ending of the name says, by default Graph JSON;
        with ``messages`` also the messages beside it (``.messages.jsonl``). Each file comes whole or not at all.

        ``heard_in``: only what may be heard in that scope. ``picture``: a PNG for a card to travel in. ``at``: now. Returns the
        paths written, the number of notes, links and messages, that of the ``entries`` of a card's lorebook (``None`` in other
        forms), and what there is to tell (``told``). Raises
        :class:`InputError` for what does not go together.
        """
        from soulmem.export.forms import Form, form_of, write_tables
        from soulmem.files import write_whole

        target = Path(path)
        chosen = form or form_of(target)
        written = [target]
        told: tuple[str, ...] = ()
        entries: int | None = None
        if chosen is Form.TABLES:
            if heard_in is not None:
                raise InputError("tables hold all there is", advice="Leave the scope out, or export another form.")
            write_tables(self.frames(at), target)
        else:
            content, told, entries = self._exported(target, chosen, heard_in, picture, at or self.clock())
            write_whole(target, content)
        if chosen in (Form.GRAPH, Form.LINES) and heard_in is None and not messages:
            told += self._left_behind()
        if messages:
            written.append(target.with_suffix(".messages.jsonl"))
            write_whole(written[1], self.export_messages(heard_in=heard_in))
        store = self._given_away(heard_in)
        return {
            "files": [str(file) for file in written],
            "form": str(chosen),
            "notes": len(store.query("look.all_notes")),
            "links": len(store.links()),
            "messages": len(store.query("store.all_messages")) if messages else 0,
            "entries": entries,
            "told": told,
        }

    def _left_behind(self) -> tuple[str, ...]:
        """What is said of a graph that goes without the messages that its notes were drawn from."""
        number = len({row["message"] for row in self.store.query("store.all_sources")})
        return (f"The messages that notes were drawn from are not in it ({number}): --messages carries them.",) if number else ()

    def _exported(
        self, path: Path, form: Form, heard_in: str | None, picture: bytes | None, at: datetime
    ) -> tuple[str | bytes, tuple[str, ...], int | None]:
        """What is written, what there is to tell of it, and how many entries the lorebook of a card has."""
        from soulmem.export.forms import Form, Ground, card_bytes, made_card, portrait_told, told_life
        from soulmem.ingest.editing import kept_in, pictures_in
        from soulmem.ingest.graph_export import graph_lines

        if picture is not None and form is not Form.CARD:
            raise InputError("a picture goes with a card", advice="Export a card, to a file that ends in .png or .charx.")
        kept = kept_in(self.store) if form is Form.CARD else {}
        card = kept.get("card")
        pictures = pictures_in(self.store, card)
        store = self._seen(heard_in)
        ground = Ground(store=store, name=self._called(), at=at, card=card, books=kept, pictures=pictures)
        match form:
            case Form.CARD:
                made = made_card(ground)
                what = portrait_told(made.card, path, picture, pictures)
                return card_bytes(made, path, picture, pictures), (what,) if what else (), made.entries
            case Form.BIOGRAPHY:
                return told_life(ground), (), None
        graph = self.export_graph(heard_in=heard_in)
        return graph_lines(graph) if form is Form.LINES else graph, (), None

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
            notes = all_notes(self.store)
            ids = [row["id"] for row in self.store.query("store.all_messages") if not row["hidden"]]
            made = vectors_of(notes, self.store.messages(ids), model, kept_vectors(self.store), progress)
            what = f"embedder {self.record.name} → {record.name}: {counted(len(notes), 'note')}, {counted(len(ids), 'message')}"
            terms = stale_terms(self.store)
            names = {note.id: names_of(note) for note in notes if note.id in terms and isinstance(note.body, Semantic)}
            change = Change(command="reembed", what=what, at=self.clock(), vectors=made.columns, embeddings=made.new)
            operation = self.store.replace_vectors(record, replace(change, terms=terms, names=names))
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

    def sweep(self, at: datetime | None = None, dry_run: bool = False) -> SweepReport:
        """Put the notes to sleep of which too little is left at ``at``, in one operation; nothing due: nothing is written.

        What is left of a note is the same before and after, however often it is swept. ``dry_run``: only say what would be done.
        """
        from soulmem.forget.sweep import COMMAND

        return self._swept(at or self.clock(), COMMAND, dry_run)

    def _swept(self, at: datetime, command: str, dry_run: bool = False) -> SweepReport:
        from soulmem.forget.sweep import SweepReport, plan_sweep

        with self.store.turn():
            notes, change = plan_sweep(self.store.query("forget.due", at=at), at, self.settings)
            is_written = change is not None and not dry_run
            operation = self.store.apply(replace(change, command=command)) if change and is_written else None
        return SweepReport(at=at, dry_run=dry_run, notes=notes, operation=operation.number if operation else None)

    def forecast(self, at: datetime, now: datetime | None = None) -> Forecast:
        """What will be left at ``at`` of every note that fades, if none is recalled until then."""
        from soulmem.forget.sweep import forecast

        return forecast(self.store.query("forget.envelopes"), now or self.clock(), at, self.settings)

    def pin(self, note: str, pinned: bool = True, at: datetime | None = None) -> Operation | None:
        """Keep the note with this key or id as it is now: it hardly fades any more, and wakes if it is asleep. ``pinned`` False:
        it fades again, from now on. ``None``: nothing to do.

        Raises :class:`NotFoundError`.
        """
        from soulmem.ageing import envelope, written

        moment = at or self.clock()
        with self.store.turn():
            found = self.note(note)
            if found.pinned == pinned:
                return None
            before = envelope(found)
            after = replace(before.settled(moment, self.settings), pinned=pinned).judged(self.settings)
            update = NoteUpdate(note=found.id, values=written(before, after))
            command = "pin" if pinned else "unpin"
            return self.store.apply(Change(command=command, what=found.key, at=moment, updates=(update,)))

    def edit(self, name: str, edit: Edit, at: datetime | None = None, *, dry_run: bool = False) -> Edited:
        """Change what the note with this key or id says, by hand, in one operation that :meth:`undo` takes back; where all is so
        already, nothing is written. Its links and sources stay. With ``edit.since`` the note ends then, and a new one with its
        links says from then on what is so. ``dry_run``: only say what would be done.

        Raises :class:`NotFoundError`, and :class:`InputError` for what a note of its kind does not have.
        """
        from soulmem.ageing import with_due
        from soulmem.edit import edit_change

        moment = at or self.clock()
        with self.store.turn():
            note = self.note(name)
            links = self.store.links() if edit.since else ()
            own = [link for link in links if note.id in (link.source, link.target)]
            change, edited = edit_change(note, edit, own, moment)
            if change is None or dry_run:
                return replace(edited, dry_run=dry_run)
            operation = self.store.apply(self._indexed(with_due(change, self.settings)))
        self._reread()
        return replace(edited, operation=operation.number)

    def _introduce(self, name: str) -> None:
        from soulmem.indexing import indexed

        at = self.clock()
        note = Note(
            id=derived_id("note", SELF_KEY), key=SELF_KEY, body=Semantic(content=name), created_at=at, decayed_at=at, core=True
        )
        self.store.apply(indexed(Change(command="init", what=f"{name} is who this mind is", at=at, notes=(note,)), self.embedder))


def _own_settings(store: Store) -> Settings:
    """The settings of a mind of which nobody says any others."""
    return _settings_of(*(store.meta(name) for name in _SETTINGS))


def _settings_of(profile: Any, own: Any) -> Settings:
    """A recorded profile over the defaults, and what was set over both."""
    settings = Settings()
    if profile is not None:
        from soulmem.tune.profile import with_profile

        settings = with_profile(settings, profile)
    if own is not None:
        from soulmem.own_settings import with_own

        settings = with_own(settings, own)
    return settings


def _time(name: str, text: str) -> datetime:
    try:
        when = datetime.fromisoformat(text)
    except ValueError as error:
        raise QueryError(f"{name}: not an RFC 3339 time: {text[:40]}") from error
    return when if when.tzinfo else when.replace(tzinfo=UTC)
