"""What a reader writes down of a conversation: its lines, numbered, and what was wrong with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeVar

from soulmem.errors import FormatError
from soulmem.ingest.chat_text import heard, speaker_name
from soulmem.ingest.contract import Conversation, Document, Problem, SaidLine
from soulmem.ingest.json_places import preview
from soulmem.ingest.times import message_time, utc
from soulmem.model.messages import Role

#: Who speaks where a file gives no name.
NAMELESS = {Role.USER: "User", Role.CHARACTER: "Character", Role.NARRATOR: "Narrator", Role.SYSTEM: "System"}


#: The same where one of the two is no character, but an assistant.
ASSISTANT = {**NAMELESS, Role.USER: "user", Role.CHARACTER: "assistant", Role.SYSTEM: "system"}

_T = TypeVar("_T")

# So much of an id tells conversations of one name apart.
_ID = 8
# And so much of a title is its name.
_TITLE = 80


# A file may hold a million messages. All that stands for one as it goes from stage to stage has the same size, so that each takes
# the room of the one before: Python gives none back to other sizes, since short texts lie between.


@dataclass(frozen=True, slots=True)
class Said:
    """One message as it is read, of which nothing else is kept. ``line`` is ``None`` where the file gives none; ``skipped``: why
    it cannot be read; the others are those of :meth:`Transcript.say`."""

    line: int | None
    role: Role = Role.USER
    text: object = None
    speaker: object = None
    sent_at: object = None
    hidden: bool = False
    mark: object = ""
    skipped: str = ""


@dataclass(frozen=True, slots=True)
class _Row:
    index: int
    line: int
    role: Role
    speaker: str
    text: str
    sent_at: datetime | None
    hidden: bool
    mark: str


@dataclass(slots=True)
class Transcript:
    """Lines as they are read. ``user`` and ``character`` speak where a line has no name, and stand for the macros: by default who
    alone has a name on that side, else what ``nameless`` calls it. ``name`` tells the conversation from others of its file, and
    ``id`` from others of that name."""

    name: str = ""
    id: str = ""
    user: str | None = None
    character: str | None = None
    problems: list[Problem] = field(default_factory=list)
    read: int = 0
    rows: list[_Row] = field(default_factory=list)
    nameless: Mapping[Role, str] = field(default_factory=lambda: NAMELESS)

    def say(
        self,
        line: int,
        role: Role,
        text: object,
        *,
        speaker: object = None,
        sent_at: object = None,
        hidden: bool = False,
        mark: object = "",
    ) -> None:
        """One message. ``text`` that is none is skipped with a word; a time (``sent_at``) that is none is left out.

        ``mark``: what the file knows the speaker by, besides the name."""
        number = self.read
        self.read += 1
        if not isinstance(text, str):
            self.problems.append(Problem(line, "the message has no text; it was skipped"))
            return
        moment = self._time(sent_at, line)
        self.rows.append(_Row(number, line, role, speaker_name(speaker), text, moment, hidden, speaker_name(mark)))

    def take(self, said: Said, line: int) -> None:
        """One message; ``line``: where it stands, if it knows no line of its own."""
        place = line if said.line is None else said.line
        if said.skipped:
            self.skip(place, said.skipped)
            return
        self.say(place, said.role, said.text, speaker=said.speaker, sent_at=said.sent_at, hidden=said.hidden, mark=said.mark)

    def skip(self, line: int, why: str) -> None:
        """A message that cannot be read."""
        self.read += 1
        self.problems.append(Problem(line, f"{why}; it was skipped"))

    def note(self, line: int | None, what: str) -> None:
        """Something of a message was mended or left out."""
        self.problems.append(Problem(line, what, skipped=False))

    def finish(self) -> list[SaidLine]:
        """The lines that were said, with their speakers; those of which nothing is left are skipped with a word."""
        self.user = self.user or self._only(Role.USER)
        self.character = self.character or self._only(Role.CHARACTER)
        lines: list[SaidLine] = []
        marks: list[str] = []
        for row in emptied(self.rows):
            named = row.speaker or self._nameless(row.role)
            words = self._words(row, named)
            if not words:
                self.problems.append(Problem(row.line, f"the message of {named} is empty; it was skipped"))
                continue
            lines.append(
                SaidLine(
                    index=row.index,
                    line=row.line,
                    speaker=named,
                    role=row.role,
                    text=words,
                    sent_at=row.sent_at,
                    hidden=row.hidden,
                    named=bool(row.speaker or self._known(row.role)),
                )
            )
            marks.append(row.mark)
        return told_apart(lines, marks) if any(marks) else lines

    def _words(self, row: _Row, named: str) -> str:
        """What a row says. What is taken out of a user's words is told."""
        by_character = row.role is Role.CHARACTER
        words = heard(row.text, self.user, named if by_character else self.character, by_character=by_character)
        if words.removed and row.role is Role.USER:
            self.note(row.line, words.told)
        return words.text

    def _only(self, role: Role) -> str | None:
        names = {row.speaker for row in self.rows if row.role is role and row.speaker}
        return next(iter(names)) if len(names) == 1 else None

    def _nameless(self, role: Role) -> str:
        return self._known(role) or self.nameless[role]

    def _known(self, role: Role) -> str | None:
        return {Role.USER: self.user, Role.CHARACTER: self.character}.get(role)

    def _time(self, stated: object, line: int) -> datetime | None:
        if stated is None or stated == "" or stated == 0:
            return None
        if isinstance(stated, datetime):
            return utc(stated)
        try:
            return message_time(stated)
        except ValueError:
            self.note(line, f"{preview(stated)} is not a time; the message is without it")
            return None


