"""A card as notes: what the character is, how it talks, where it stands; and the lines it shows that with, as sources.

- Statements of description and personality are Semantic notes that ``sem_self`` leads to.
- The scenario is one situation; long ones also leave their statements as knowledge.
- Greetings and example dialogues never happened: they are hidden messages, the sources of Procedures (how the character acts),
  each triggered by a pattern that the scenario is an instance of.
- Instructions (system prompts, notes of who made the card) become nothing.

The character does not forget who it is: the notes of a card are pinned.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from soulmem.ingest.cards.card import MOST_TAG, MOST_TAGS, Card, clean_name
from soulmem.ingest.cards.examples import Block, Side, Turn, dialogue, is_deed, spoken, without_dialogue
from soulmem.ingest.cards.instructions import is_instruction, without_instructions
from soulmem.ingest.cards.macros import CHARACTER
from soulmem.ingest.cards.payload import shortened
from soulmem.ingest.cards.pictures import as_text, kept_pictures, recorded, without_data
from soulmem.ingest.cards.traits import MOST_LENGTH, Trait, full_names, is_name, sentences, traits
from soulmem.ingest.cards.words import ZH, Words, key_of, readable, words_for
from soulmem.ingest.contract import CARD, Document, KeyedLink, Problem, SaidLine
from soulmem.ingest.lorebooks.entry import book_of
from soulmem.ingest.lorebooks.notes import book_notes, kept_book
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
    Note,
    Participant,
    Procedure,
    Semantic,
    SpecificSituation,
    derived_id,
)
from soulmem.text.names import normal_name

#: More statements, and more turns of examples, than this of one card are left out.
MOST_TRAITS, MOST_TURNS = 300, 40
#: What a person reads of the character in one line, characters.
_SUMMARY = 300
#: How much of a turn becomes a way of acting, and of a line what triggers it, characters.
_ACTION, _TRIGGER = 400, 200
#: A scenario longer than this also leaves its statements one by one, characters.
_LONG_SCENE = 600
#: How much of an instruction is told, characters.
_TOLD = 60
_MAIN, _OTHER = 0.6, 0.2
_SHOWN = 0.5

_CATEGORIES = (
    (
        Category.PREFERENCE,
        re.compile(
            r"\b(?:dis)?likes?\b|\blov(?:es?|ing)\b|\bhat(?:es?|red)\b|hobb|fav(?:ou?rite)|喜|爱好|讨厌|厌恶|偏好", re.IGNORECASE
        ),
    ),
    (Category.DATE, re.compile(r"birth(?:day|date)|date of birth|生日|出生日期", re.IGNORECASE)),
    (
        Category.RELATION,
        re.compile(
            r"\b(?:wife|husband|mother|father|sister|brother|son|daughter|friend|lover|partner|famil\w+|relation\w*|rival)\b"
            r"|关系|家人|家庭|妻|丈夫|父|母|姐|妹|兄|弟|朋友|恋人",
            re.IGNORECASE,
        ),
    ),
)
_SPEECH = re.compile(
    r"\bspe(?:ech|aks?|aking)\b|\btalk(?:s|ing)\b|\bvoice\b|\baccent\b|\bdialect\b|catch\s?phrase|\bverbal\b|\bmannerisms?\b|\bstutter"
    r"|\bhabits?\b|\bquirks?\b|\bdialogue style\b|口头禅|口癖|说话|语气|口吻|口音|自称|习惯|台词|语言风格",
    re.IGNORECASE,
)
_SCENE = {"scenario", "setting", "场景", "情境", "情景", "当前场景"}
_TAGS = {"tags", "genre", "标签", "类型"}
_TO_GROUPS = "group_only_greetings"
_PLACEHOLDER = re.compile(r"(?:unknown|n/?a|none|tbd|\?+|不详|未知|无|暂无|待定)[.。]?\Z", re.IGNORECASE)
_POSSESSIVE = re.compile(r"(?:['’]s?|的)\Z")
_BEING = re.compile(r"\bof\Z", re.IGNORECASE)
_VERBAL = re.compile(
    r"\b(?:of|with|to|for|in|by|from|at)\Z"
    r"|\A(?:likes|loves|hates|dislikes|wears|has|is|speaks|knows|wants|lives)\b"
    r"|\A(?:最?喜欢|最?讨厌|喜爱|最爱|厌恶|害怕|最怕|擅长|不擅长|想要)\Z",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Draft:
    """What is made of a card, as it grows."""

    card: Card
    at: datetime
    character: str | None
    words: Words
    notes: dict[str, Note] = field(default_factory=dict)
    links: dict[tuple[str, str, Payload], KeyedLink] = field(default_factory=dict)
    lines: list[SaidLine] = field(default_factory=list)
    drawn: dict[str, list[int]] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    fields: dict[Trait, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    patterns: list[str] = field(default_factory=list)
    scene: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    instructions: list[str] = field(default_factory=list)
    entries: int = 0

    @property
    def subject(self) -> str:
        return self.character or CHARACTER

    def text(self, raw: str) -> str:
        return readable(raw, self.character, self.words)

    def add(
        self, key: str, body: Body, place: str = "", *, tags: Sequence[str] = (), core: bool = False, said: Iterable[int] = ()
    ) -> str:
        """A note; ``place``: the field of the card that says it."""
        note = Note(
            id=derived_id("note", key),
            key=key,
            body=body,
            created_at=self.at,
            decayed_at=self.at,
            tags=tuple(tags),
            core=core,
            pinned=True,
        )
        self.notes.setdefault(key, note)
        self.places.setdefault(key, place)
        if said := [line for line in said if line not in self.drawn.get(key, ())]:
            self.drawn.setdefault(key, []).extend(said)
        return key

    def link(self, source: str, target: str, payload: Payload, intensity: float = 1.0) -> None:
        link = KeyedLink(
            source_key=source, target_key=target, payload=payload, intensity=intensity, created_at=self.at, line=None
        )
        self.links.setdefault((source, target, payload), link)

    def say(self, speaker: str, role: Role, text: str) -> int:
        """A line that the card shows and nobody said; its number."""
        number = len(self.lines)
        self.lines.append(SaidLine(index=number, line=number + 1, speaker=speaker, role=role, text=text, hidden=True))
        return number


def document_of(
    card: Card,
    at: datetime,
    format: str,
    problems: Sequence[Problem] = (),
    files: Iterable[tuple[str, bytes]] = (),
    *,
    apart: Collection[str] = (),
) -> Document:
    """What a card leaves in a mind, with its lorebook. ``files``: path and bytes of what came with it; ``apart``: sentences about
    somebody else, which do not say who the character is."""
    character = card.nickname or card.name or None
    words = words_for((card.description, card.personality, card.scenario, card.first_mes))
    draft = _Draft(card=card, at=at, character=character, words=words, problems=[*problems, *card.problems])
    if character is None:
        what = "the card has no name: it is taken for the character whose mind this is"
        draft.problems.append(Problem(None, what, skipped=False))
    found, interviews = _statements(draft)
    _add_self(draft, [trait for trait in found if trait.attribute or trait.text not in apart])
    _add_traits(draft, found)
    _add_greetings(draft)
    _add_examples(draft, interviews)
    _add_scene(draft)
    _tell_instructions(draft)
    raw, inside = without_data(card.raw)
    pictures = kept_pictures((*files, *inside), draft.problems)
    kept = {"spec": card.spec, "card": raw} | ({} if format.startswith(CARD) else {"made_of": format})
    kept, left = shortened(_with_book(draft, kept))
    if pictures and kept:
        kept["pictures"] = recorded(pictures)
    draft.problems += (Problem(None, what, skipped=False) for what in left)
    skipped = sum(problem.skipped for problem in draft.problems)
    entries = {"entries": draft.entries} if draft.entries else {}
    return Document(
        format=format,
        read=len(draft.notes) + len(draft.links) + len(draft.lines) + skipped,
        notes=tuple(draft.notes.values()),
        links=tuple(draft.links.values()),
        messages=tuple(draft.lines),
        problems=tuple(draft.problems),
        character_name=card.name or None,
        places=draft.places,
        drawn={key: tuple(lines) for key, lines in draft.drawn.items()},
        kept={"card": kept},
        pictures={one.id: as_text(one.data) for one in pictures},
        nameless=character is None,
        about_self=True,
        items={"fields": card.fields, **entries},
    )


def _with_book(draft: _Draft, kept: dict[str, Any]) -> dict[str, Any]:
    value = draft.card.book
    if value is None:
        return kept
    book = book_of(value)
    if book is None:
        draft.problems.append(Problem(None, "the lorebook of the card is none: it has no entries; left out"))
        return kept
    titled = draft.words.book.format(draft.subject)
    made = book_notes(book, character=draft.character, words=draft.words, at=draft.at, titled=titled)
    for note in made.notes:
        draft.notes.setdefault(note.key, note)
    for link in made.links:
        draft.links.setdefault((link.source_key, link.target_key, link.payload), link)
    for key, place in made.places.items():
        draft.places.setdefault(key, f"lorebook, {place}" if place else "lorebook")
    draft.problems += made.problems
    draft.entries = made.entries
    return {**kept, "patterns": kept_book(book, made)["patterns"]}


def _tell_instructions(draft: _Draft) -> None:
    if number := len(draft.instructions):
        told = "1 sentence says" if number == 1 else f"{number} sentences say"
        what = (
            f"{told} how to write ({_begin_of(draft.instructions[0], _TOLD)}): no memory but an instruction; kept for export only"
        )
        draft.problems.append(Problem(None, what, skipped=False))


# What the character is.


def _statements(draft: _Draft) -> tuple[list[Trait], tuple[Block, ...]]:
    """The statements of the card about the character, and the dialogues that stand among them."""
    names = _names(draft)
    description, interviews = without_dialogue(draft.text(draft.card.description), names)
    personality = _unless_said(traits(draft.text(draft.card.personality)), traits(description), draft.words.personality)
    named = [trait if trait.attribute else Trait(draft.words.personality, trait.text) for trait in personality]
    draft.fields = dict.fromkeys(named, "personality") | dict.fromkeys(traits(description), "description")
    stated = [trait for trait in dict.fromkeys((*traits(description), *named)) if not _set_apart(draft, trait)]
    found = [trait for trait in stated if not _PLACEHOLDER.match(trait.text)]
    if empty := [f"{trait.attribute}: {trait.text}" for trait in stated if _PLACEHOLDER.match(trait.text)]:
        what = f"{len(empty)} statements say nothing ({', '.join(empty[:3])}); left out"
        draft.problems.append(Problem(None, what, skipped=False))
    if len(found) > MOST_TRAITS:
        what = f"the card makes {len(found)} statements; those behind the first {MOST_TRAITS} were left out"
        draft.problems.append(Problem(None, what, skipped=False))
    return found[:MOST_TRAITS], interviews


def _unless_said(found: Iterable[Trait], described: Iterable[Trait], about: str) -> list[Trait]:
    """The statements that are not among those ``described``. ``about``: what a statement is about that does not say it."""
    said = {(trait.attribute.casefold(), normal_name(trait.text)) for trait in described}
    own = ("", about.casefold())
    return [
        trait
        for trait in found
        if said.isdisjoint(
            (name, normal_name(trait.text)) for name in ((trait.attribute.casefold(),) if trait.attribute else own)
        )
    ]


def _set_apart(draft: _Draft, trait: Trait) -> bool:
    """Whether a statement is about the scene or the card rather than the character; if so it is put there."""
    attribute = _attribute(draft, trait).casefold()
    if not trait.attribute and is_instruction(trait.text):
        draft.instructions.append(trait.text)
    elif attribute in _SCENE:
        draft.scene.append(trait.text)
    elif attribute in _TAGS:
        draft.tags += (tag for one in re.split(r"[,，、;；]", trait.text) if (tag := clean_name(one)) and len(tag) <= MOST_TAG)
    else:
        return False
    return True


def _names(draft: _Draft) -> list[str]:
    return [name for name in (draft.card.name, draft.card.nickname, draft.subject) if name]


def _add_self(draft: _Draft, found: Sequence[Trait]) -> None:
    name = draft.card.name or draft.subject
    names = dict.fromkeys((draft.card.nickname, *full_names(found)))
    aliases = tuple(alias for alias in names if alias and normal_name(alias) != normal_name(name))
    body = Semantic(name, aliases, ConceptType.ENTITY, _summary(draft, found), Category.IDENTITY)
    draft.add(
        SELF_KEY,
        body,
        tags=list(dict.fromkeys((*(draft.text(tag) for tag in draft.card.tags), *draft.tags)))[:MOST_TAGS],
        core=True,
    )


def _summary(draft: _Draft, found: Sequence[Trait]) -> str:
    """The first words of the card, as many as are read at a glance."""
    parts: list[str] = []
    for trait in found:
        attribute = _attribute(draft, trait)
        text = draft.words.stated.format(attribute, trait.text) if attribute and not _is_sentence(trait.text) else trait.text
        if is_name(trait.attribute) or sum(map(len, parts)) + len(text) > _SUMMARY:
            continue
        parts.append(text if text.rstrip('"”’」』)）')[-1:] in ".!?。！？…" else f"{text}{'。' if draft.words is ZH else '.'}")
    return ("" if draft.words is ZH else " ").join(parts)


def _attribute(draft: _Draft, trait: Trait) -> str:
    """What a statement is about, without the name of the character in it (*Seraphina's body*)."""
    attribute = trait.attribute
    for name in _names(draft):
        if attribute.casefold().startswith(name.casefold()):
            attribute = re.sub(r"\A(?:['’]s?|的)?\s*", "", attribute[len(name) :])
    return _POSSESSIVE.sub("", attribute).strip()


def _add_traits(draft: _Draft, found: Sequence[Trait]) -> None:
    for trait in found:
        if is_name(trait.attribute):
            continue
        attribute = _attribute(draft, trait)
        category = _category(attribute)
        key = key_of("sem", attribute or " ".join(trait.text.split()[:5]), trait.text)
        draft.add(key, _statement(draft, trait, attribute, category), draft.fields.get(trait, ""))
        draft.link(SELF_KEY, key, Sem(_verb(draft, attribute, category)))
        if _SPEECH.search(attribute or trait.text):
            _add_habit(draft, trait, attribute)


def _category(attribute: str) -> Category:
    return next((category for category, pattern in _CATEGORIES if pattern.search(attribute)), Category.IDENTITY)


def _verb(draft: _Draft, attribute: str, category: Category) -> str:
    if category is Category.PREFERENCE:
        return draft.words.likes
    return attribute.lower() if 0 < len(attribute) <= 30 else draft.words.is_


def _statement(draft: _Draft, trait: Trait, attribute: str, category: Category) -> Semantic:
    names = [name.casefold() for name in _names(draft)]
    if attribute and len(trait.text) <= MOST_LENGTH and not _is_sentence(trait.text):
        words = draft.words
        form = words.being if _BEING.search(attribute) else words.verbal if _VERBAL.search(attribute) else words.of
        content, about = form.format(draft.subject, attribute.lower(), trait.text), ""
    else:
        named = any(name in trait.text.casefold() for name in names)
        content = trait.text
        about = draft.words.comma.join(part for part in ("" if named else draft.subject, attribute) if part)
    return Semantic(content, (), ConceptType.ABSTRACT, about, category)


def _is_sentence(text: str) -> bool:
    return text[-1:] in ".!?。！？…" and len(text.split()) > 3


# How it acts.


def _add_habit(draft: _Draft, trait: Trait, attribute: str) -> None:
    """A way of talking or behaving that the card states."""
    text = draft.words.stated.format(attribute, trait.text) if attribute else trait.text
    key = draft.add(key_of("proc", text[:40], text), Procedure(text, ActionType.SPEAK), draft.fields.get(trait, ""))
    _trigger(draft, _talking(draft), key, _SHOWN)


def _trigger(draft: _Draft, pattern: str, procedure: str, prob: float) -> None:
    draft.link(pattern, procedure, TrigToAction(prob))
    draft.link(SELF_KEY, procedure, Sem(draft.words.known_for, 0.8))


def _pattern(draft: _Draft, initiator: str, action: str, place: str = "", said: Iterable[int] = ()) -> str:
    event = Event(action, 1.0, initiator, draft.subject)
    key = draft.add(key_of("pat", action, initiator), AbstractSituation(event), place, said=said)
    if key not in draft.patterns:
        draft.patterns.append(key)
    return key


def _talking(draft: _Draft) -> str:
    return _pattern(draft, draft.words.somebody, draft.words.talks)


def _add_greetings(draft: _Draft) -> None:
    card = draft.card
    for number, (place, raw) in enumerate(_greetings(card)):
        text = draft.text(raw)
        if not text:
            continue
        line = draft.say(draft.subject, Role.CHARACTER, text)
        tags = draft.words.group_tags if place.startswith(_TO_GROUPS) else draft.words.greeting_tags
        key = _act(draft, text, place, [line], tags)
        _trigger(draft, _pattern(draft, draft.words.somebody, draft.words.begins), key, _MAIN if number == 0 else _OTHER)


def _greetings(card: Card) -> Iterator[tuple[str, str]]:
    """The greetings of a card, each with where it stands in it."""
    yield "first_mes", card.first_mes
    for name in ("alternate_greetings", _TO_GROUPS):
        yield from ((f"{name}[{number}]", text) for number, text in enumerate(getattr(card, name)))


def _act(draft: _Draft, text: str, place: str, said: list[int], tags: Sequence[str] = ()) -> str:
    """The way of acting that a turn shows: what is said in it, or done where nothing is said."""
    deed = is_deed(text)
    shown = _begin_of(text.replace("*", "") if deed else spoken(text) or text, _ACTION)
    body = Procedure(shown, ActionType.SKILL if deed else ActionType.SPEAK)
    return draft.add(key_of("proc", shown[:40], shown), body, place, tags=tags, said=said)


def _begin_of(text: str, most: int) -> str:
    """The first sentences of ``text``."""
    if len(text) <= most:
        return text
    shown = ""
    for sentence in sentences(text):
        if shown and len(shown) + len(sentence) + 1 > most:
            break
        shown = f"{shown} {sentence}".strip()
    return shown if len(shown) <= most else shown[: most - 1].rstrip() + "…"


def _add_examples(draft: _Draft, interviews: Sequence[Block]) -> None:
    shown = dialogue(draft.text(draft.card.mes_example), _names(draft))
    taken = left = 0
    for number, block in enumerate((*interviews, *shown)):
        answers = number < len(interviews)
        before: tuple[int, Turn] | None = None
        for turn in block:
            if taken >= MOST_TURNS:
                left += 1
                continue
            taken += 1
            line = _say_turn(draft, turn)
            if turn.side is Side.CHARACTER:
                _add_example(draft, turn, line, before, answers)
            before = (line, turn)
    if left:
        what = f"of the example dialogues the last {left} turns were left out"
        draft.problems.append(Problem(None, what, skipped=False))


def _say_turn(draft: _Draft, turn: Turn) -> int:
    speaker = {Side.USER: draft.words.user, Side.CHARACTER: draft.subject}.get(turn.side, turn.speaker)
    return draft.say(speaker, Role.USER if turn.side is Side.USER else Role.CHARACTER, turn.text)


def _add_example(draft: _Draft, turn: Turn, line: int, before: tuple[int, Turn] | None, answers: bool) -> None:
    """What a turn of the character shows: how it answers the turn before; in an interview also what it says of itself."""
    place = "description" if answers else "mes_example"
    if before is None or before[1].side is Side.CHARACTER:
        _trigger(draft, _talking(draft), _act(draft, turn.text, place, [line]), _OTHER)
        return
    asked = _begin_of(spoken(before[1].text) or before[1].text, _TRIGGER)
    form = draft.words.does if is_deed(before[1].text) else draft.words.says
    speaker = draft.words.somebody if before[1].side is Side.USER else before[1].speaker
    pattern = _pattern(draft, speaker, form.format(asked.strip("*")), place, [before[0]])
    _trigger(draft, pattern, _act(draft, turn.text, place, [before[0], line]), _MAIN)
    if answers and (told := spoken(turn.text)):
        for part in sentences_together(told):
            text = draft.words.asked.format(draft.subject, asked, part)
            body = Semantic(text, (), ConceptType.ABSTRACT, "", Category.IDENTITY)
            key = draft.add(key_of("sem", asked[:40], part), body, place, said=[before[0], line])
            draft.link(SELF_KEY, key, Sem(draft.words.is_))


def sentences_together(text: str) -> list[str]:
    """The sentences of ``text`` in parts of at most :data:`~soulmem.ingest.cards.traits.MOST_LENGTH` characters."""
    parts: list[str] = []
    for sentence in sentences(text):
        if parts and len(parts[-1]) + len(sentence) + 1 <= MOST_LENGTH:
            parts[-1] = f"{parts[-1]} {sentence}"
        else:
            parts.append(sentence)
    return parts


# Where it stands.


def _add_scene(draft: _Draft) -> None:
    """The scenario as a situation, which the patterns of the card belong to."""
    stated = "\n".join(dict.fromkeys(text for text in (draft.text(draft.card.scenario), *draft.scene) if text))
    scenario, instructions = without_instructions(stated)
    draft.instructions += instructions
    if not scenario and not draft.patterns:
        return
    narrative = _begin_of(scenario, _LONG_SCENE) if scenario else draft.words.scene.format(draft.subject)
    people = tuple(Participant(name) for name in (draft.subject,))
    body = SpecificSituation(narrative, context=Context(participants=people))
    place = "scenario" if draft.card.scenario else ""
    scene = draft.add(key_of("sit", "scenario", narrative), body, place, tags=draft.words.scene_tags if scenario else ())
    draft.link(SELF_KEY, scene, Sem(draft.words.stands, 0.8))
    draft.link(scene, SELF_KEY, Sem(draft.words.about, 0.8))
    for pattern in draft.patterns:
        draft.link(scene, pattern, SituationLink(), 0.5)
        draft.link(pattern, scene, SituationLink(), 0.5)
    if len(scenario) > _LONG_SCENE:
        _add_scenario(draft, scenario, scene)


def _add_scenario(draft: _Draft, scenario: str, scene: str) -> None:
    for trait in traits(scenario)[:MOST_TRAITS]:
        key = key_of("sem", trait.attribute or " ".join(trait.text.split()[:5]), trait.text)
        draft.add(key, Semantic(trait.text, (), ConceptType.ABSTRACT, trait.attribute, Category.KNOWLEDGE), "scenario")
        draft.link(scene, key, Sem(draft.words.has_part, 0.9))
