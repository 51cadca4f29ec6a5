"""One file into the mind: read, compare, plan, embed, and write in one transaction."""

from __future__ import annotations

import gc
import json
import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path, PurePath, PurePosixPath
from stat import S_ISREG
from typing import Any

from soulmem.ageing import aged_from, ageing_from, with_due
from soulmem.consolidate.state import META, state_of
from soulmem.embed import Embedder
from soulmem.embed.kept import KeptEmbedder
from soulmem.embed.texts import plain_text
from soulmem.errors import FormatError, StoreError
from soulmem.indexing import content_update, indexed, kept_vectors, names_of
from soulmem.ingest.called import also_called, own_speakers, said_by_self
from soulmem.ingest.contract import Document, Problem, SaidLine, is_of_self
from soulmem.ingest.derive import Derived, KnownSituation
from soulmem.ingest.deriving import NOTHING_PLANNED, Before, derive_talks, names_of_mind
from soulmem.ingest.editing import (
    earlier_in,
    edited,
    joined_by,
    names_of_others,
    planned_edit,
    retold,
    sources_told,
    with_names,
    with_pictures,
    with_situations,
)
from soulmem.ingest.files import Found, kept_for
from soulmem.ingest.formats import MAX_FILE_BYTES, read, unrecognised
from soulmem.ingest.heard import HeardChats, heard_chats
from soulmem.ingest.in_parts import MOST_MESSAGES, beginnings, together
from soulmem.ingest.mapped import Data, contents, digest
from soulmem.ingest.named_in_talk import joined_entries, with_joined
from soulmem.ingest.origins import with_origins
from soulmem.ingest.plan_archive import ArchivePlan, plan_archive
from soulmem.ingest.plan_card import in_mind, with_sources
from soulmem.ingest.plan_chat import ChatPlan, KnownChat
from soulmem.ingest.plan_chats import chat_files, greetings, plan_chats, probes, spoken_by
from soulmem.ingest.plan_edit import Edit, without_earlier
from soulmem.ingest.plan_graph import GraphPlan, KnownGraph, plan_graph
from soulmem.ingest.reading_order import FileT, Unread, in_order
from soulmem.ingest.report import FileReport, items_of
from soulmem.ingest.versions import two_versions
from soulmem.ingest.whose import Others, check_same, own_part
from soulmem.ingest.zips import Member, is_zip, members
from soulmem.model.changes import Change, NoteUpdate
from soulmem.model.messages import Chat, Message
from soulmem.model.notes import SELF_KEY, Note, Semantic
from soulmem.scopes.contexts import PUBLIC
from soulmem.settings import Settings
from soulmem.store.contract import Store
from soulmem.text.counts import counted
from soulmem.text.names import normal_name
from soulmem.working.closing import kept_updates
from soulmem.working.confiding import kept_also

