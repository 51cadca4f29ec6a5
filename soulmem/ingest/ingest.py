"""One file into the mind: read, compare, plan, embed, and write in one transaction."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from stat import S_ISREG
from typing import Any

from soulmem.consolidate.state import META, state_of
from soulmem.embed import Embedder
from soulmem.embed.texts import plain_text
from soulmem.errors import FormatError
from soulmem.indexing import content_update, indexed, kept_vectors
from soulmem.ingest.contract import Document, Problem
from soulmem.ingest.derive import Derived, KnownSituation
from soulmem.ingest.deriving import derive_from
from soulmem.ingest.formats import MAX_FILE_BYTES, read, unrecognised
from soulmem.ingest.plan_archive import ArchivePlan, plan_archive
from soulmem.ingest.plan_chat import ChatPlan, KnownChat, plan_chat
from soulmem.ingest.plan_graph import GraphPlan, KnownGraph, plan_graph
from soulmem.ingest.report import FileReport
from soulmem.model.changes import Change
from soulmem.model.messages import Chat, fingerprint
from soulmem.model.notes import Note
from soulmem.scopes.contexts import PUBLIC
from soulmem.scopes.seen import seen_in
from soulmem.store.contract import Store

#: So many lines of a file, spread over it, are looked up to find the chats it shares lines with.
_PROBES = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingest:
    """A run over several files with the same options.

    ``progress(file, done, total)`` is told when a file is begun (0 of 1), then of texts: words counted, then embedded.
    """

    store: Store
    embedder: Callable[[], Embedder]
    at: datetime
    strict: bool = False
    dry_run: bool = False
    progress: Callable[[str, int, int], None] | None = None

    def file(self, path: Path, format: str | None, *, named: bool = True) -> FileReport:
        """Read one file. What is wrong with it is in the report.

        ``named``: whether the user named it; else a folder did, and a file of no format that can be read is passed over.
        """
        try:
            _check_readable(path)
            data = path.read_bytes()
        except OSError as error:
            return FileReport(path=str(path), format=None, refused=f"cannot be read: {error.strerror or error}")
        except FormatError as error:
            return FileReport(path=str(path), format=None, refused=error.what)
        what = None if named or format is not None else unrecognised(data)
        if what is not None:
            passed_over = Problem(None, f"nothing to read: {what}", skipped=False)
            return FileReport(path=plain_text(str(path)), format=None, problems=(passed_over,))
        return self.data(data, str(path), format)

    def data(self, data: bytes, name: str, format: str | None) -> FileReport:
        """Read one file's content."""
        with _without_collecting():
            return self._data(data, name, format)

    def _data(self, data: bytes, name: str, format: str | None) -> FileReport:
        name = plain_text(name)  # the name of a file may hold bytes that are no text
        if self.progress is not None:
            self.progress(name, 0, 1)
        try:
            document = read(data, self.at, format)
        except FormatError as error:
            return FileReport(path=name, format=format, refused=str(error))
        if self.strict and any(problem.skipped for problem in document.problems):
            return self._refused(name, document, document.problems)
        with self.store.turn():
            return self._take(document, name, sha256(data).hexdigest())

    def _take(self, document: Document, name: str, digest: str) -> FileReport:
        plans = Plans(
            graph=self._plan_graph(document, name),
            archive=self._plan_archive(document),
            chat=self._plan_chat(document, name, digest),
        )
        problems = (*document.problems, *plans.problems)
        if self.strict and any(problem.skipped for problem in problems):
            return self._refused(name, document, problems)
        derived = self._derive(plans.chat) if plans.chat else Derived()
        change = self._change(name, plans, derived)
        if change is not None and not self.dry_run:
            told = plans.graph.told if plans.graph else ()
            self.store.apply(indexed(change, self.embedder(), kept_vectors(self.store), self._progress(name), also=told))
        return _report(name, document, plans, derived, problems)

    def _refused(self, name: str, document: Document, problems: Sequence[Problem]) -> FileReport:
        number = sum(problem.skipped for problem in problems)
        what = f"{number} problem{'s' if number > 1 else ''}, and --strict was given: nothing of the file was taken"
        return FileReport(
            path=name, format=document.format, read=document.read, skipped=document.read, problems=tuple(problems), refused=what
        )

    def _progress(self, name: str) -> Callable[[int, int], None] | None:
        progress = self.progress
        return (lambda done, total: progress(name, done, total)) if progress else None

    # -- graphs ---------------------------------------------------------------------------------------------------------------

    def _plan_graph(self, document: Document, name: str) -> GraphPlan | None:
        if not document.notes and not document.links:
            return None
        pending = tuple(self.store.pending())
        keys = {note.key for note in document.notes}
        keys |= {key for link in document.links for key in (link.source_key, link.target_key)}
        keys |= {key for link in pending for key in (link.source_key, link.target_key)}
        keys |= {one.old_key for one in document.supersedes}
        known = KnownGraph(
            notes=self._notes_with(sorted(keys)),
            note_ids=self._known("ingest.ids", [note.id for note in document.notes]),
            link_ids=frozenset(self.store.columns("ingest.link_ids")["id"]),
            pending=pending,
            message_ids=self._message_ids([source for note in document.notes for source in note.sources]),
            superseded=self._superseded() if document.supersedes else frozenset(),
        )
        return plan_graph(document, known, file=name)

    def _superseded(self) -> frozenset[tuple[str, str]]:
        return frozenset((row["new"], row["old"]) for row in self.store.query("store.all_supersedes"))

    def _notes_with(self, keys: list[str]) -> dict[str, Note]:
        rows = self.store.query("store.keys", keys=keys)
        return {note.key: note for note in self.store.notes([row["id"] for row in rows])}

    def _message_ids(self, ids: list[str]) -> frozenset[str]:
        return frozenset(message.id for message in self.store.messages(ids)) if ids else frozenset()

    def _known(self, query: str, ids: list[str]) -> frozenset[str]:
        return frozenset(row["id"] for row in self.store.query(query, ids=ids)) if ids else frozenset()

    # -- chats ----------------------------------------------------------------------------------------------------------------

    def _plan_chat(self, document: Document, name: str, digest: str) -> ChatPlan | None:
        if not document.messages:
            return None
        prints = [fingerprint(line.speaker, line.text, line.sent_at) for line in document.messages]
        step = max(1, len(prints) // _PROBES)
        rows = self.store.query("ingest.chats_with", fingerprints=prints[::step], file=name)
        known = [self._known_chat(**row) for row in rows]
        return plan_chat(document, file=name, sha256=digest, at=self.at, known=known)

    def _known_chat(self, id: str, file: str, messages: int) -> KnownChat:
        rows = self.store.query("ingest.chat_lines", chat=id)
        return KnownChat(
            id=id,
            file=file,
            messages=messages,
            lines=tuple((row["id"], row["fingerprint"]) for row in rows),
            sessions=tuple(row["session"] for row in rows),
        )

    def _derive(self, plan: ChatPlan) -> Derived:
        situations = [
            KnownSituation(id=row["id"], text=row["narrative"], last=row["last"], session=row["session"])
            for row in self.store.query("ingest.chat_situations", chat=plan.chat.id)
        ]
        return derive_from(seen_in(self.store, PUBLIC), plan.new, situations, self.at, lambda: _before(plan, situations))[0]

    # -- exported messages ----------------------------------------------------------------------------------------------------

    def _plan_archive(self, document: Document) -> ArchivePlan | None:
        if not document.chats and not document.archived:
            return None
        chats = {row["id"]: Chat(**row) for row in self.store.query("store.chats")}
        return plan_archive(document, chats, self._message_ids([message.id for message in document.archived]))

    def _change(self, name: str, plans: Plans, derived: Derived) -> Change | None:
        """What is written of the plans; ``None`` when nothing is."""
        graph, archive, chat = plans.graph, plans.archive, plans.chat
        notes = (*(graph.notes if graph else ()), *derived.notes)
        links = (*(graph.links if graph else ()), *derived.links)
        pending = graph.pending if graph else ()
        connected = graph.connected if graph else ()
        messages = (*(chat.new if chat else ()), *(archive.messages if archive else ()))
        chats = (*((chat.chat,) if chat else ()), *(archive.chats if archive else ()))
        told = graph.told if graph else ()
        supersedes = graph.supersedes if graph else ()
        if not (supersedes or notes or links or pending or connected or messages or told or (archive and chats)):
            return None
        return Change(
            command="ingest",
            what=f"{name}: {len(notes)} notes, {len(links)} links, {len(messages)} messages",
            at=self.at,
            notes=notes,
            links=links,
            pending=pending,
            connected=connected,
            chats=chats,
            messages=messages,
            sources_added=derived.sources_added,
            updates=tuple(content_update(note) for note in told),
            meta=self._read_on(chat) if chat else {},
            supersedes=supersedes,
        )

    def _read_on(self, chat: ChatPlan) -> dict[str, Any]:
        """Consolidation need not read what was derived here: its cursor moves past it, unless it still has lines before to
        read."""
        state = state_of(self.store.meta(META))
        if not chat.new:
            return {}
        first = min(message.index for message in chat.new)
        if state.cursor(chat.chat.id) < first - 1 and (first > 0 or chat.existing):
            return {}
        return {META: state.read(chat.new).as_json()}


def _before(plan: ChatPlan, situations: Sequence[KnownSituation]) -> KnownSituation | None:
    """The last situation of a chat that has grown, if the new lines stand right behind the known ones."""
    last = max(situations, key=lambda situation: situation.last, default=None)
    if last is None or not plan.new:
        return None
    first = plan.new[0].index
    return last if last.last < first and first - 1 in plan.existing else None


def _check_readable(path: Path) -> None:
    """Raises :class:`FormatError` for what may have no end (a pipe, a device), or is too large."""
    found = path.stat()
    if not S_ISREG(found.st_mode):
        raise FormatError("a pipe or a device, not a file; give - to read standard input")
    if found.st_size > MAX_FILE_BYTES:
        raise FormatError(f"{found.st_size / 2**20:.0f} MB; at most {MAX_FILE_BYTES // 2**20} MB are read")


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Notes and links by the ten thousand hold no cycles, and looking for some takes a quarter of the time of a large file."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@dataclass(frozen=True, slots=True, kw_only=True)
class Plans:
    """What is planned of one file, by what it holds."""

    graph: GraphPlan | None
    archive: ArchivePlan | None
    chat: ChatPlan | None

    @property
    def problems(self) -> tuple[Problem, ...]:
        return (*(self.graph.problems if self.graph else ()), *(self.archive.problems if self.archive else ()))

    @property
    def existing(self) -> int:
        """Items of the file that were there already."""
        parts = (
            self.graph.existing if self.graph else 0,
            self.archive.existing if self.archive else 0,
            len(self.chat.existing) if self.chat else 0,
        )
        return sum(parts)


def _report(name: str, document: Document, plans: Plans, derived: Derived, problems: Sequence[Problem]) -> FileReport:
    """Every item of the file is new, there already, or skipped. Links of older files that were waiting are none of its items."""
    skipped = sum(problem.skipped for problem in problems)
    if graph := plans.graph:
        arrived = sum(link.id in graph.connected for link in graph.links)
        skipped -= len(graph.connected) - arrived
    return FileReport(
        path=name,
        format=document.format,
        read=document.read,
        new=_number_of_new(plans),
        existing=plans.existing,
        skipped=skipped,
        derived=len(derived.notes),
        problems=tuple(problems),
    )


def _number_of_new(plans: Plans) -> int:
    number = 0
    if graph := plans.graph:
        own = [link for link in graph.links if link.id not in graph.connected]
        number += len(graph.notes) + len(graph.told) + len(own) + len(graph.pending)
    if archive := plans.archive:
        number += archive.new
    return number + (len(plans.chat.new) if plans.chat else 0)
