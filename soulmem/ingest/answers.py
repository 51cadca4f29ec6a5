"""The answers that make a character, and what they leave in a mind.

Who the character is, is read as a card would be; its habits become patterns with what they trigger, and what it tells of itself
becomes situations, each drawn from the answer that says it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from soulmem.consolidate.entries import fact_note
from soulmem.consolidate.facts import Fact, Kind, same_form
from soulmem.embed.texts import plain_text
from soulmem.errors import FormatError, json_fault
from soulmem.ingest.cards.card import card_of
from soulmem.ingest.cards.notes import document_of
from soulmem.ingest.cards.traits import is_heading
from soulmem.ingest.cards.words import EN, ZH, Words, key_of, words_for
from soulmem.ingest.contract import Document, KeyedLink, Problem, SaidLine
from soulmem.ingest.headings import sentences_apart, title_of, unmarked
from soulmem.ingest.prose import Doing, Sentence, is_named, lines_of, name_heads, read_prose
from soulmem.ingest.times import time_span
from soulmem.model.links import Payload, Sem, SituationLink, TrigToAction
from soulmem.model.messages import Role
from soulmem.model.notes import (
    SELF_KEY,
    AbstractSituation,
    ActionType,
    Body,
    Category,
    ConceptType,
    Context,
    Event,
    Location,
    Note,
    Procedure,
    Semantic,
    SpecificSituation,
    derived_id,
    display_text,
)
from soulmem.text.names import normal_name, resolve_overlaps
from soulmem.text.tokens import normal_form

#: The name of the format of files of answers.
FORMAT = "interview"
#: An answer has at most so many characters, and a question at most so many answers.
MOST_CHARACTERS, MOST_ANSWERS = 20_000, 500
#: A text that a character is made from has at most so many characters.
MOST_TEXT = 400_000
#: How often what is said to be a habit is done.
_OFTEN = 0.8
#: How often what is done anyway is done when somebody is there.
_SOMETIMES = 0.3

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


class Drawn(_Answer):
    """What a model drew from lines of the text, checked against them: a fact (``subject``, ``category``), a situation (``place``
    and times only where its lines say them), or with ``when`` a habit."""

    text: Said
    lines: list[int] = Field(min_length=1, max_length=MOST_ANSWERS)
    subject: Text = ""
    category: Kind | None = None
    when: Text = ""
    action_type: ActionType = ActionType.SKILL
    place: Text = ""
    at: Text = ""
    until: Text = ""


class Answers(_Answer):
    """All answers. ``who``: the character in a few sentences; ``says``: what it often says; ``greeting``: its first words;
    ``text``: a text about it, from which more is drawn, line by line; ``drawn``: what a model drew from it."""

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
    text: Annotated[str, StringConstraints(max_length=MOST_TEXT), AfterValidator(plain_text)] = ""
    drawn: list[Drawn] = Field(default=[], max_length=10 * MOST_ANSWERS)


def answers_text(answers: Answers) -> str:
    """The answers as a file, which :mod:`soulmem.ingest.interview` reads."""
    return json.dumps(answers.model_dump(), ensure_ascii=False, indent=2) + "\n"


def answers_of(text: str) -> Answers:
    """The answers in a text. :raises FormatError: they are none, or broken."""
    try:
        return Answers.model_validate(json.loads(text))
    except json.JSONDecodeError as error:
        raise FormatError(f"broken JSON: {json_fault(error.msg)}", place=f"line {error.lineno}") from error
    except ValidationError as error:
        raise FormatError(_first(error)) from error
    except RecursionError as error:
        raise FormatError("nested too deeply") from error
    except ValueError as error:
        raise FormatError(f"not answers: {error}"[:200]) from error


def _first(error: ValidationError) -> str:
    one = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return f"{'.'.join(map(str, one['loc'])) or 'the answers'}: {one['msg'][:1].lower()}{one['msg'][1:]}"


def document(answers: Answers, at: datetime, problems: Sequence[Problem] = (), text: str = "") -> Document:
    """What the answers leave in a mind. ``text``: the file they stand in, by whose lines their places are told."""
    words = words_for([answers.who, *(habit.does for habit in answers.habits), answers.greeting, answers.text])
    told = read_prose(answers.text, (answers.name, *answers.aliases))
    problems = (*problems, *_of_somebody_else(answers, told), *_unused(told))
    made = document_of(card_of(_card(answers, words, told)), at, FORMAT, problems, apart=_apart(told))
    # The card it is read as is in no file; the answers are kept, to know what they made when they are changed.
    kept = {
        name: {**value, "answers": answers.model_dump(mode="json", exclude_defaults=True)} for name, value in made.kept.items()
    }
    notes = tuple(_also_called(note, answers.aliases) if note.key == SELF_KEY else note for note in made.notes)
    items = {"answers": len(answers.model_dump(exclude_defaults=True, exclude={"soulmem", "version", "name", "drawn"}))}
    made = replace(made, notes=notes, places=dict.fromkeys(made.places, ""), kept=kept, items=items)
    stated = {note.body.content for note in made.notes if isinstance(note.body, Semantic)}
    told = tuple(one for one in told if one.about_self or one.own in stated)
    draft = _Draft(_without_told(made, told, answers.name), words, answers.name, at)
    for one in answers.people:
        draft.add_named(one, _KNOWS[words is ZH])
    for one in answers.places:
        draft.add_named(one, _OF_PLACE[words is ZH])
    for habit in answers.habits:
        draft.add_habit(habit)
    owners = draft.owners()
    for memory in answers.memories:
        draft.add_memory(memory, owners)
    found = draft.document()
    placed = replace(found, messages=tuple(_placed(line, text) for line in found.messages)) if text else found
    return _with_lines(_with_prose(placed, answers, told, words, at), answers)


def _apart(told: Sequence[Sentence]) -> frozenset[str]:
    """What a text says of others under headings of their own, nothing where it says nothing of the character; and what may be
    about others."""
    own = {one.own for one in told if one.about_self}
    return frozenset(one.own for one in told if (one.apart or one.unsure) and one.own not in own) if own else frozenset()


def _also_called(note: Note, names: Sequence[str]) -> Note:
    """The character's own note, with its other names."""
    assert isinstance(note.body, Semantic)
    own = normal_name(note.body.content)
    aliases = dict.fromkeys((*note.body.aliases, *(name for name in names if normal_name(name) not in ("", own))))
    return replace(note, body=replace(note.body, aliases=tuple(aliases)))