def with_assistant(title: object, ident: object) -> Transcript:
    """One of many conversations with an assistant, by its title and its id."""
    name = title.strip() if isinstance(title, str) else ""
    return Transcript(name=name or "untitled", id=ident if isinstance(ident, str) else "", nameless=ASSISTANT)


def emptied(items: list[_T]) -> Iterator[_T]:
    """The items, each of which is let go of as it is given: what is made of many need not be held together with them."""
    items.reverse()
    while items:
        yield items.pop()


def document(format: str, transcripts: Iterable[Transcript], problems: Iterable[Problem] = ()) -> Document:
    """The document of all conversations of a file, those without a message left out. ``problems``: those of the file itself.

    :raises FormatError: nothing was said in any of them, and not for want of messages."""
    given = list(problems)
    told = list(transcripts)
    lines = [each.finish() for each in told]
    found = sorted((*given, *(one for each in told for one in each.problems)), key=lambda problem: problem.line or 0)
    if not any(lines) and (found or not any(each.read for each in told)):
        first = next((problem for problem in found if problem.skipped), None)
        why = first.what if first else "nobody speaks in it"
        raise FormatError(f"no message was found: {why}", place=f"line {first.line}" if first and first.line else None)
    conversations = [
        Conversation(name=name, read=each.read, messages=tuple(own), user_name=each.user, character_name=each.character)
        for name, each, own in zip(_names(told), told, lines, strict=True)
    ]
    read = sum(each.read for each in told) + sum(problem.skipped for problem in given)
    if len(told) == 1 and not told[0].name:
        (only,) = conversations
        return Document(
            format=format,
            read=read,
            messages=only.messages,
            problems=tuple(found),
            user_name=only.user_name,
            character_name=only.character_name,
        )
    return Document(format=format, read=read, problems=tuple(found), conversations=tuple(conversations))


def _names(transcripts: Sequence[Transcript]) -> list[str]:
    """What the conversations are called, no two alike."""
    titles = [" ".join(each.name.split())[:_TITLE] for each in transcripts]
    number, given = Counter(titles), Counter[str]()
    names: dict[str, None] = {}
    for title, each in zip(titles, transcripts, strict=True):
        given[title] += 1
        alone = title and number[title] == 1
        name = title if alone else f"{title} {_short(each.id) or given[title]}".strip()
        while name in names:
            name += f" {given[title]}"
        names[name] = None
    return list(names)


def _short(id_: str) -> str:
    """The beginning of an id, on one line."""
    return " ".join(id_.split())[:_ID]


def told_apart(lines: Iterable[SaidLine], marks: Iterable[str]) -> list[SaidLine]:
    """``lines`` with the speakers of one name told apart by ``marks``: what the file knows each speaker by, besides the name, or
    an empty text. The mark that is the name, else the first, keeps the bare name; another one follows it in brackets."""
    both = list(zip(lines, marks, strict=True))
    by_name: dict[str, dict[str, None]] = {}
    for line, mark in both:
        if mark:
            by_name.setdefault(line.speaker, {})[mark] = None
    bare = {name: name if name in known else next(iter(known)) for name, known in by_name.items()}
    shared = {name for name, known in by_name.items() if len(known) > 1}
    return [
        replace(line, speaker=f"{line.speaker} ({mark})" if mark and mark != bare[line.speaker] else line.speaker, named=True)
        if line.speaker in shared
        else line
        for line, mark in both
    ]