#: While a file is embedded, its vectors are kept this often, seconds.
KEPT_SECONDS = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingest:
    """A run over several files with the same options.

    ``settings``: of the mind, by which notes fade; ``aged``: they have faded since what they tell of, not from now on.
    ``encoding``: of texts that are neither UTF-8 nor marked, instead of the one they look like.
    ``scope``: who may hear of the chats: ``public``, ``direct:<person>`` or ``group:<id>``; ``present``: who heard them besides
    those who speak. ``progress(file, done, total)`` is told when a file is begun (0 of 1), then of texts: searched for names,
    words counted, embedded, and then of rows that are written, if many. ``seconds``: a clock that only tells how long
    something took. ``most_messages``: of a file with more, so many are taken at once (:mod:`soulmem.ingest.in_parts`).
    """

    store: Store
    embedder: Callable[[], Embedder]
    at: datetime
    strict: bool = False
    dry_run: bool = False
    settings: Settings = field(default_factory=Settings)
    aged: bool = False
    encoding: str | None = None
    scope: str = PUBLIC
    present: tuple[str, ...] = ()
    progress: Callable[[str, int, int], None] | None = None
    seconds: Callable[[], float] = time.monotonic
    most_messages: int = MOST_MESSAGES
    others: Others = field(default_factory=Others)

    def found(self, files: Found, format: str | None, named: Collection[Path]) -> Iterator[FileReport]:
        """Read the files that were found; ``named``: those that the user named, and no folder."""
        unread = [
            Unread(file, file, rank, partial(_contents, file), file in named)
            for file, rank in zip(files.files, files.ranks, strict=True)
        ]
        for file in self._in_order(format, unread):
            yield from self.files(file, format, named=file in named)
        yield from map(passed_over, files.aside)

    def _in_order(self, format: str | None, files: Sequence[Unread[FileT]]) -> Iterator[FileT]:
        """The files in the order they are read in; with a ``format`` that is forced, all are read."""
        return in_order(files, self._belongs if format is None else lambda _: True, self._meets_others)

    def _belongs(self, book: Unread[Any]) -> bool:
        """Whether a lorebook is read whatever else lies beside it."""
        return self._is_own(book, replace(self.others, met=True))

    def _meets_others(self, talks: Sequence[Unread[Any]]) -> bool:
        """Whether anything of another character is or was among the files."""
        return self.others.met or not all(self._is_own(talk, replace(self.others)) for talk in talks)

    def _is_own(self, one: Unread[Any], others: Others) -> bool:
        """Whether all of a file in a folder may be this character's, as :func:`~soulmem.ingest.whose.own_part` tells it; what is
        in a zip is anybody's, and what cannot be read nobody's."""
        if one.place.suffix.lower() == ".zip":
            return False
        try:
            document = read(one.data(), self.at, None, self.encoding)
        except (OSError, FormatError):
            return True
        mine = self._notes_with([SELF_KEY]).get(SELF_KEY)
        return own_part(document, mine, self.store.meta("card"), _names_of_place(one.place), others) is document

    def files(self, path: Path, format: str | None, *, named: bool = True) -> Iterator[FileReport]:
        """Read one file, or those in a zip, each of which is called ``FILE!NAME``."""
        try:
            _check_regular(path)
            found = members(path, partial(self._in_order, format)) if is_zip(path) else None
        except (OSError, FormatError) as error:
            yield _unreadable(path, error)
            return
        if found is None:
            yield self.file(path, format, named=named)
            return
        while True:
            try:
                member = next(found, None)
            except (OSError, FormatError) as error:
                yield _unreadable(path, error)
                return
            if member is None:
                return
            yield self._member(member, f"{path}!{member.name}", format)

    def _member(self, member: Member, name: str, format: str | None) -> FileReport:
        if member.refused is not None:
            return FileReport(path=plain_text(name), format=None, refused=member.refused)
        if member.aside is not None:
            return _aside(name, member.aside)
        if member.name.lower().endswith(".zip"):
            return _aside(name, "a zip within a zip, which is not opened")
        return self._found(member.data, name, format, PurePosixPath(member.name))

    def file(self, path: Path, format: str | None, *, named: bool = True) -> FileReport:
        """Read one file. What is wrong with it is in the report.

        ``named``: whether the user named it; else a folder did, and a file of no format that can be read is passed over.
        """
        try:
            data = _contents(path)
            if not named:
                return self._found(data, str(path), format, path)
        except (OSError, FormatError) as error:
            return _unreadable(path, error)
        return self.data(data, str(path), format)

    def data(self, data: Data, name: str, format: str | None) -> FileReport:
        """Read one file's content."""
        with _without_collecting():
            return self._data(data, name, format, None)

    def _found(self, data: Data, name: str, format: str | None, place: PurePath) -> FileReport:
        """Read what lies in a folder, unless it is nothing that can be read, or is another character's."""
        if format is not None:
            return self.data(data, name, format)
        if (what := unrecognised(data, self.encoding)) is not None:
            return _aside(name, f"nothing to read: {what}")
        with _without_collecting():
            return self._data(data, name, None, place)

    def _data(self, data: Data, name: str, format: str | None, place: PurePath | None) -> FileReport:
        name = plain_text(name)  # the name of a file may hold bytes that are no text
        if self.progress is not None:
            self.progress(name, 0, 1)
        try:
            document = read(data, self.at, format, self.encoding)
            mark = digest(data)
        except FormatError as error:
            return FileReport(path=name, format=format, refused=str(error))
        if self.strict and any(problem.skipped for problem in document.problems):
            return self._refused(name, document, document.problems)
        with self.store.turn():
            return self._take_in_parts(document, name, mark, place)

    def _take_in_parts(self, document: Document, name: str, digest: str, place: PurePath | None) -> FileReport:
        """All of a file, a very long one part after part; a trial run changes nothing that a second part could go on from."""
        taken: list[FileReport] = []
        for part in beginnings(document, self.most_messages) if not self.dry_run else ():
            with _told_of(name, len(taken) * self.most_messages):
                taken.append(self._take(part, name, "", place))
            if taken[-1].format is None or taken[-1].refused is not None:
                return taken[-1]
        with _told_of(name, len(taken) * self.most_messages):
            return together([*taken, self._take(document, name, digest, place)])

    def _take(self, document: Document, name: str, digest: str, place: PurePath | None) -> FileReport:
        known = self._notes_with([SELF_KEY]) | self._introduced(document)
        mine = known.get(SELF_KEY)
        if place is not None:
            part = own_part(document, mine, self.store.meta("card"), _names_of_place(place), self.others)
            if isinstance(part, str):
                return _aside(name, part)
            document = part
        self.others.link(document)
        try:
            document, edit = self._edited(with_pictures(document, self.store), name, known)
        except FormatError as error:
            return FileReport(path=name, format=document.format, refused=str(error))
        document, own = self._spoken(document, mine)
        plans = Plans(
            graph=self._plan_graph(document, name),
            archive=self._plan_archive(document),
            chats=self._plan_chats(document, name, digest),
        )
        problems = (*document.problems, *plans.problems)
        if self.strict and any(problem.skipped for problem in problems):
            return self._refused(name, document, problems)
        heard = self._heard(document, plans.chats, (*own, _name_of(mine)))
        problems = (*problems, *self._known_elsewhere(plans.chats), *self._other_versions(plans.chats))
        plans = replace(plans, chats=heard.plans)
        called = also_called(mine, own) if mine is not None and any(plan.new for plan in plans.chats) else None
        told = (*(plans.graph.told if plans.graph else ()), *([called] if called else []))
        derived = self._derive(plans.chats, called, self._progress(name))
        told = (*told, *derived.told)
        planned = self._change(name, document, plans, derived, told, (*heard.updates, *self._closed(plans)))
        change = self._ageing(edited(planned, edit)) if planned is not None else None
        if change is not None and not self.dry_run:
            self.store.apply(self._indexed(change, name, told), self._progress(name))
        return _report(name, document, plans, derived, problems, edit)

    def _edited(self, document: Document, name: str, known: Mapping[str, Note]) -> tuple[Document, Edit]:
        """``document`` as it is in this mind, and what becomes of what an earlier version of it left there.

        :raises FormatError: it is the card of somebody else."""
        mine = known.get(SELF_KEY)
        check_same(document, mine, self.store.meta("card"))
        earlier = earlier_in(self.store, document, known, self.at)
        joined = joined_by(self.store, document, mine)
        before = without_earlier(mine, earlier.document, document) if earlier else mine
        as_known = known if before is None else {**known, SELF_KEY: before}
        document = in_mind(with_origins(with_names(document, joined), name), as_known)
        document = with_situations(document, self._notes_with([note.key for note in document.notes if document.about_self]))
        if earlier is not None:
            document = retold(document, earlier.document, self._notes_with([note.key for note in earlier.document.notes]))
        selves = {note.id for note in joined}
        named = [one for one in joined_entries(self.store, document) if one[0].id not in selves]
        both = (*((note, SELF_KEY) for note in joined), *named)
        return with_joined(document, named), planned_edit(self.store, document, earlier, both, self.at)

    def _spoken(self, document: Document, mine: Note | None) -> tuple[Document, tuple[str, ...]]:
        """``document`` with the lines of the character as its own, and by what names it speaks there."""
        document = spoken_by(document, _name_of(mine))
        own = self._own_speakers(document, mine)
        return said_by_self(document, own), own

    def _own_speakers(self, document: Document, mine: Note | None) -> tuple[str, ...]:
        """Who of the speakers of chats is the character."""
        if mine is None or not isinstance(mine.body, Semantic) or document.about_self:
            return ()
        own = (mine.body.content, *mine.body.aliases)
        found = own_speakers(document, own, ())
        if not found or set(map(normal_name, found)) <= set(map(normal_name, own)):
            return found
        return own_speakers(document, own, [name for names in names_of_others(self.store).values() for name in names])

    def _ageing(self, change: Change) -> Change:
        """The change whose notes begin to fade when they should. What says itself since when it fades keeps that."""
        said = self._said(change) if self.aged else {}
        notes = tuple(self._beginning(note, said) if note.decayed_at == self.at else note for note in change.notes)
        return with_due(replace(change, notes=notes), self.settings)

    def _said(self, change: Change) -> dict[str, datetime | None]:
        """When the sources of the new notes were said, by id."""
        said = {message.id: message.sent_at for message in change.messages}
        known = sorted({source for note in change.notes for source in note.sources} - said.keys())
        return said | {message.id: message.sent_at for message in self.store.messages(known)}

    def _beginning(self, note: Note, said: Mapping[str, datetime | None]) -> Note:
        begins = aged_from(note, said) if self.aged else ageing_from(note.body, self.at)
        return note if begins == note.decayed_at else replace(note, decayed_at=begins)

    def _indexed(self, change: Change, name: str, told: Sequence[Note]) -> Change:
        """The change with what makes it findable, but for the vectors of texts that the mind keeps already."""
        keeping = self._keeping()
        found = indexed(change, keeping, kept_vectors(self.store), self._progress(name), also=told)
        left = {cache: vector for cache, vector in found.embeddings.items() if cache not in keeping.kept}
        return replace(found, embeddings=left)

    def _keeping(self) -> KeptEmbedder:
        """The embedder, with its vectors kept in the mind while a large file is embedded."""
        return KeptEmbedder(self.embedder(), self.store.keep_vectors, seconds=KEPT_SECONDS, clock=self.seconds)

    def _refused(self, name: str, document: Document, problems: Sequence[Problem]) -> FileReport:
        number = sum(problem.skipped for problem in problems)
        what = f"{counted(number, 'problem')}, and --strict was given: nothing of the file was taken"
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

    def _introduced(self, document: Document) -> dict[str, Note]:
        """What the mind has of those whom a file introduces, by key or by name: key in the file → note."""
        named = ((note.key, note.body) for note in document.notes if note.key in document.introduced)
        names = {key: body.content for key, body in named if isinstance(body, Semantic)}
        if not names:
            return {}
        owners = names_of_mind(self.store, list(names.values()))
        notes = {note.id: note for note in self.store.notes(list(owners.values())) if note.key != SELF_KEY}
        found = {key: notes.get(owners.get(normal_name(name), "")) for key, name in names.items()}
        return {key: note for key, note in found.items() if note is not None} | self._notes_with(list(names))

    def _message_ids(self, ids: list[str]) -> frozenset[str]:
        return frozenset(message.id for message in self.store.messages(ids)) if ids else frozenset()

    def _known(self, query: str, ids: list[str]) -> frozenset[str]:
        return frozenset(row["id"] for row in self.store.query(query, ids=ids)) if ids else frozenset()

    # -- chats ----------------------------------------------------------------------------------------------------------------

    def _plan_chats(self, document: Document, name: str, digest: str) -> tuple[ChatPlan, ...]:
        if not document.parts:
            return ()
        rows = self.store.query("ingest.chats_with", fingerprints=probes(document), files=list(chat_files(document, name)))
        # Examples of a card are no lines of a chat, though a chat may begin with the same greeting; and the other way round.
        known = [self._known_chat(row) for row in rows if is_of_self(row["format"]) == document.about_self]
        return plan_chats(
            document,
            file=name,
            sha256=digest,
            at=self.at,
            known=known,
            greeted=self._greeted(greetings(document)),
            scope=PUBLIC if document.about_self else self.scope,
        )

    def _greeted(self, lines: Sequence[SaidLine]) -> dict[tuple[str, str], str]:
        texts = list(dict.fromkeys(line.text for line in lines))
        rows = self.store.query("ingest.greetings", texts=texts) if texts else []
        found: dict[tuple[str, str], str] = {}
        for row in rows:
            found.setdefault((row["speaker"], row["text"]), row["id"])
        return found

    def _known_chat(self, chat: Mapping[str, Any]) -> KnownChat:
        rows = self.store.query("ingest.chat_lines", chat=chat["id"])
        return KnownChat(
            id=chat["id"],
            file=chat["file"],
            messages=chat["messages"],
            lines=tuple((row["id"], row["fingerprint"]) for row in rows),
            sessions=tuple(row["session"] for row in rows),
            places=tuple(row["place"] for row in rows),
            sha256=chat["sha256"],
        )

    def _derive(self, plans: Sequence[ChatPlan], called: Note | None, progress: Callable[[int, int], None] | None) -> Derived:
        new = {plan.chat.id: plan for plan in plans if plan.new}
        messages = [message for plan in new.values() for message in plan.new]
        known = partial(_known_before, new)
        own = dict.fromkeys(names_of(called), called.id) if called is not None else NOTHING_PLANNED
        return derive_talks(self.store, messages, known, self.at, progress, own) if messages else Derived()

    def _heard(self, document: Document, plans: Sequence[ChatPlan], own: Iterable[str | None]) -> HeardChats:
        """The plans with who may hear of their lines; ``own``: names of the character in them. The examples of a card never
        happened, and nothing was confided."""
        if document.about_self:
            return HeardChats(tuple(plans))
        names = {name for name in (document.character_name, *own) if name}
        lines = [part.messages for _, part in document.parts]
        return heard_chats(self.store, plans, lines, names, self.present)

    def _known_elsewhere(self, plans: Sequence[ChatPlan]) -> Iterator[Problem]:
        """What the user is told of lines that are there already, and of which more may hear than ``scope`` says."""
        if self.scope == PUBLIC:
            return
        known = self.store.messages(list(dict.fromkeys(one for plan in plans for one in plan.existing.values())))
        number = sum(line.scope == PUBLIC for line in known)
        if number:
            lines = "1 line that is" if number == 1 else f"{number} lines that are"
            what = f"everybody may go on hearing of {lines} there already"
            advice = f"take back what read them (soulmem log, soulmem undo N) to have them read as {self.scope}"
            yield Problem(None, f"{what}; {advice}", skipped=False)

    def _other_versions(self, plans: Sequence[ChatPlan]) -> Iterator[Problem]:
        """What the user is told of lines that say something else than when the file was read before."""
        new = [(message, plan.former.get(message.index)) for plan in plans for message in plan.new if not message.hidden]
        pairs = [(message.line, former) for message, former in new if former is not None]
        texts = {message.id: message.text for message in self.store.messages([id_ for _, id_ in pairs]) if not message.hidden}
        told = [(line, texts[id_]) for line, id_ in pairs if id_ in texts]
        if told:
            line, text = told[0]
            yield two_versions(line, text, len(told))

    # -- exported messages ----------------------------------------------------------------------------------------------------

    def _closed(self, plans: Plans) -> tuple[NoteUpdate, ...]:
        """The updates by which lines and notes of the mind are kept from whom an export keeps them. Of a note that is kept so are
        the lines it was drawn from: an export may have come without them."""
        closed = {update.note: update for update in plans.graph.closed} if plans.graph else {}
        lines: dict[str, Message] = {}
        for note in self.store.notes(list(closed)):
            if not (isinstance(note.body, Semantic) and note.body.category is None):  # a name may be spoken elsewhere too
                names = closed[note.id].values["kept_from"]
                lines |= {line.id: kept_also(line, names) for line in self.store.messages(note.sources)}
        lines |= {line.id: line for line in plans.archive.kept} if plans.archive else {}
        updates = {update.note: update for update in kept_updates(self.store, lines)}
        return (*updates.values(), *(one for one in closed.values() if one.note not in updates))

    def _plan_archive(self, document: Document) -> ArchivePlan | None:
        if not document.chats and not document.archived:
            return None
        chats = {row["id"]: Chat(**row) for row in self.store.query("store.chats")}
        known = {message.id: message for message in self.store.messages([message.id for message in document.archived])}
        return plan_archive(document, chats, known)

    def _change(
        self,
        name: str,
        document: Document,
        plans: Plans,
        derived: Derived,
        told: Sequence[Note],
        closed: Sequence[NoteUpdate],
    ) -> Change | None:
        """What is written of the plans; ``None`` when nothing is. ``told``: notes that are there and say more now."""
        graph, archive = plans.graph, plans.archive
        notes = (*with_sources(graph.notes if graph else (), document, plans.chats), *derived.notes)
        kept = {name: value for name, value in document.kept.items() if _differs(self.store.meta(name), value)}
        links = (*(graph.links if graph else ()), *derived.links)
        pending = graph.pending if graph else ()
        connected = graph.connected if graph else ()
        messages = (*(message for plan in plans.chats for message in plan.new), *(archive.messages if archive else ()))
        heard = {plan.chat.id: plan.chat for plan in plans.chats if plan.new}
        chats = (*heard.values(), *(archive.chats if archive else ()))
        supersedes = graph.supersedes if graph else ()
        more = supersedes or notes or links or pending or connected or messages or told or kept
        if not (more or closed or (archive and chats)):
            return None
        return Change(
            command="ingest",
            what=f"{name}: {counted(len(notes), 'note')}, {counted(len(links), 'link')}, {counted(len(messages), 'message')}",
            at=self.at,
            notes=notes,
            links=links,
            pending=pending,
            connected=connected,
            chats=chats,
            messages=messages,
            sources_added=(*derived.sources_added, *sources_told(told, document, plans.chats)),
            updates=(*(content_update(note) for note in told), *closed),
            meta={**self._read_on(plans.chats), **kept},
            pictures=document.pictures if kept else {},
            supersedes=supersedes,
        )

    def _read_on(self, plans: Sequence[ChatPlan]) -> dict[str, Any]:
        """Consolidation need not read what was derived here: its cursor moves past it, unless it still has lines before to
        read."""
        before = state_of(self.store.meta(META))
        state = before
        for plan in plans:
            if not plan.new:
                continue
            first = min(message.index for message in plan.new)
            if plan.grown and state.cursor(plan.chat.id) < first - 1:
                continue
            state = state.read(plan.new)
        return {} if state is before else {META: state.as_json()}


