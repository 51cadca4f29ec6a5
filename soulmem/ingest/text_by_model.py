"""A text about a character, read by a language model. What it proposes is held against the lines it cites, as in consolidation:
what cites none, or says what none of them says, is left out and told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from soulmem.consolidate.answers import split_of
from soulmem.consolidate.contract import SplitQuestion
from soulmem.consolidate.entries import telling_words
from soulmem.consolidate.facts import Kind
from soulmem.ingest.answers import Answers, Drawn
from soulmem.ingest.prose import Line, Voiced, lines_of, voiced
from soulmem.ingest.times import rfc3339
from soulmem.llm.answers import ask
from soulmem.llm.contract import Model
from soulmem.llm.prompting import rendered, shortened
from soulmem.llm.schemas import CharacterForm, HabitForm, SituationForm, is_grounded, read_span
from soulmem.model.messages import Message, Role
from soulmem.text.language import Language, language
from soulmem.text.names import normal_name

#: A model is shown so many characters of the text at once.
MOST_SHOWN = 6000
#: So much of the words of what a model says must stand in its lines.
_SHARE = 0.6


def drawn_from_text(model: Model, answers: Answers, at: datetime) -> tuple[list[Drawn], list[str]]:
    """What ``model`` draws from the text of ``answers`` and its lines bear; and what was left out, in words. ``at``: now.

    Raises :class:`ModelError`.
    """
    names = (answers.name, *answers.aliases)
    own = voiced(answers.text, names)
    drawn: list[Drawn] = []
    problems: list[str] = []
    for lines in _parts(lines_of(answers.text)):
        tongue = "zh" if language("\n".join(line.text for line in lines)) is Language.ZH else "en"
        shown = [f"[{line.number}] {shortened(line.text)}" for line in lines]
        answered = ask(model, rendered("character", tongue, {"character": answers.name, "lines": shown}), CharacterForm)
        problems += answered.dropped
        reading = _Reading(answers.name, {line.number: line.text for line in lines}, own, at, problems)
        drawn += reading.drawn(answered.value)
    return drawn, problems


def _parts(lines: Sequence[Line]) -> Iterator[list[Line]]:
    part: list[Line] = []
    for line in lines:
        if part and sum(len(one.text) for one in part) + len(line.text) > MOST_SHOWN:
            yield part
            part = []
        part.append(line)
    if part:
        yield part


class _Reading:
    """One answer, held against its lines. ``own``: the lines as the character would say them."""

    def __init__(
        self, name: str, lines: Mapping[int, str], own: Mapping[int, tuple[Voiced, ...]], at: datetime, problems: list[str]
    ) -> None:
        self._name, self._lines, self._at, self._problems = name, lines, at, problems
        self._own = own
        self._said = {number: _message(number, name, _as_said(own.get(number, ()))) for number in lines}

    def drawn(self, form: CharacterForm) -> Iterator[Drawn]:
        """What the lines bear of an answer, in its order."""
        for fact in form.facts:
            text = fact.description or fact.content
            if lines := self._borne(text, fact.content, fact.messages, fact.category or Kind.IDENTITY):
                yield Drawn(text=text, lines=lines, subject=fact.content, category=Kind(fact.category or Kind.IDENTITY))
        for situation in form.situations:
            if lines := self._borne(situation.narrative, self._name, situation.messages, Kind.EVENT):
                yield self._happened(situation, lines)
        for habit in form.habits:
            if lines := self._habit_lines(habit):
                yield Drawn(text=habit.does, lines=lines, when=habit.when, action_type=habit.action_type)

    def _cited(self, text: str, numbers: Sequence[int]) -> list[int]:
        found = [number for number in numbers if number in self._lines]
        if not found:
            self._problems.append(f"{text[:60]!r}: no line it comes from")
        return found

    def _borne(self, text: str, subject: str, numbers: Sequence[int], category: str) -> list[int]:
        """The lines that bear what is said; none where none does."""
        lines = self._cited(text, numbers)
        if not lines:
            return []
        whose = "" if category == Kind.EVENT else subject  # what happened may begin with the day
        if not self._is_stated(text, whose, lines):
            self._problems.append(f"{text[:60]!r}: its lines do not say that of {subject[:40]}")
            return []
        question = SplitQuestion(messages=tuple(self._said[number] for number in lines), names={self._name: self._name})
        note = {"content": text, "subject": subject, "category": str(category), "sources": list(range(1, len(lines) + 1))}
        split = split_of({"notes": [note]}, question)
        self._problems += (problem.removeprefix("note 1 ") for problem in split.problems)
        return lines if split.facts else []

    def _is_stated(self, text: str, subject: str, lines: Sequence[int]) -> bool:
        """Whether sentences that may be about ``subject`` say most of the words of ``text``."""
        is_own = normal_name(subject) in (normal_name(self._name), *(normal_name(part) for part in self._name.split()))
        told = "\n".join(
            one.text
            for number in lines
            for one in self._own.get(number, ())
            if not is_own or (one.own and one.of.casefold() in text.casefold())
        )
        words = telling_words(text) - telling_words(f"{subject} {self._name}")
        said = [word for word in words if is_grounded(word, told)]
        return len(said) >= _SHARE * len(words) and bool(said or is_grounded(text, told))

    def _habit_lines(self, habit: HabitForm) -> list[int]:
        lines = self._cited(habit.does, habit.messages)
        if lines and not all(self._is_stated(text, self._name, lines) for text in (habit.does, habit.when)):
            self._problems.append(f"{habit.does[:60]!r}: its lines do not say that of {self._name}")
            return []
        return lines

    def _happened(self, situation: SituationForm, lines: list[int]) -> Drawn:
        """A situation with the time and the place that its lines say."""
        told = "\n".join(self._lines[number] for number in lines)
        start, end = read_span(situation.time_start, situation.time_end, self._at)
        is_dated = start is not None and str(start.year) in told
        return Drawn(
            text=situation.narrative,
            lines=lines,
            place=situation.location if situation.location.casefold() in told.casefold() else "",
            at=rfc3339(start) if start and is_dated else "",
            until=rfc3339(end) if end and is_dated else "",
        )


def _as_said(sentences: Sequence[Voiced]) -> str:
    return " ".join(one.own or one.text for one in sentences)


def _message(number: int, speaker: str, text: str) -> Message:
    return Message(
        id=f"line {number}", chat="text", index=number, file="", line=number, speaker=speaker, role=Role.CHARACTER, text=text
    )