def _of_somebody_else(answers: Answers, told: Sequence[Sentence]) -> tuple[Problem, ...]:
    """A word where the text nowhere names the character, nor speaks as it."""
    names = (answers.name, *answers.aliases)
    if not answers.text.strip() or is_named(answers.text, names) or any(one.about_self for one in told):
        return ()
    called = answers.name.replace("\n", " ")
    what = f"the name {called} never stands in the text: what it says may be about somebody else; it was taken all the same"
    return (Problem(None, what, skipped=False),)


def _unused(told: Sequence[Sentence]) -> tuple[Problem, ...]:
    """A word about each sentence of which it is not certain whom it is about."""
    return tuple(
        Problem(one.line, f"not used, since it may be about somebody else (say it with the name): {one.own}", skipped=False)
        for one in told
        if one.unsure
    )


def _told_whole(told: Sequence[Sentence], name: str) -> set[str]:
    """The sentences that are told by other notes than statements of the character: habits, sayings, facts that leave nothing out,
    and what is about others."""
    return {
        one.own
        for one in told
        if not one.about_self
        or one.doing
        or one.saying
        or len(one.facts) >= len(_PARTS.split(one.text.strip(".。!！ ")))
        or any(_is_whole(one.text, fact, name) for fact in one.facts)
    }


def _is_whole(sentence: str, fact: Fact, name: str) -> bool:
    """Whether a fact says all that a sentence says, but for what it calls the character."""
    stated = display_text(fact_note(fact, _NO_TIME).body)
    said = stated.removeprefix(name).strip() if stated.startswith(name) else ""
    told = sentence.strip(".。!！ ")
    return len(said) > 1 and told.endswith(said) and _SUBJECT.fullmatch(told.removesuffix(said)) is not None


_NO_TIME = datetime.min.replace(tzinfo=UTC)
_SUBJECT = re.compile(r"\s*(?:\w+\s+){0,3}(?:\w+\s*)?")


