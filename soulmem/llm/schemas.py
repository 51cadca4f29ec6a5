"""The forms of structured answers, and what they become: plain frozen values. What a model only filled in is emptied here.

Only here does pydantic look at what a model said. Empty words (unknown, n/a, 不详 …) count as absent; numbers are brought into
their range; times that are none are absent. What an element cannot do without, it must have, else it is dropped.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

from soulmem.llm.answers import AnswerForm
from soulmem.model.links import LinkType, Payload, Sem, SituationLink, TrigToAction, is_legal
from soulmem.model.notes import (
    ActionType,
    Body,
    Category,
    ConceptType,
    Context,
    Environment,
    Event,
    Feeling,
    Location,
    NoteType,
    Participant,
    Procedure,
    Semantic,
    SpecificSituation,
)
from soulmem.model.queries import SemanticUnit, SituationUnit, SubQuery, TimeSpan

MOST_LINKS = 32
MOST_QUERIES = 8
_LONGEST_TEXT = 4000
_LONGEST_NAME = 80
_LONGEST_VERB = 40
_MOST_NAMES = 24

#: Words that stand where nothing is known.
_PLACEHOLDERS = frozenset(
    """
    unknown|n/a|na|none|null|nil|undefined|unspecified|unnamed|tbd|todo|placeholder|
    string|number|integer|boolean|text|empty|nothing|no-one|no one|
    not specified|not mentioned|not available|not stated|not provided|not known|not given|...|…|……|-|--|—|?|??|？|？？|
    未知|不详|无|没有|不明|未提及|未提到|未说明|不清楚|暂无|待定|空|某人|某地|略
    """.strip()
    .replace("\n    ", "")
    .split("|")
)
_AROUND = " \t\r\n\"'“”‘’「」『』()（）[]【】<>〈〉《》.。,，;；:："


def is_placeholder(text: str) -> bool:
    """Whether ``text`` only fills a place: nothing, or a word for it."""
    stripped = text.strip()
    return not stripped or stripped.casefold() in _PLACEHOLDERS or stripped.strip(_AROUND).casefold() in _PLACEHOLDERS | {""}


def _text(value: Any) -> Any:
    """A text, empty where it is a placeholder; a number as its digits."""
    if value is None:
        return ""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"{value:g}"
    if not isinstance(value, str):
        return value
    cleaned = re.sub(r"[\x00-\x1f\x7f\ud800-\udfff]+", " ", value).strip()
    return "" if is_placeholder(cleaned) else cleaned


def _texts(value: Any) -> Any:
    """Distinct texts that say something; a single one may come alone."""
    if value is None:
        return []
    items = re.split(r"[,，、;；]", value) if isinstance(value, str) else value
    if not isinstance(items, list):
        return value
    texts = (_text(item.get("name") if isinstance(item, dict) else item) for item in items)
    return list(dict.fromkeys(text for text in texts if isinstance(text, str) and text))[:_MOST_NAMES]


def _numbers(value: Any) -> Any:
    """Distinct whole numbers ≥ 0, also as ``"[3]"`` or ``"3-5"``."""
    found: list[int] = []
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, bool):
            continue
        if isinstance(item, (int, float)) and math.isfinite(item) and float(item).is_integer() and item >= 0:
            found.append(int(item))
        elif isinstance(item, str):
            found += _numbers_in(item)
    return list(dict.fromkeys(found))[:1000]


def _numbers_in(text: str) -> list[int]:
    numbers: list[int] = []
    for match in re.finditer(r"(\d{1,7})(?:\s*[-–~—]\s*(\d{1,7}))?", text, re.ASCII):
        first, last = int(match[1]), int(match[2] or match[1])
        numbers += range(first, last + 1) if 0 <= last - first < 100 else [first]
    return numbers


def _share(value: Any, default: float) -> float:
    """A number in 0..1; percentages and numbers out of ten are brought there."""
    match = re.fullmatch(r"\s*([\d.]+)\s*(%?)\s*", value, re.ASCII) if isinstance(value, str) else None
    try:
        number = float(match[1]) / (100 if match[2] else 1) if match else float(value)
    except (TypeError, ValueError):
        return default
    if not math.isfinite(number) or number < 0:
        return default
    if number > 10:
        number /= 100
    elif number > 1:
        number /= 10
    return min(number, 1.0)


def _items(value: Any) -> Any:
    """A list; one thing alone is a list of one, nothing an empty one."""
    if value is None or value == "" or value == {}:
        return []
    return value if isinstance(value, list) else [value]


def _named(value: Any) -> Any:
    """``[{"name": …}]`` also from plain names; without a name it is nothing."""
    named = [{"name": item} if isinstance(item, str) else item for item in _items(value)]
    return [item for item in named if not isinstance(item, dict) or _text(item.get("name"))]


def _acts(value: Any) -> Any:
    acts = [{"action": item} if isinstance(item, str) else item for item in _items(value)]
    return [act for act in acts if not isinstance(act, dict) or _text(act.get("action"))]


def _default_share(default: float) -> BeforeValidator:
    return BeforeValidator(lambda value: _share(value, default))


def _one_of(kind: type[Any], default: Any) -> BeforeValidator:
    """A member of an enumeration by its value in any case; else ``default``."""
    known = {str(member.value).casefold(): member.value for member in kind}
    fallback = None if default is None else default.value
    return BeforeValidator(lambda value: known.get(str(value).strip().casefold(), fallback))


def _bounded(text: str) -> str:
    if len(text) > _LONGEST_TEXT:
        raise ValueError(f"longer than {_LONGEST_TEXT} characters")
    return text


def _said(text: str) -> str:
    if not text:
        raise ValueError("it says nothing")
    return _bounded(text)


def _name_of(text: str) -> str:
    if len(text) > _LONGEST_NAME:
        raise ValueError("a name is needed, not a sentence")
    if not any(map(str.isalpha, text)):
        raise ValueError("a name is needed, not a number or a time")
    return _said(text)


def _told(text: str) -> str:
    if text.endswith((":", "：")):
        raise ValueError("it announces something, and does not say it")
    return _said(text)


# Lengths are checked here and not by the schema: servers that make grammars of it cannot count that far.
Text = Annotated[str, AfterValidator(_bounded), BeforeValidator(_text)]
Said = Annotated[str, AfterValidator(_said), BeforeValidator(_text)]
Name = Annotated[str, AfterValidator(_name_of), BeforeValidator(_text)]
Told = Annotated[str, AfterValidator(_told), BeforeValidator(_text)]
Texts = Annotated[list[str], BeforeValidator(_texts)]
Numbers = Annotated[list[int], BeforeValidator(_numbers)]


#: A promise is an event to come, and has this tag.
PROMISE = "promise"


class FactCategory(StrEnum):
    """The categories of a fact as a model says them."""

    IDENTITY = Category.IDENTITY
    DATE = Category.DATE
    PREFERENCE = Category.PREFERENCE
    RELATION = Category.RELATION
    EVENT = Category.EVENT
    PROMISE = PROMISE
    STATE = Category.STATE
    KNOWLEDGE = Category.KNOWLEDGE


class ParticipantForm(BaseModel):
    name: Said
    role: Text = ""


class FeelingForm(BaseModel):
    name: Said
    intensity: Annotated[float, _default_share(1.0)] = 1.0


class EventForm(BaseModel):
    action: Said
    initiator: Text = ""
    target: Text = ""


class FactForm(BaseModel):
    content: Name
    description: Text = ""
    aliases: Texts = Field(default_factory=list)
    concept_type: Annotated[ConceptType, _one_of(ConceptType, ConceptType.ENTITY)] = ConceptType.ENTITY
    category: Annotated[FactCategory | None, _one_of(FactCategory, None)] = None
    tags: Texts = Field(default_factory=list)
    messages: Numbers = Field(default_factory=list)
    supersedes: Text = ""


class SituationForm(BaseModel):
    narrative: Told
    time_start: Text = ""
    time_end: Text = ""
    location: Text = ""
    participants: Annotated[list[ParticipantForm], BeforeValidator(_named)] = Field(default_factory=list)
    emotions: Annotated[list[FeelingForm], BeforeValidator(_named)] = Field(default_factory=list)
    atmosphere: Text = ""
    tone: Text = ""
    events: Annotated[list[EventForm], BeforeValidator(_acts)] = Field(default_factory=list)
    tags: Texts = Field(default_factory=list)
    messages: Numbers = Field(default_factory=list)


class ProcedureForm(BaseModel):
    content: Said
    action_type: Annotated[ActionType, _one_of(ActionType, ActionType.SPEAK)] = ActionType.SPEAK
    tags: Texts = Field(default_factory=list)
    messages: Numbers = Field(default_factory=list)


class SplitForm(AnswerForm):
    """Notes from a piece of conversation."""

    facts: Annotated[list[FactForm], BeforeValidator(_items)] = Field(default_factory=list)
    situations: Annotated[list[SituationForm], BeforeValidator(_items)] = Field(default_factory=list)
    procedures: Annotated[list[ProcedureForm], BeforeValidator(_items)] = Field(default_factory=list)

    def texts(self) -> list[str]:
        return [
            *(fact.description for fact in self.facts),
            *(situation.narrative for situation in self.situations),
            *(procedure.content for procedure in self.procedures),
        ]

    def names(self) -> list[str]:
        return [fact.content for fact in self.facts]


class HabitForm(BaseModel):
    when: Said
    does: Said
    action_type: Annotated[ActionType, _one_of(ActionType, ActionType.SKILL)] = ActionType.SKILL
    messages: Numbers = Field(default_factory=list)


class CharacterForm(AnswerForm):
    """Notes from a text about a character."""

    facts: Annotated[list[FactForm], BeforeValidator(_items)] = Field(default_factory=list)
    situations: Annotated[list[SituationForm], BeforeValidator(_items)] = Field(default_factory=list)
    habits: Annotated[list[HabitForm], BeforeValidator(_items)] = Field(default_factory=list)

    def texts(self) -> list[str]:
        return [
            *(fact.description for fact in self.facts),
            *(situation.narrative for situation in self.situations),
            *(habit.does for habit in self.habits),
        ]

    def names(self) -> list[str]:
        return [fact.content for fact in self.facts]


class SummaryForm(AnswerForm):
    """The summary of the conversation so far."""

    summary: Told

    def texts(self) -> list[str]:
        return [self.summary]


class LinkForm(BaseModel):
    source: Said
    target: Said
    type: Text = ""
    verb: Text = ""
    confidence: Annotated[float, _default_share(0.5)] = 0.5
    prob: Annotated[float, _default_share(0.2)] = 0.2


class LinksForm(AnswerForm):
    """Links between notes."""

    links: Annotated[list[LinkForm], BeforeValidator(_items)] = Field(default_factory=list)


class ConceptQueryForm(BaseModel):
    name: Said
    description: Text = ""
    priority: Annotated[float, _default_share(0.5)] = 0.5


class SituationQueryForm(BaseModel):
    narrative: Text = ""
    location: Text = ""
    participants: Texts = Field(default_factory=list)
    atmosphere: Text = ""
    tone: Text = ""
    action: Text = ""
    initiator: Text = ""
    target: Text = ""
    time_start: Text = ""
    time_end: Text = ""
    priority: Annotated[float, _default_share(0.5)] = 0.5


class QueriesForm(AnswerForm):
    """What should come to mind."""

    concepts: Annotated[list[ConceptQueryForm], BeforeValidator(_items)] = Field(default_factory=list)
    situations: Annotated[list[SituationQueryForm], BeforeValidator(_items)] = Field(default_factory=list)

    def texts(self) -> list[str]:
        return [situation.narrative for situation in self.situations if situation.narrative]

    def names(self) -> list[str]:
        return [text for concept in self.concepts for text in (concept.name, concept.description) if text]


def _fills(value: Any) -> Any:
    """The texts for gaps, in order, with empty ones; also by their numbers."""
    if isinstance(value, dict):
        value = [text for _, text in sorted(value.items(), key=lambda item: (len(str(item[0])), str(item[0])))]
    items = [item.get("text", item.get("blank")) if isinstance(item, dict) else item for item in _items(value)]
    return [_text(item) for item in items]


class FilledForm(BaseModel):
    line: Annotated[int, BeforeValidator(lambda value: next(iter(_numbers(value)), value))]
    blanks: Annotated[list[str], BeforeValidator(_fills)]


class CompletionForm(AnswerForm):
    """What stood in the gaps of lines."""

    lines: Annotated[list[FilledForm], BeforeValidator(_items)]

    def texts(self) -> list[str]:
        return [" ".join(line.blanks) for line in self.lines]


class TrialForm(AnswerForm):
    """The answer to the trial of a model."""

    name: Said
    city: Said


# -- what they become -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedNote:
    """A note that a model proposes. ``messages``: the numbers of the lines it comes from, at least one; ``supersedes``: the id of
    the known fact it replaces."""

    body: Body
    tags: tuple[str, ...] = ()
    messages: tuple[int, ...]
    supersedes: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """``notes`` in the order of the answer; ``dropped``: what could not be taken, and why."""

    notes: tuple[ProposedNote, ...]
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedLink:
    """A link that a model proposes, between the ids that it was given."""

    source: str
    target: str
    payload: Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedLinks:
    """``links`` in the order of the answer; ``dropped``: what could not be taken, and why."""

    links: tuple[ProposedLink, ...]
    dropped: tuple[str, ...] = ()


def proposed_notes(form: SplitForm, *, messages: Mapping[int, str], known: Set[str], now: datetime) -> Proposed:
    """The notes of ``form``. ``messages``: number → line, as shown to the model. A note that comes from none of them, or
    shares no word with those it is said to come from, is dropped; a superseding of what is not in ``known`` is
    taken for a new fact; times further than a century from ``now``, or that are none, are absent. The same twice counts once."""
    parts: list[tuple[list[int], list[str], Body, str]] = [
        *((fact.messages, _tags(fact), _semantic(fact), fact.supersedes) for fact in form.facts),
        *((one.messages, one.tags, _situation(one, now), "") for one in form.situations),
        *((one.messages, one.tags, Procedure(content=one.content, action_type=one.action_type), "") for one in form.procedures),
    ]
    notes: dict[Body, ProposedNote] = {}
    dropped: list[str] = []
    for numbers, tags, body, supersedes in parts:
        sources = tuple(number for number in numbers if number in messages)
        if not sources:
            dropped.append(f"{_name(body)}: no line it comes from")
        elif not is_grounded(_words_of(body), "\n".join(messages[number] for number in sources)):
            dropped.append(f"{_name(body)}: its lines say nothing of it")
        elif body in notes:
            dropped.append(f"{_name(body)}: twice")
        else:
            if supersedes and supersedes not in known:
                dropped.append(f"{_name(body)}: supersedes {supersedes[:40]!r}, which is none of the known facts")
            notes[body] = ProposedNote(
                body=body, tags=tuple(tags), messages=sources, supersedes=supersedes if supersedes in known else None
            )
    return Proposed(notes=tuple(notes.values()), dropped=tuple(dropped))


def _name(body: Body) -> str:
    text = (
        body.narrative
        if isinstance(body, SpecificSituation)
        else getattr(body, "description", "") or getattr(body, "content", "")
    )
    return repr(text[:60])


def _words_of(body: Body) -> str:
    if isinstance(body, Semantic):
        return "\n".join((body.content, *body.aliases, body.description))
    return body.narrative if isinstance(body, SpecificSituation) else getattr(body, "content", "")


def is_grounded(text: str, source: str) -> bool:
    """Whether ``text`` shares with ``source`` two Chinese characters in a row, or four letters of a word (a short word whole,
    where it has no longer ones)."""
    heard = source.casefold()
    words = re.findall(r"[^\W_]+", text.casefold())
    telling = [word for word in words if len(word) >= _size(word)] or words
    return any(
        word[start : start + _size(word)] in heard for word in telling for start in range(max(len(word) - _size(word), 0) + 1)
    )


def _size(word: str) -> int:
    return 2 if any(character > "\u2e7f" for character in word) else 4


def _tags(fact: FactForm) -> list[str]:
    return [*fact.tags, *([PROMISE] if fact.category == PROMISE and PROMISE not in fact.tags else [])]


def _semantic(fact: FactForm) -> Semantic:
    aliases = tuple(alias for alias in fact.aliases if alias.casefold() != fact.content.casefold())
    return Semantic(
        content=fact.content,
        aliases=aliases,
        concept_type=fact.concept_type,
        description=fact.description,
        category=Category.EVENT if fact.category == PROMISE else Category(fact.category) if fact.category else None,
    )


def _situation(form: SituationForm, now: datetime) -> SpecificSituation:
    start, end = read_span(form.time_start, form.time_end, now)
    return SpecificSituation(
        narrative=form.narrative,
        time_start=start,
        time_end=end,
        context=Context(
            location=Location(form.location) if form.location else None,
            participants=tuple(Participant(one.name, one.role) for one in form.participants),
            emotions=tuple(Feeling(one.name, one.intensity) for one in form.emotions),
            environment=Environment(form.atmosphere, form.tone) if form.atmosphere or form.tone else None,
            event=tuple(Event(one.action, initiator=one.initiator, target=one.target) for one in form.events),
        ),
    )


_DATE = re.compile(r"(\d{4})(?:\s*[-/年.]\s*(\d{1,2}))?(?:\s*[-/月.]\s*(\d{1,2}))?\s*[日号]?", re.ASCII)
_FURTHEST = timedelta(days=36525)


def read_span(start: str, end: str, now: datetime) -> tuple[datetime | None, datetime | None]:
    """The time span that two texts of a model say, half-open, UTC. A date is its whole day, a year its whole year; without an end
    it ends with what the start names. Absent where it is no time, further than a century from ``now``, or ends too early."""
    first, whole = _read_time(start, now)
    _, stop = _read_time(end, now)
    default = whole if whole != first else None
    if first is None:
        return None, stop
    return first, stop if stop and stop > first else default


def _read_time(text: str, now: datetime) -> tuple[datetime | None, datetime | None]:
    """Where the time that ``text`` names begins and ends."""
    try:
        found = _moment(text.strip()) or _stretch(text.strip())
    except (ValueError, OverflowError):
        return None, None
    if found is None or abs(found[0] - now) > _FURTHEST:
        return None, None
    return found


def _moment(text: str) -> tuple[datetime, datetime] | None:
    if len(text) <= 10 or _DATE.fullmatch(text):
        return None
    moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    return moment, moment


def _stretch(text: str) -> tuple[datetime, datetime] | None:
    match = _DATE.fullmatch(text)
    if match is None:
        return None
    year, month, day = (int(part) if part else 0 for part in match.groups())
    begin = datetime(year, month or 1, day or 1, tzinfo=UTC)
    if day:
        return begin, begin + timedelta(days=1)
    if month:
        return begin, datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)
    return begin, datetime(year + 1, 1, 1, tzinfo=UTC)


def proposed_links(form: LinksForm, types: Mapping[str, NoteType], most: int = MOST_LINKS) -> ProposedLinks:
    """The links of ``form`` between the ids in ``types``, at most ``most``. Where the type said is not legal between these ends
    and exactly one other is, that one is taken; what stays illegal, leads to itself, comes twice or names no such id is dropped.
    """
    links: dict[tuple[str, str], ProposedLink] = {}
    dropped: list[str] = []
    for one in form.links:
        source, target = one.source.strip(_AROUND), one.target.strip(_AROUND)
        what = f"{source[:40]} → {target[:40]}"
        payload = None
        if source not in types or target not in types:
            dropped.append(f"{what}: an id that was not given")
        elif source == target:
            dropped.append(f"{what}: to itself")
        elif (payload := _payload(one, types[source], types[target])) is None:
            dropped.append(f"{what}: no such link may lead from {types[source]} to {types[target]}")
        elif (source, target) in links:
            dropped.append(f"{what}: twice")
        elif len(links) == most:
            dropped.append(f"{what}: more than {most} links")
        else:
            links[source, target] = ProposedLink(source=source, target=target, payload=payload)
    return ProposedLinks(links=tuple(links.values()), dropped=tuple(dropped))


def _payload(form: LinkForm, source: NoteType, target: NoteType) -> Payload | None:
    legal = [kind for kind in LinkType if is_legal(kind, source, target)]
    said = next((kind for kind in LinkType if kind.value.casefold() == form.type.casefold()), None)
    kind = said if said in legal else legal[0] if len(legal) == 1 else None
    match kind:
        case LinkType.SEM:
            return Sem(verb=form.verb if _is_verb(form) else "relates to", confidence=form.confidence)
        case LinkType.PROC:
            return TrigToAction(prob=form.prob)
        case LinkType.SITUATION:
            return SituationLink()
    return None


def _is_verb(form: LinkForm) -> bool:
    """Whether the verb is one, and not an id or a whole sentence."""
    return bool(form.verb) and len(form.verb) <= _LONGEST_VERB and form.verb not in (form.source, form.target)


def structured_queries(form: QueriesForm, now: datetime, most: int = MOST_QUERIES) -> tuple[SubQuery, ...]:
    """The queries of ``form``, the most important first, at most ``most``. Questions and empty conditions are left out."""
    found = [
        *(
            SubQuery(
                priority=max(one.priority, 0.1),
                units=(SemanticUnit(concept_identifier=one.name, description=one.description),),
                of="Semantic",
            )
            for one in form.concepts
        ),
        *(
            SubQuery(priority=max(one.priority, 0.1), units=(unit,), of="Situation")
            for one in form.situations
            if (unit := _situation_unit(one, now)) != SituationUnit()
        ),
    ]
    distinct = list({query.units: query for query in found}.values())
    return tuple(sorted(distinct, key=lambda query: -query.priority)[:most])


def _situation_unit(form: SituationQueryForm, now: datetime) -> SituationUnit:
    start, end = read_span(form.time_start, form.time_end, now)
    return SituationUnit(
        narrative="" if form.narrative.endswith(("?", "？", "吗", "呢")) else form.narrative,
        locations=(Location(form.location),) if form.location else (),
        participants=tuple(Participant(name) for name in form.participants),
        time_spans=(TimeSpan(start=start, end=end),) if start or end else (),
        environment=Environment(form.atmosphere, form.tone) if form.atmosphere or form.tone else None,
        events=(Event(form.action, initiator=form.initiator, target=form.target),) if form.action else (),
    )


def labelled(notes: Sequence[tuple[str, NoteType, str]]) -> list[str]:
    """The lines of the prompt ``link``: for (id, type, text) of each note ``id (type): text``."""
    return [f"{label} ({kind.value}): {text}" for label, kind, text in notes]
