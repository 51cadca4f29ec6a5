"""What a model answered, checked: nothing of it reaches the mind that these checks let not through.

A splitter answers ``{"notes": [{"content", "subject", "category", "aliases", "sources", "slot"?, "value"?, "supersedes"?,
"names"?, "tags"?, "when"?}]}``; ``sources`` are numbers of the lines asked about, from 1, or their ids; ``names``: who and what
else it names; ``when``: two times, from when to when. And, if it likes, ``"procedures": [{"content", "action_type"?,
"sources"}]``: ways in which the character acts. A linker answers ``{"links": [{"from", "to", "verb"?,
"confidence"?, "prob"?}]}``. Either may be the bare list.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError, field_validator

from soulmem.consolidate.contract import MOST_LINKS, Known, LinkQuestion, SplitQuestion
from soulmem.consolidate.entries import telling_words
from soulmem.consolidate.facts import MODEL, Fact, Kind
from soulmem.consolidate.grounds import slot_of, unborne
from soulmem.model.links import LinkType, Sem, SituationLink, TrigToAction, is_legal
from soulmem.model.messages import Message, Role, narrowest
from soulmem.model.notes import ActionType, NoteType
from soulmem.scopes.contexts import drawn_from
from soulmem.text.names import normal_name
from soulmem.text.persons import spoken_of
from soulmem.text.stopwords import stop_words

#: Words that say that nothing is known.
_PLACEHOLDER = re.compile(
    r"unknown|n/?a|none|null|tbd|undefined|unspecified|not\s+(?:given|known|specified|mentioned)|不详|未知|无|暂无|没有提及|未提及|不明",
    re.I,
)
_MOST_NOTES = 64
_LONGEST_NAME = 80
#: The likeliest trigger of a way of acting has at least this, others between these.
MAIN_PROB = 0.5
OTHER_PROBS = (0.1, 0.3)


class _Note(BaseModel):
    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)

    content: str = Field(min_length=2, max_length=400)
    subject: str = Field(min_length=1, max_length=80)
    category: Kind = Kind.EVENT
    aliases: list[str] = Field(default_factory=list, max_length=12)
    sources: list[int | str] = Field(min_length=1, max_length=40)
    slot: str = Field(default="", max_length=80)
    value: str = Field(default="", max_length=200)
    supersedes: str | None = None
    names: list[str] = Field(default_factory=list, max_length=24)
    tags: list[str] = Field(default_factory=list, max_length=24)
    when: tuple[AwareDatetime, AwareDatetime] | None = None

    @field_validator("content", "subject")
    @classmethod
    def _is_told(cls, text: str) -> str:
        if _PLACEHOLDER.fullmatch(text):
            raise ValueError("a placeholder")
        return text


class _Action(BaseModel):
    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)

    content: str = Field(min_length=2, max_length=400)
    action_type: ActionType = ActionType.SPEAK
    sources: list[int | str] = Field(min_length=1, max_length=40)


class _Link(BaseModel):
    model_config = ConfigDict(extra="ignore", populate_by_name=True)

    source: str = Field(alias="from", max_length=80)
    target: str = Field(alias="to", max_length=80)
    verb: str = Field(default="", max_length=80)
    confidence: float = Field(default=0.5, ge=0.0, le=1.0)
    prob: float | None = Field(default=None, ge=0.0, le=1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """A way in which the character acts, and the ids of the lines that show it, oldest first."""

    content: str
    action_type: ActionType
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """The facts of an answer. ``over``: (number among the facts, id of the known note it holds instead of); ``learned``: ways of
    acting; ``problems``: what was left out, in words."""

    facts: tuple[Fact, ...] = ()
    learned: tuple[Learned, ...] = ()
    over: tuple[tuple[int, str], ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedLink:
    """A legal link between two notes, by id."""

    source: str
    target: str
    payload: Sem | SituationLink | TrigToAction


def split_of(answer: Any, question: SplitQuestion) -> Split:
    """The facts that a splitter's answer really gives: of lines that exist, with no more superseded than it was shown."""
    facts: list[Fact] = []
    over: list[tuple[int, str]] = []
    problems: list[str] = []
    shown = {known.id: known for known in question.known}
    for number, item in enumerate(_items(answer, "notes", problems)[:_MOST_NOTES], start=1):
        try:
            note = _Note.model_validate(item)
        except ValidationError as error:
            problems.append(f"note {number}: {_told(error)}")
            continue
        sources = _sources(note.sources, question.messages)
        if not sources:
            problems.append(f"note {number}: none of its sources is a line that was asked about")
            continue
        if len({said.scope for said in sources} - {"public"}) > 1:
            problems.append(f"note {number}: it tells what was said in different private talks")
            continue
        fact = _fact(note, sources, question.names)
        unborn = unborne(fact, sources, (*question.context, *question.messages), question.names)
        if unborn:
            problems.append(f"note {number} ({note.content[:60]}): {unborn}")
            continue
        facts.append(fact)
        wrong = _not_over(fact, note.supersedes, shown, question.names) if note.supersedes else ""
        if wrong:
            problems.append(f"note {number}: {wrong}")
        elif note.supersedes:
            over.append((len(facts) - 1, note.supersedes))
    learned = tuple(_learned(answer, question, problems))
    return Split(facts=tuple(facts), over=tuple(over), learned=learned, problems=tuple(problems))