def _differs(old: Any, new: Any) -> bool:
    """Whether two recorded values differ as they are written."""
    return json.dumps(old, ensure_ascii=False) != json.dumps(new, ensure_ascii=False)


def _known_before(plans: Mapping[str, ChatPlan], seen: Store, talk: Sequence[Message]) -> Before:
    """What the mind has of the chats of ``talk`` that go on: all situations, and the last if the talk goes on right behind it."""
    situations: list[KnownSituation] = []
    last: dict[str, KnownSituation] = {}
    for chat in dict.fromkeys(message.chat for message in talk):
        plan = plans[chat]
        known = _situations_of(seen, chat) if plan.existing else []
        situations += known
        first = next(message.index for message in talk if message.chat == chat)
        ending = max(known, key=lambda situation: situation.last, default=None)
        if ending is not None and ending.last < first and first - 1 in plan.existing:
            last[chat] = ending
    return Before(situations, last)


def _situations_of(seen: Store, chat: str) -> list[KnownSituation]:
    return [
        KnownSituation(id=row["id"], text=row["narrative"], last=row["last"], session=row["session"])
        for row in seen.query("ingest.chat_situations", chat=chat)
    ]


def _name_of(note: Note | None) -> str | None:
    return note.body.content if note is not None and isinstance(note.body, Semantic) else None


