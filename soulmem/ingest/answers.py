"""The answers that make a character, and what they leave in a mind.

Who the character is, is read as a card would be; its habits become patterns with what they trigger, and what it tells of itself
becomes situations, each drawn from the answer that says it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from soulmem.embed.texts import plain_text
from soulmem.errors import FormatError
from soulmem.ingest.cards.card import card_of
from soulmem.ingest.cards.notes import document_of
from soulmem.ingest.cards.words import ZH, Words, key_of, words_for
from soulmem.ingest.contract import Document, KeyedLink, Problem, SaidLine
from soulmem.ingest.times import message_time
from soulmem.model.links import Payload, Sem, SituationLink, TrigToAction
from soulmem.model.messages import Role
from soulmem.model.notes import (
    SELF_KEY,
    AbstractSituation,
    ActionType,
    Body,
    ConceptType,
    Event,
    Note,
    Procedure,
    Semantic,
    SpecificSituation,
    derived_id,
)
from soulmem.text.names import normal_name, resolve_overlaps
from soulmem.text.tokens import normal_form

#: The name of the format of files of answers.
FORMAT = "interview"
#: An answer has at most so many characters, and a question at most so many answers.
MOST_CHARACTERS, MOST_ANSWERS = 20_000, 500
#: How often what is said to be a habit is done.
_OFTEN = 0.8

Text = Annotated[str, StringConstraints(max_length=MOST_CHARACTERS, strip_whitespace=True), AfterValidator(plain_text)]
Said = Annotated[Text, StringConstraints(min_length=1)]


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Named(_Answer):
    """Somebody, or some place or thing, and what there is to know of it; ``aliases``: its other names."""

    name: Said
    who: Text = ""
    aliases: list[Said] = Field(default=[], max_length=MOST_ANSWERS)


class Habit(_Answer):
    """What the character does when something happens, and one time it did."""

    when: Said
    does: Said
    once: Text = ""


class Told(_Answer):
    """Something that happened; ``at``: when, RFC 3339, a day, a month or a year."""

    what: Said
    at: Text = ""


class Answers(_Answer):
    """All answers. ``who``: the character in a few sentences; ``says``: what it often says; ``greeting``: its first words."""

    soulmem: Literal["interview"] = "interview"
    version: Literal[1] = 1
    name: Annotated[Said, StringConstraints(max_length=120)]
    aliases: list[Said] = Field(default=[], max_length=MOST_ANSWERS)
    who: Text = ""
    looks: Text = ""
    home: Text = ""
    likes: list[Said] = Field(default=[], max_length=MOST_ANSWERS)
    dislikes: list[Said] = Field(default=[], max_length=MOST_ANSWERS)
    people: list[Named] = Field(default=[], max_length=MOST_ANSWERS)
    places: list[Named] = Field(default=[], max_length=MOST_ANSWERS)
    habits: list[Habit] = Field(default=[], max_length=MOST_ANSWERS)
    says: list[Said] = Field(default=[], max_length=MOST_ANSWERS)
    memories: list[Told] = Field(default=[], max_length=MOST_ANSWERS)
    greeting: Text = ""


def answers_text(answers: Answers) -> str:
    """The answers as a file, which :mod:`soulmem.ingest.interview` reads."""
    return json.dumps(answers.model_dump(), ensure_ascii=False, indent=2) + "\n"


def answers_of(text: str) -> Answers:
    """The answers in a text. :raises FormatError: they are none, or broken."""
    try:
        return Answers.model_validate(json.loads(text))
    except json.JSONDecodeError as error:
        raise FormatError(f"broken JSON: {error.msg}", place=f"line {error.lineno}") from error
    except ValidationError as error:
        raise FormatError(_first(error)) from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not answers: {error}"[:200]) from error


def _first(error: ValidationError) -> str:
    one = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return f"{'.'.join(map(str, one['loc'])) or 'the answers'}: {one['msg'][:1].lower()}{one['msg'][1:]}"


def document(answers: Answers, at: datetime, problems: Sequence[Problem] = (), text: str = "") -> Document:
    """What the answers leave in a mind. ``text``: the file they stand in, by whose lines their places are told."""
    words = words_for([answers.who, *(habit.does for habit in answers.habits), answers.greeting])
    made = document_of(card_of(_card(answers, words)), at, FORMAT, problems)
    made = replace(made, places=dict.fromkeys(made.places, ""))  # the card it is read as is in no file
    draft = _Draft(made, words, answers.name, at)
    for one in answers.people:
        draft.add_named(one, _KNOWS[words is ZH])
    for one in answers.places:
        draft.add_named(one, _OF_PLACE[words is ZH])
    for habit in answers.habits:
        draft.add_habit(habit)
    owners = draft.owners()
    for told in answers.memories:
        draft.add_memory(told, owners)
    found = draft.document()
    return replace(found, messages=tuple(_placed(line, text) for line in found.messages))


def _placed(line: SaidLine, text: str) -> SaidLine:
    """A line with the place of its answer in the file: that of its longest part which stands there."""
    parts = sorted((part for part in (line.text, *line.text.split(": ")) if part), key=len, reverse=True)
    for part in parts:
        place = text.find(json.dumps(part, ensure_ascii=False))
        if place >= 0:
            return replace(line, line=text.count("\n", 0, place) + 1)
    return line


#: Verbs in English and Chinese.
_KNOWS, _OF_PLACE, _LIVED, _IN = (
    ("knows", "认识"),
    ("knows the place", "知道"),
    ("lived through", "经历过"),
    ("was in", "出现在"),
)


def _card(answers: Answers, words: Words) -> dict[str, Any]:
    """Who the character is, as a card would say it."""
    zh = words is ZH
    mark = "；" if zh else "; "
    stated = {
        ("外貌" if zh else "Appearance"): answers.looks,
        ("住处" if zh else "Home"): answers.home,
        ("喜欢" if zh else "Likes"): mark.join(answers.likes),
        ("讨厌" if zh else "Dislikes"): mark.join(answers.dislikes),
    }
    lines = [answers.who, *(f"{name}: {' '.join(text.split())}" for name, text in stated.items() if text)]
    data = {"name": answers.name, "description": "\n".join(line for line in lines if line), "first_mes": answers.greeting}
    data["mes_example"] = "".join(f"<START>\n{{{{char}}}}: {' '.join(saying.split())}\n" for saying in answers.says)
    nickname = {"nickname": answers.aliases[0]} if answers.aliases else {}
    return {"spec": "chara_card_v3", "spec_version": "3.0", "data": {**data, **nickname, "extensions": {}}}


@dataclass(slots=True)
class _Draft:
    """A document that grows."""

    base: Document
    words: Words
    name: str
    at: datetime
    notes: dict[str, Note] = field(default_factory=dict)
    links: dict[tuple[str, str, Payload], KeyedLink] = field(default_factory=dict)
    lines: list[SaidLine] = field(default_factory=list)
    drawn: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def document(self) -> Document:
        notes = {note.key: note for note in self.base.notes} | self.notes
        return replace(
            self.base,
            read=self.base.read + len(self.notes) + len(self.links) + len(self.lines),
            notes=tuple(notes.values()),
            links=(*self.base.links, *self.links.values()),
            messages=(*self.base.messages, *self.lines),
            drawn={**self.base.drawn, **self.drawn},
        )

    def add_named(self, one: Named, verb: str) -> None:
        line = self._say(f"{one.name}: {one.who}" if one.who else one.name)
        key = self._add(key_of("sem", one.name), Semantic(one.name, tuple(one.aliases), ConceptType.ENTITY, one.who), line)
        self._link(SELF_KEY, key, Sem(verb))

    def add_habit(self, habit: Habit) -> None:
        line = self._say(f"{habit.when}: {habit.does}")
        pattern = self._add(key_of("pat", habit.when), AbstractSituation(Event(habit.when)), line)
        act = self._add(key_of("proc", habit.does[:40], habit.does), Procedure(habit.does, _kind(habit.does)), line)
        self._link(pattern, act, TrigToAction(_OFTEN))
        self._link(SELF_KEY, act, Sem(self.words.known_for, 0.8))
        if habit.once:
            once = self._add(key_of("sit", habit.once[:40], habit.once), SpecificSituation(habit.once), self._say(habit.once))
            self._link(once, pattern, SituationLink())
            self._link(pattern, once, SituationLink())

    def add_memory(self, told: Told, owners: Mapping[str, str]) -> None:
        """A memory, and those of the people and places (``owners``: their keys, by name) that it names."""
        start, end = _span(told.at)
        line = self._say(f"{told.at}: {told.what}" if told.at else told.what)
        key = self._add(key_of("sit", told.what[:40], told.what), SpecificSituation(told.what, start, end), line)
        self._link(SELF_KEY, key, Sem(_LIVED[self.words is ZH]))
        form = normal_form(told.what)
        near = [name for name in owners if name.split(" ", 1)[0] in form]  # to look for each would take long with thousands
        for span in resolve_overlaps(told.what, near):
            self._link(key, owners[span.name], Sem(self.words.mentions))
            self._link(owners[span.name], key, Sem(_IN[self.words is ZH]))

    def owners(self) -> dict[str, str]:
        """The keys of the people and places, by their names."""
        forms = {
            key: (note.body.content, *note.body.aliases) for key, note in self.notes.items() if isinstance(note.body, Semantic)
        }
        return {normal_name(name): key for key, names in forms.items() for name in names}

    def _say(self, text: str) -> int:
        number = len(self.base.messages) + len(self.lines)
        self.lines.append(SaidLine(index=number, line=number + 1, speaker=self.name, role=Role.CHARACTER, text=text, hidden=True))
        return number

    def _add(self, key: str, body: Body, line: int) -> str:
        note = Note(id=derived_id("note", key), key=key, body=body, created_at=self.at, decayed_at=self.at, pinned=True)
        self.notes.setdefault(key, note)
        self.drawn[key] = tuple(dict.fromkeys((*self.drawn.get(key, ()), line)))
        return key

    def _link(self, source: str, target: str, payload: Payload) -> None:
        link = KeyedLink(source_key=source, target_key=target, payload=payload, intensity=1.0, created_at=self.at, line=None)
        self.links.setdefault((source, target, payload), link)


def _kind(text: str) -> ActionType:
    """What is said has quotation marks or says that it is said; what is thought says so; all else is done."""
    folded = text.casefold()
    if any(mark in text for mark in '“”"「」') or any(word in folded for word in _SPEAKING):
        return ActionType.SPEAK
    return ActionType.THINK if any(word in folded for word in _THINKING) else ActionType.SKILL


_SPEAKING = ("say", "tell", "ask", "answer", "joke", "说", "讲", "问", "答", "骂", "唱")
_THINKING = ("think", "wonder", "imagine", "remember", "想", "心里", "心头", "回忆")


def _span(stated: str) -> tuple[datetime | None, datetime | None]:
    """When something was, from a day, a month, a year or a moment; nothing where it says none of these.

    :raises FormatError: it says something else."""
    if not stated:
        return None, None
    parts = stated.replace("/", "-").split("-")
    try:
        if len(parts) <= 2 and all(part.isdigit() for part in parts):
            year, month = int(parts[0]), int(parts[1]) if len(parts) == 2 else 1
            start = datetime(year, month, 1, tzinfo=UTC)
            after = (year + 1, 1) if len(parts) == 1 or month == 12 else (year, month + 1)
            return start, datetime(*after, 1, tzinfo=UTC)
        return message_time(stated), None
    except (ValueError, OverflowError) as error:
        raise FormatError(f"{stated[:40]!r} is no time", advice="Write a day as 2019-08-03, a month as 2019-08.") from error