def _not_over(fact: Fact, old: str, shown: Mapping[str, Known], names: Mapping[str, str]) -> str:
    """Why ``fact`` cannot hold instead of the note ``old``; empty: it can."""
    if old not in shown:
        return "it would supersede a note that was not shown"
    known = shown[old]
    is_about_same = normal_name(known.person) == normal_name(fact.subject)
    if not is_about_same and not telling_words(known.text) & telling_words(fact.text):
        return "it would supersede what is about somebody else and something else"
    if not _is_of_same(known, fact, names):
        return "it would supersede what says something else"
    if (known.scope, frozenset(known.kept_from)) != fact.heard:
        return "it would supersede what was said in another talk, to others"
    if known.said_at and fact.said_at and fact.said_at < known.said_at:
        return "it would supersede what was said later"
    return ""


def _is_of_same(known: Known, fact: Fact, names: Mapping[str, str]) -> bool:
    """Whether two facts speak of the same thing: of one slot, where the rules know both; else they share a word besides names."""
    old, new = (slot_of(text, subject, names) for text, subject in ((known.text, known.person), (fact.text, fact.subject)))
    if old and new:
        return old == new
    people = frozenset(word for name in (known.person, fact.subject, *names) for word in telling_words(name))
    return bool((telling_words(known.text) & telling_words(fact.text)) - people) or not (old or new)


def _learned(answer: Any, question: SplitQuestion, problems: list[str]) -> Iterator[Learned]:
    """Ways of acting that are shown by lines of the character itself."""
    stated = answer.get("procedures") if isinstance(answer, Mapping) else None
    for number, item in enumerate(stated if isinstance(stated, list | tuple) else (), start=1):
        if number > _MOST_NOTES:
            return
        try:
            action = _Action.model_validate(item)
        except ValidationError as error:
            problems.append(f"procedure {number}: {_told(error)}")
            continue
        shown = [one for one in _sources(action.sources, question.messages) if one.role is Role.CHARACTER]
        if shown and not _PLACEHOLDER.fullmatch(action.content):
            sources = tuple(message.id for message in shown)
            yield Learned(content=action.content, action_type=action.action_type, sources=sources)
        else:
            problems.append(f"procedure {number}: no line of the character shows it")


def _fact(note: _Note, sources: Sequence[Message], forms: Mapping[str, str]) -> Fact:
    heard = normal_name("\n".join(f"{said.speaker}: {said.text}" for said in sources))
    aliases = tuple(alias for alias in _told_texts(note.aliases) if normal_name(alias) in heard and _is_name(alias))
    last = sources[-1]
    return Fact(
        kind=note.category,
        subject=note.subject,
        text=note.content,
        rule=MODEL,
        slot=note.slot if note.value else "",
        value=note.value,
        sources=tuple(message.id for message in sources),
        scope=narrowest([said.scope for said in sources]),
        kept_from=drawn_from([said.kept_from for said in sources]),
        said_at=last.sent_at,
        place=last.index,
        names=tuple(dict.fromkeys((note.subject, *_told_texts(note.names)))),
        aliases=tuple(alias for alias in aliases if normal_name(alias) != normal_name(note.subject)),
        when=(note.when[0].astimezone(UTC), note.when[1].astimezone(UTC)) if note.when else None,
        tags=tuple(_told_texts(note.tags)),
        by=forms.get(last.speaker, last.speaker),
    )