_PARTS = re.compile(r"[,，;；、]|\band\b|\bwith\b|\bwho\b|\bwhich\b|\bbecause\b|和|跟|因为|而且")


def _without_told(document: Document, told: Sequence[Sentence], name: str) -> Document:
    """``document`` without statements that other notes tell."""
    told_whole = _told_whole(told, name)
    stated = [note for note in document.notes if not (note.core or document.drawn.get(note.key))]
    gone = {note.key for note in stated if isinstance(note.body, Semantic | Procedure) and note.body.content in told_whole}
    not_own = {one.own for one in told if one.of_another}
    gone |= {note.key for note in stated if isinstance(note.body, Procedure) and note.body.content in not_own}
    gone |= _idle(document, gone)
    links = tuple(link for link in document.links if not gone & {link.source_key, link.target_key})
    less = len(gone) + len(document.links) - len(links)
    notes = tuple(note for note in document.notes if note.key not in gone)
    places = {key: place for key, place in document.places.items() if key not in gone}
    return replace(document, notes=notes, links=links, places=places, read=document.read - less)


def _idle(document: Document, gone: set[str]) -> set[str]:
    """The patterns that trigger nothing without the notes that are ``gone``, and the scene, which says nothing of its own, where
    no pattern is left that it is an instance of."""
    acts = {(link.source_key, link.target_key) for link in document.links if isinstance(link.payload, TrigToAction)}
    before, after = {pattern for pattern, _ in acts}, {pattern for pattern, act in acts if act not in gone}
    idle = before - after
    empty = {words.scene.format(document.character_name) for words in (EN, ZH)}
    scenes = {note.key for note in document.notes if isinstance(note.body, SpecificSituation) and note.body.narrative in empty}
    return idle | (set() if after else scenes)


def _with_prose(document: Document, answers: Answers, told: Sequence[Sentence], words: Words, at: datetime) -> Document:
    """``document`` with what a text tells besides statements: habits with what triggers them, facts, each with its line."""
    draft = _Draft(document, words, answers.name, at)
    for one in told:
        if one.doing:
            draft.add_doing(one.doing, draft.say_line(one.text, one.line))
        for fact in one.facts:
            draft.add_fact(fact, draft.say_line(one.text, one.line))
        if not (one.about_self or one.unsure):
            draft.add_knowledge(one.text, draft.say_line(one.own, one.line))
    numbered = {line.number: line.text for line in lines_of(answers.text)}
    for drawn in answers.drawn:
        draft.add_drawn(drawn, [draft.say_line(numbered[line], line) for line in drawn.lines if line in numbered])
    places = {one.saying: one.line for one in told if one.saying}
    found = draft.document()
    return replace(found, messages=tuple(replace(said, line=places.get(said.text, said.line)) for said in found.messages))


@dataclass(frozen=True, slots=True)
class _Place:
    """A line of the text, or an answer, that may say something. ``number``: of the line, 0 of an answer; ``line``: it in the form
    it is compared in; ``above``: what stands before the colon in it, else its heading; ``last``: what it says of that."""

    text: str
    number: int
    line: str
    above: str
    last: str

    def fit(self, own: str, tail: str) -> tuple[int, int]:
        """How well it says ``own``, which ends with what it says of something (``tail``): (0, 0) not at all, 1 among other words,
        2 as all it says, 3 where what stands above is said too, and the more of it the better, 4 word for word."""
        if own in self.line:
            return 4, 0
        if self.last == tail.rstrip(_STOPS):
            return (3, len(self.above)) if self.above and self.above in own.removesuffix(tail) else (2, 0)
        return int(len(tail) > 1 and tail in self.line), 0


_BEHIND_COLON = re.compile(r"[:：]\s*")
_STOPS = " .,;。，；"


def _place(text: str, number: int = 0, heading: str = "") -> _Place:
    line = " ".join(text.split()).casefold()
    *above, last = _BEHIND_COLON.split(unmarked(line), maxsplit=1)
    return _Place(text, number, line, above[0] if above else heading.casefold(), last.rstrip(_STOPS))


def _places(answers: Answers) -> list[_Place]:
    """What a statement may lead back to: the lines of the text, with their headings, then the answers."""
    places: list[_Place] = []
    heading = ""
    for line in lines_of(answers.text):
        heading = title_of(line.text) if is_heading(line.text) else heading
        places.append(_place(line.text, line.number, heading))
    given = (answers.who, answers.looks, answers.home, *answers.likes, *answers.dislikes)
    return places + [_place(text) for text in given if text]