def _unreadable(path: Path, error: OSError | FormatError) -> FileReport:
    what = error.what if isinstance(error, FormatError) else f"cannot be read: {error.strerror or error}"
    return FileReport(path=str(path), format=None, refused=what)


def _names_of_place(place: PurePath) -> tuple[str, str]:
    """The names of the folder and of the file, without its ending."""
    return place.parent.name, place.stem


def passed_over(folder: Path) -> FileReport:
    """The report on a folder of which nothing is read."""
    return _aside(str(folder), kept_for(folder))


def _aside(name: str, what: str) -> FileReport:
    """The report on something of which nothing is read, and that is no fault of it."""
    return FileReport(path=plain_text(name), format=None, problems=(Problem(None, what, skipped=False),))


def _check_regular(path: Path) -> os.stat_result:
    """Raises :class:`FormatError` for what may have no end (a pipe, a device)."""
    found = path.stat()
    if not S_ISREG(found.st_mode):
        raise FormatError("a pipe or a device, not a file; give - to read standard input")
    return found


def _contents(path: Path) -> Data:
    """The bytes of a file. Raises :class:`FormatError` for what may have no end, or is too large."""
    _check_readable(path)
    return contents(path)


def _check_readable(path: Path) -> None:
    """Raises :class:`FormatError` for what may have no end, or is too large."""
    found = _check_regular(path)
    if found.st_size > MAX_FILE_BYTES:
        raise FormatError(f"{found.st_size / 2**20:.0f} MB; at most {MAX_FILE_BYTES // 2**20} MB are read")