def _is_name(alias: str) -> bool:
    """Whether this can be somebody's other name: no pronoun, and no word of everybody's."""
    return spoken_of(alias) is None and normal_name(alias) not in stop_words()


def _told_texts(texts: Sequence[str]) -> list[str]:
    """Those of ``texts`` that say something, each once."""
    stripped = dict.fromkeys(text.strip() for text in texts)
    return [text for text in stripped if 0 < len(text) <= _LONGEST_NAME and not _PLACEHOLDER.fullmatch(text)]


def _sources(stated: Sequence[int | str], messages: Sequence[Message]) -> list[Message]:
    by_id = {message.id: message for message in messages}
    found: dict[str, Message] = {}
    for one in stated:
        text = str(one).strip()
        message = by_id.get(text)
        if message is None and text.isdecimal() and len(text) < 7 and 1 <= int(text) <= len(messages):
            message = messages[int(text) - 1]
        if message is not None and not message.hidden:
            found[message.id] = message
    return sorted(found.values(), key=lambda message: (message.chat, message.index))


def links_of(answer: Any, question: LinkQuestion) -> tuple[tuple[ProposedLink, ...], tuple[str, ...]]:
    """The links of a linker's answer that may be made, and what was wrong with the others: at most 32, between two different
    notes of which one at least is new, legal by SPEC §1; the likeliest trigger of a way of acting first."""
    problems: list[str] = []
    types = {note.id: note.type for note in (*question.new, *question.old)}
    new = {note.id for note in question.new}
    found: dict[tuple[str, str, LinkType], ProposedLink] = {}
    triggered: set[str] = set()
    for number, item in enumerate(_items(answer, "links", problems), start=1):
        try:
            link = _Link.model_validate(item)
        except ValidationError as error:
            problems.append(f"link {number}: {_told(error)}")
            continue
        wrong = _wrong(link, types, new)
        if wrong:
            problems.append(f"link {number}: {wrong}")
            continue
        proposed = _proposed(link, types, triggered)
        found.setdefault((link.source, link.target, _type_between(types[link.source], types[link.target])), proposed)
    return tuple(found.values())[:MOST_LINKS], tuple(problems)


def _wrong(link: _Link, types: Mapping[str, NoteType], new: Collection[str]) -> str:
    if link.source not in types or link.target not in types:
        return "an id that is not among the notes"
    if link.source == link.target:
        return "from a note to itself"
    if link.source not in new and link.target not in new:
        return "between two old notes"
    kind = _type_between(types[link.source], types[link.target])
    return "" if is_legal(kind, types[link.source], types[link.target]) else "no such link may be"


def _type_between(source: NoteType, target: NoteType) -> LinkType:
    """The type a link between notes of these types has."""
    if source.is_situation and target is NoteType.PROCEDURE:
        return LinkType.PROC
    return LinkType.SITUATION if source.is_situation and target.is_situation else LinkType.SEM


def _proposed(link: _Link, types: Mapping[str, NoteType], triggered: set[str]) -> ProposedLink:
    payload: Sem | SituationLink | TrigToAction
    match _type_between(types[link.source], types[link.target]):
        case LinkType.PROC:
            stated = link.prob if link.prob is not None else link.confidence
            least, most = OTHER_PROBS
            payload = TrigToAction(max(stated, MAIN_PROB) if link.target not in triggered else min(max(stated, least), most))
            triggered.add(link.target)
        case LinkType.SITUATION:
            payload = SituationLink()
        case _:
            payload = Sem(link.verb.strip() or "related to", link.confidence)
    return ProposedLink(source=link.source, target=link.target, payload=payload)


def _items(answer: Any, name: str, problems: list[str]) -> list[Any]:
    found = answer.get(name) if isinstance(answer, Mapping) else answer
    if isinstance(found, list | tuple):
        return list(found)
    problems.append(f"the answer has no list of {name}")
    return []


def _told(error: ValidationError) -> str:
    return "; ".join(_problems(error))


def _problems(error: ValidationError) -> Iterator[str]:
    for problem in error.errors()[:3]:
        place = ".".join(str(part) for part in problem["loc"])
        yield f"{place}: {problem['msg']}" if place else str(problem["msg"])