def _place_of(body: Semantic, places: Sequence[_Place]) -> _Place | None:
    """The line that says best what a note says, the first of those that are as good; ``None`` where none does."""
    own = body.content.casefold()
    tail = _BEHIND_COLON.split(own, maxsplit=1)[-1]
    fits = [one.fit(own, tail) for one in places]
    best = max(fits, default=(0, 0))
    return places[fits.index(best)] if best[0] else None


def _with_lines(document: Document, answers: Answers) -> Document:
    """``document`` in which every statement leads back to the line of the text, or the answer, that says it best."""
    said = [(" ".join(line.text.split()), line.line) for line in document.messages]
    lines, drawn, places = list(document.messages), dict(document.drawn), _places(answers)
    for note in document.notes:
        place = _place_of(note.body, places) if isinstance(note.body, Semantic) and note.key not in drawn else None
        if place is None:
            continue
        text = " ".join(place.text.split())
        index = next((one for one, (known, line) in enumerate(said) if known == text and place.number in (0, line)), len(lines))
        if index == len(lines):
            lines.append(_hidden(index, place.number or index + 1, answers.name, place.text))
            said.append((text, lines[-1].line))
        drawn[note.key] = (index,)
    return replace(document, messages=tuple(lines), drawn=drawn, read=document.read + len(lines) - len(document.messages))


def _hidden(index: int, line: int, speaker: str, text: str) -> SaidLine:
    return SaidLine(index=index, line=line, speaker=speaker, role=Role.CHARACTER, text=text, hidden=True)


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


