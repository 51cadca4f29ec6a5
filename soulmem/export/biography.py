"""A mind as a Markdown document that a person reads: who the character is, what it knows, what happened, how it acts.

Each stands with the key of its note and the first place it comes from, so that it can be looked up.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from pathlib import Path

from soulmem.model.links import Link, TrigToAction
from soulmem.model.messages import Message
from soulmem.model.notes import (
    SELF_KEY,
    AbstractSituation,
    ActionType,
    Category,
    Note,
    NoteType,
    Procedure,
    Semantic,
    SpecificSituation,
    display_text,
)
from soulmem.model.results import spoken_lines
from soulmem.text.language import Language, language


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """What a biography is written of. ``sources``: message id → message, of those that notes were drawn from; ``lines``: how many
    messages there are; ``at``: when it is written."""

    name: str
    notes: Sequence[Note]
    links: Sequence[Link]
    sources: Mapping[str, Message]
    lines: int
    at: datetime


@dataclass(frozen=True, slots=True)
class _Words:
    """The words between what is remembered."""

    facts: str
    categories: Mapping[Category, str]
    over: str
    until: str
    things: str
    ideas: str
    knowledge: str
    happened: str
    undated: str
    acts: str
    kinds: Mapping[ActionType, str]
    when: str
    patterns: str
    instances: str
    preface: str
    also: str


_EN = _Words(
    facts="What is so",
    categories={
        Category.IDENTITY: "Who and what",
        Category.RELATION: "Who is whose",
        Category.PREFERENCE: "Likes and dislikes",
        Category.DATE: "Days",
        Category.EVENT: "What was told",
        Category.STATE: "How things stand",
    },
    over="No longer so",
    until="until {}",
    things="People, places and things",
    ideas="Ideas",
    knowledge="Of the world",
    happened="What happened",
    undated="Some time",
    acts="How I act",
    kinds={ActionType.SPEAK: "What I say", ActionType.THINK: "What I think", ActionType.SKILL: "What I can do"},
    when="when",
    patterns="What keeps coming back",
    instances="remembered: {}",
    preface="Written {} from {} notes and {} lines. Behind each: its note, and the first place it comes from.",
    also="also",
)
_ZH = _Words(
    facts="我知道的事",
    categories={
        Category.IDENTITY: "谁是谁",
        Category.RELATION: "关系",
        Category.PREFERENCE: "喜好",
        Category.DATE: "日子",
        Category.EVENT: "听说的事",
        Category.STATE: "近况",
    },
    over="已经不是这样了",
    until="到 {}",
    things="人、地方和东西",
    ideas="想法",
    knowledge="世界",
    happened="发生过的事",
    undated="不知何时",
    acts="我怎么做",
    kinds={ActionType.SPEAK: "我会说", ActionType.THINK: "我会想", ActionType.SKILL: "我会做"},
    when="当",
    patterns="一再出现的情形",
    instances="记得的：{}",
    preface="写于 {}，依据 {} 条记忆、{} 行对话。每条后面是记忆的键，和它最早的出处。",
    also="又叫",
)

#: What Markdown would take for its own signs.
_SIGNS = re.compile(r"([\\`*_\[\]<>|~])")
_AT_LINE_START = re.compile(r"^(\s*)([#+\-=>]|\d+[.)])", re.MULTILINE)


def biography(life: Life) -> str:
    """The document, in the language most notes are in (Chinese or else English)."""
    words = _ZH if language("\n".join(display_text(note.body) for note in life.notes)[:4000]) is Language.ZH else _EN
    return _Writer(life, words).text()


@dataclass
class _Writer:
    life: Life
    words: _Words
    notes: Mapping[str, Note] = field(init=False)
    hubs: Counter[str] = field(init=False)

    def __post_init__(self) -> None:
        self.notes = {note.id: note for note in self.life.notes}
        self.hubs = Counter(end for link in self.life.links for end in (link.source, link.target))

    def text(self) -> str:
        parts = [self._opening(), *self._facts(), *self._world(), *self._happened(), *self._acts(), *self._patterns()]
        return "\n\n".join(part for part in parts if part) + "\n"

    # -- who ------------------------------------------------------------------------------------------------------------------

    def _opening(self) -> str:
        own = next((note.body for note in self.life.notes if note.key == SELF_KEY), None)
        name = own.content if isinstance(own, Semantic) else self.life.name
        lines = [f"# {_plain(name)}"]
        if isinstance(own, Semantic):
            lines += [f"*{self.words.also} {_plain(', '.join(own.aliases))}*"] if own.aliases else []
            lines += [_quoted(own.description)] if own.description else []
        preface = self.words.preface.format(f"{self.life.at:%Y-%m-%d}", len(self.life.notes), self.life.lines)
        return "\n\n".join([*lines, f"*{preface}*"])

    # -- what is so -----------------------------------------------------------------------------------------------------------

    def _semantics(self) -> list[tuple[Note, Semantic]]:
        found = [(note, note.body) for note in self.life.notes if isinstance(note.body, Semantic) and note.key != SELF_KEY]
        return sorted(found, key=lambda pair: (-self.hubs[pair[0].id], pair[0].key))

    def _facts(self) -> Iterator[str]:
        facts = [(note, body) for note, body in self._semantics() if body.category in self.words.categories]
        now = [(note, body) for note, body in facts if not self._is_over(body)]
        over = [(note, body) for note, body in self._semantics() if self._is_over(body)]
        if now:
            yield f"## {self.words.facts}"
        for category, title in self.words.categories.items():
            yield _section(f"### {title}", (self._fact(note, body) for note, body in now if body.category is category))
        yield _section(f"### {self.words.over}", (self._fact(note, body) for note, body in over))

    def _is_over(self, body: Semantic) -> bool:
        return body.valid_until is not None and body.valid_until <= self.life.at

    def _fact(self, note: Note, body: Semantic) -> str:
        until = f"; {self.words.until.format(f'{body.valid_until:%Y-%m-%d}')}" if body.valid_until else ""
        names = f" ({self.words.also} {_plain(', '.join(body.aliases))})" if body.aliases else ""
        more = f" — {_plain(body.description)}" if body.description else ""
        return f"- **{_plain(body.content)}**{names}{more}{until} {self._place(note)}"

    def _world(self) -> Iterator[str]:
        others = [(n, b) for n, b in self._semantics() if b.category not in self.words.categories and not self._is_over(b)]
        known = [pair for pair in others if pair[1].category is Category.KNOWLEDGE]
        rest = [pair for pair in others if pair[1].category is not Category.KNOWLEDGE]
        yield _section(f"## {self.words.things}", (self._fact(n, b) for n, b in rest if b.concept_type == "Entity"))
        yield _section(f"## {self.words.ideas}", (self._fact(n, b) for n, b in rest if b.concept_type != "Entity"))
        yield _section(f"## {self.words.knowledge}", (self._fact(n, b) for n, b in known))

    # -- what happened --------------------------------------------------------------------------------------------------------

    def _happened(self) -> Iterator[str]:
        found = [(self._when(note), note) for note in self.life.notes if isinstance(note.body, SpecificSituation)]
        if found:
            yield f"## {self.words.happened}"
        dated = sorted(((when, note) for when, note in found if when), key=lambda pair: (pair[0], pair[1].key))
        for month, those in groupby(dated, key=lambda pair: f"{pair[0]:%Y-%m}"):
            yield _section(f"### {month}", (self._situation(note, f"{when:%Y-%m-%d}") for when, note in those))
        undated = sorted((note for when, note in found if when is None), key=lambda note: note.key)
        yield _section(f"### {self.words.undated}", (self._situation(note, "") for note in undated))

    def _when(self, note: Note) -> datetime | None:
        body = note.body
        return (body.time_start or body.time_end) if isinstance(body, SpecificSituation) else None

    def _situation(self, note: Note, day: str) -> str:
        text = "  \n  ".join(_plain(line) for line in display_text(note.body).split("\n") if line.strip())
        return f"- {f'{day}: ' if day else ''}{text} {self._place(note)}"

    # -- how the character acts -----------------------------------------------------------------------------------------------

    def _acts(self) -> Iterator[str]:
        found = [(note, note.body) for note in self.life.notes if isinstance(note.body, Procedure)]
        if found:
            yield f"## {self.words.acts}"
        for kind, title in self.words.kinds.items():
            those = sorted((note for note, body in found if body.action_type is kind), key=lambda note: note.key)
            yield _section(f"### {title}", (self._act(note) for note in those))

    def _act(self, note: Note) -> str:
        triggers = [
            (-link.payload.prob, self.notes[link.source])
            for link in self.life.links
            if link.target == note.id and isinstance(link.payload, TrigToAction) and link.source in self.notes
        ]
        lines = [f"- {_plain(display_text(note.body))} {self._place(note)}"]
        for prob, source in sorted(triggers, key=lambda pair: (pair[0], pair[1].key)):
            lines.append(f"  - {self.words.when} {_plain(_first_line(source))} ({-prob:.0%})")
        return "\n".join(lines)

    def _patterns(self) -> Iterator[str]:
        specific = {note.id for note in self.life.notes if note.type is NoteType.SPECIFIC}
        counts: Counter[str] = Counter()
        for link in self.life.links:
            if link.source in specific:
                counts[link.target] += 1
        found = sorted((note for note in self.life.notes if isinstance(note.body, AbstractSituation)), key=lambda note: note.key)
        told = (
            f"- {_plain(display_text(note.body))}"
            + (f" ({self.words.instances.format(counts[note.id])})" if counts[note.id] else "")
            + f" {self._place(note)}"
            for note in found
        )
        yield _section(f"## {self.words.patterns}", told)

    # -- where from -----------------------------------------------------------------------------------------------------------

    def _place(self, note: Note) -> str:
        known = [self.life.sources[one] for one in note.sources if one in self.life.sources]
        lines = [(Path(said.file).name, said.line) for said in spoken_lines(known, note.origins)]
        places = [_bare_path(one) for one in note.origins] + [f"{file}:{line}" for file, line in lines]
        more = f" +{len(places) - 1}" if len(places) > 1 else ""
        return _code(" · ".join([note.key, *places[:1]]) + more)


def _bare_path(origin: str) -> str:
    """A place in a file without the folders before the file."""
    file, colon, field = origin.partition(": ")
    return Path(file).name + colon + field


def _code(text: str) -> str:
    return f"`{' '.join(text.split()).replace('`', 'ʼ')}`"


def _section(title: str, lines: Iterable[str]) -> str:
    """A title with what stands below it; nothing where that is nothing."""
    told = list(lines)
    return "\n".join([title, "", *told]) if told else ""


def _first_line(note: Note) -> str:
    return display_text(note.body).split("\n", 1)[0]


def _quoted(text: str) -> str:
    return "\n".join(f"> {_plain(line)}" for line in text.split("\n"))


def _plain(text: str) -> str:
    """Text in which Markdown finds no signs of its own, on one line."""
    return _AT_LINE_START.sub(r"\1\\\2", _SIGNS.sub(r"\\\1", " ".join(text.split())))