@contextmanager
def _told_of(name: str, there: int) -> Iterator[None]:
    """What is wrong with the mind is told with the file that was being read: those before it are in the mind, and of it the first
    ``there`` messages."""
    try:
        yield
    except StoreError as error:
        own = f"its first {there:,} messages are in the mind" if there else "nothing of it is in the mind"
        error.what += f" (while {name} was read; {own}, and all of the files before it)"
        raise


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
    chats: tuple[ChatPlan, ...]

    @property
    def problems(self) -> tuple[Problem, ...]:
        return (*(self.graph.problems if self.graph else ()), *(self.archive.problems if self.archive else ()))

    @property
    def existing(self) -> int:
        """Items of the file that were there already."""
        parts = (
            self.graph.existing if self.graph else 0,
            self.archive.existing if self.archive else 0,
            sum(len(chat.existing) for chat in self.chats),
        )
        return sum(parts)


def _report(name: str, document: Document, plans: Plans, derived: Derived, problems: Sequence[Problem], edit: Edit) -> FileReport:
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
        replaced=edit.replaced,
        removed=len(edit.removed) - edit.replaced - edit.joined,
        problems=tuple(problems),
        items=items_of(document),
    )


def _number_of_new(plans: Plans) -> int:
    number = 0
    if graph := plans.graph:
        own = [link for link in graph.links if link.id not in graph.connected]
        number += len(graph.notes) + len(graph.told) + len(own) + len(graph.pending)
    if archive := plans.archive:
        number += archive.new
    return number + sum(len(chat.new) for chat in plans.chats)