def _card(answers: Answers, words: Words, told: Sequence[Sentence] = ()) -> dict[str, Any]:
    """Who the character is, as a card would say it."""
    zh = words is ZH
    mark = "；" if zh else "; "
    stated = {
        ("外貌" if zh else "Appearance"): answers.looks,
        ("住处" if zh else "Home"): answers.home,
        ("喜欢" if zh else "Likes"): mark.join(answers.likes),
        ("讨厌" if zh else "Dislikes"): mark.join(answers.dislikes),
    }
    text = sentences_apart(answers.text, name_heads((answers.name, *answers.aliases)))
    lines = [answers.who, text, *(f"{name}: {' '.join(text.split())}" for name, text in stated.items() if text)]
    data = {"name": answers.name, "description": "\n".join(line for line in lines if line), "first_mes": answers.greeting}
    says = dict.fromkeys((*answers.says, *(one.saying for one in told if one.saying)))
    data["mes_example"] = "".join(f"<START>\n{{{{char}}}}: {' '.join(saying.split())}\n" for saying in says)
    return {"spec": "chara_card_v3", "spec_version": "3.0", "data": {**data, "extensions": {}}}


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
        known = {(link.source_key, link.target_key, link.payload) for link in self.base.links}
        links = [link for ends, link in self.links.items() if ends not in known]
        return replace(
            self.base,
            read=self.base.read + len(notes) - len(self.base.notes) + len(links) + len(self.lines),
            notes=tuple(notes.values()),
            links=(*self.base.links, *links),
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
        self._add_act(pattern, habit.does, line, _OFTEN)
        if habit.once:
            once = self._add(key_of("sit", habit.once[:40], habit.once), SpecificSituation(habit.once), self._say(habit.once))
            self._link(once, pattern, SituationLink())
            self._link(pattern, once, SituationLink())

    def add_doing(self, doing: Doing, line: int, kind: ActionType | None = None) -> str:
        """A habit that a text tells; without a reason of its own it is what the character does whoever it is with."""
        event = Event(doing.when) if doing.when else Event(self.words.talks, 1.0, self.words.somebody, self.name)
        pattern = self._add(key_of("pat", event.action, event.initiator), AbstractSituation(event), line)
        act = self._add_act(pattern, doing.does, line, _OFTEN if doing.when else _SOMETIMES, kind)
        self._link_instance(pattern)
        return act

    def _link_instance(self, pattern: str) -> None:
        """The scene of the character, which all its patterns belong to."""
        scene = next((note.key for note in self.base.notes if isinstance(note.body, SpecificSituation)), None)
        if scene is None:
            scene = key_of("sit", "scenario", self.words.scene.format(self.name))
            if scene not in self.notes:
                self.notes[scene] = self._note(scene, SpecificSituation(self.words.scene.format(self.name)))
                self._link(SELF_KEY, scene, Sem(self.words.stands, 0.8))
        self._link(scene, pattern, SituationLink())
        self._link(pattern, scene, SituationLink())

    def _add_act(self, pattern: str, does: str, line: int, prob: float, kind: ActionType | None = None) -> str:
        act = self._add(key_of("proc", does[:40], does), Procedure(does, kind or _kind(does)), line)
        self._link(pattern, act, TrigToAction(prob))
        self._link(SELF_KEY, act, Sem(self.words.known_for, 0.8))
        return act

    def add_fact(self, fact: Fact, line: int) -> None:
        """A fact that our grammar draws from a line, with the key by which later talk finds and corrects it."""
        found = fact_note(fact, self.at)
        key = self._add(fact.key, found.body, line)
        self.notes[key] = replace(self.notes[key], tags=found.tags)
        verb = self.words.likes if fact.kind is Kind.PREFERENCE else self.words.is_
        self._link(SELF_KEY, key, Sem(verb))

    def add_drawn(self, drawn: Drawn, lines: Sequence[int]) -> None:
        """What a model drew; what rules have told already is left out."""
        known = {same_form(display_text(note.body)) for note in (*self.base.notes, *self.notes.values())}
        if not lines or same_form(drawn.text) in known:
            return
        if drawn.when:
            key = self.add_doing(Doing(drawn.when, drawn.text), lines[0], drawn.action_type)
        elif drawn.category is None:
            key = self._add_happened(drawn, lines[0])
        else:
            body = Semantic(drawn.text, (), ConceptType.ABSTRACT, "", drawn.category.category)
            key = self._add(key_of("sem", drawn.text[:40], drawn.text), body, lines[0])
            own = normal_name(drawn.subject) == normal_name(self.name)
            self._link(SELF_KEY, key, Sem(self.words.is_ if own else self.words.mentions))
        self.drawn[key] = tuple(dict.fromkeys((*self.drawn[key], *lines)))

    def _add_happened(self, drawn: Drawn, line: int) -> str:
        start, end = _span(drawn.at)
        place = Context(location=Location(drawn.place)) if drawn.place else Context()
        body = SpecificSituation(drawn.text, start, _span(drawn.until)[0] or end, place)
        key = self._add(key_of("sit", drawn.text[:40], drawn.text), body, line)
        self._link(SELF_KEY, key, Sem(_LIVED[self.words is ZH]))
        return key

    def add_knowledge(self, text: str, line: int) -> None:
        """What a text says of others."""
        body = Semantic(text, (), ConceptType.ABSTRACT, "", Category.KNOWLEDGE)
        self._link(SELF_KEY, self._add(key_of("sem", text[:40], text), body, line), Sem(self.words.mentions))

    def say_line(self, text: str, line: int) -> int:
        """A sentence of the text, at its own line; the same is said once."""
        known = next((one.index for one in (*self.base.messages, *self.lines) if (one.text, one.line) == (text, line)), None)
        if known is not None:
            return known
        number = len(self.base.messages) + len(self.lines)
        self.lines.append(_hidden(number, line, self.name, text))
        return number

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
        self.lines.append(_hidden(number, number + 1, self.name, text))
        return number

    def _add(self, key: str, body: Body, line: int) -> str:
        self.notes.setdefault(key, self._note(key, body))
        self.drawn[key] = tuple(dict.fromkeys((*self.drawn.get(key, ()), line)))
        return key

    def _note(self, key: str, body: Body) -> Note:
        return Note(id=derived_id("note", key), key=key, body=body, created_at=self.at, decayed_at=self.at, pinned=True)

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
    """When something was, as it is stated; nothing where nothing is. :raises FormatError: it says no time."""
    try:
        return time_span(stated) if stated else (None, None)
    except (ValueError, OverflowError) as error:
        raise FormatError(f"{stated[:40]!r} is no time", advice="Write a day as 2019-08-03, a month as 2019-08.") from error
