"""Forgetting completion (SPEC §8): a model guesses, in the character's manner, what stood where a used memory has blanks.

It is asked once for each note, and only for the words in the gaps: all else stays as it was by construction. A guess that is no
guess (empty, too long for its gap, of several lines, the name of something else) leaves its text as it was. Writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from soulmem.errors import ModelError
from soulmem.forget.masks import Clarity, Masked
from soulmem.llm.answers import ask
from soulmem.llm.contract import Model
from soulmem.llm.prompting import rendered
from soulmem.llm.schemas import CompletionForm, is_placeholder
from soulmem.model.notes import Revision
from soulmem.text.language import Language, language
from soulmem.text.names import normal_name

#: So many texts are completed at a time; longer ones, and those with more gaps, stay as they are.
MOST_LINES = 20
LONGEST = 1500
MOST_GAPS = 40
#: A guess has at most so many times the characters of what stood there, and so many more.
_TIMES = 2
_MORE = 10
_MARKS = frozenset("⟦⟧〔〕[]…\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hazy:
    """A note with blanks. ``missing``: its missing degree; ``texts``: name of the text (content, narrative …) → its mask."""

    note: str
    key: str
    missing: float
    texts: Mapping[str, Masked]


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """``revisions``: note id → what is believed of it from now on; ``problems``: what was left as it was, and why, in words."""

    revisions: Mapping[str, Revision] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


#: Whether a name belongs to another note than the one with this id.
Taken = Callable[[str, str], bool]


@dataclass(frozen=True, slots=True)
class _Line:
    hazy: Hazy
    name: str
    masked: Masked

    @property
    def gapped(self) -> str:
        """The text with numbered gaps, each with the gist that is left."""
        colon = "：" if language(self.masked.original) is Language.ZH else ": "
        parts: list[str] = []
        number = 0
        for segment in self.masked.segments:
            number += segment.clarity is not Clarity.CLEAR
            gist = f"{colon}{segment.gist}" if segment.gist else ""
            parts.append(segment.original if segment.clarity is Clarity.CLEAR else f"⟦{number}{gist}⟧")
        return "".join(parts)


def complete(model: Model, character: str, about: str, notes: Sequence[Hazy], is_taken: Taken) -> Completion:
    """What ``model`` believes to have stood in the blanks of ``notes``. ``about``: what the character knows of itself.

    A model that fails costs nothing but its call: there are no revisions then, and a problem that says why.
    """
    lines = [_Line(hazy, name, masked) for hazy in notes for name, masked in hazy.texts.items() if _is_guessable(masked)]
    lines = lines[:MOST_LINES]
    if not lines:
        return Completion()
    spoken_in = language("\n".join(line.masked.original for line in lines))
    values = {
        "character": character,
        "about": about,
        "lines": [f"[{number}] {line.gapped}" for number, line in enumerate(lines, 1)],
    }
    try:
        form = ask(model, rendered("complete", "zh" if spoken_in is Language.ZH else "en", values), CompletionForm).value
    except ModelError as error:
        return Completion(problems=(f"what is forgotten was not guessed: {error.what}",))
    return _completion(lines, {filled.line: filled.blanks for filled in form.lines}, is_taken)


def _is_guessable(masked: Masked) -> bool:
    """Something is gone, and something is left to guess it from."""
    gaps = len(masked.blanks)
    is_short = len(masked.original) <= LONGEST and gaps <= MOST_GAPS
    return is_short and gaps > 0 and 0 < masked.count < masked.total


def _completion(lines: Sequence[_Line], answers: Mapping[int, Sequence[str]], is_taken: Taken) -> Completion:
    texts: dict[str, dict[str, str]] = {}
    problems: list[str] = []
    for number, line in enumerate(lines, 1):
        wrong = _wrong(line, answers.get(number, ()), is_taken)
        if wrong:
            problems.append(f"{line.hazy.key}: what is forgotten of its {line.name} was not guessed: {wrong}")
        else:
            texts.setdefault(line.hazy.note, {})[line.name] = line.masked.filled(answers[number])
    missing = {line.hazy.note: line.hazy.missing for line in lines}
    return Completion(
        revisions={note: Revision(missing=missing[note], **found) for note, found in texts.items()}, problems=tuple(problems)
    )


def _wrong(line: _Line, guesses: Sequence[str], is_taken: Taken) -> str:
    """What is wrong with the guesses at the gaps of a line; empty: nothing."""
    gaps = line.masked.blanks
    if len(guesses) != len(gaps):
        return f"{len(guesses)} answers to {len(gaps)} gaps"
    for guess, gap in zip(guesses, gaps, strict=True):
        if is_placeholder(guess):
            return "an answer says nothing"
        if len(guess) > _TIMES * len(gap.original) + _MORE:
            return "an answer is longer than its gap"
        if not _MARKS.isdisjoint(guess):
            return "an answer is no words"
    name = line.masked.filled(guesses)
    if line.name == "content" and is_taken(normal_name(name), line.hazy.note):
        return "it would be called as something else is"
    return ""
