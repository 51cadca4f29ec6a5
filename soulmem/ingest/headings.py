"""A text under headings, as statements about a character: a heading says where a sentence stands, and is no part of what it says.
Above words that are no sentence (``## Likes``, *tea*) it says what they are. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from soulmem.ingest.cards.traits import is_heading
from soulmem.text.language import HAN, has_cjk
from soulmem.text.stopwords import stop_words, words_of

_ENDS = re.compile(r"[.!?。！？…][”\"’'」』）)*]*\Z")
_MARKS = re.compile(r"\A\s*(?:[-*•·–—+]|\d{1,3}[.)、])\s+")
_SUBJECT = re.compile(r"(?:I|he|she|they|it|my|his|her|their)\b|[我他她它]", re.IGNORECASE)
_HAN = re.compile(f"[{HAN}]")
#: Fewer words, or Chinese characters, may be a mere list, unless they begin with a subject.
_WORDS, _CHARACTERS = 4, 6


_LOWEST = 7
#: What headings are made of that name nobody.
_PLACES = words_of(
    """
history life early later childhood youth past present appearance looks look personality character traits habits habit quirks likes
dislikes loves hates background backstory biography bio story work career job home family friends relationships relations people
skills abilities hobbies interests speech voice style summary overview description introduction notes trivia facts about profile
daily everyday routine routines beliefs values fears goals dreams education war years
    """
)
_PLACES_ZH = re.compile(
    r"历史|经历|外貌|外表|长相|性格|习惯|喜好|喜欢|讨厌|背景|生平|简介|童年|过去|现在|家庭|家人|工作|生活|日常|介绍|故事|爱好|说话|口头禅|关系|能力|设定|资料|其他|概述|总结"
)


def title_of(line: str) -> str:
    """The words of a heading."""
    return line.strip("#*【】<>:： ")


def level_of(line: str) -> int:
    """How deep a heading stands: ``#`` is 1; what has no such marks stands below all."""
    return next((level for level, mark in enumerate(f"{line.strip()} ") if mark != "#"), 0) or _LOWEST


def is_place(title: str) -> bool:
    """Whether a heading says where something stands in the text; it may else be somebody's name."""
    if has_cjk(title):
        return _PLACES_ZH.search(title) is not None
    known = _PLACES | stop_words()
    return all(word.casefold() in known or not word[:1].isupper() for word in re.findall(r"[^\W\d_]+", title))


def sentences_apart(text: str, names: Iterable[str]) -> str:
    """``text`` with the lines that are sentences before all headings; a heading stays above what is none. ``names``: what the
    character is called."""
    called = tuple(names)
    told: list[str] = []
    under: list[str] = []
    for section in _sections(text.split("\n")):
        heading = section[:1] if is_heading(section[0]) else []
        lines = section[len(heading) :]
        listed = [line for line in lines if heading and not is_sentence(line, called)]
        told += [line for line in lines if not heading or is_sentence(line, called)]
        under += [*heading, *listed] if any(line.strip() for line in listed) else []
    return "\n".join([*told, *under])


def _sections(lines: Iterable[str]) -> Iterator[list[str]]:
    section: list[str] = []
    for line in lines:
        if section and is_heading(line):
            yield section
            section = []
        section.append(line)
    if section:
        yield section


def unmarked(line: str) -> str:
    """A line of a list without its bullet or number."""
    return _MARKS.sub("", line, count=1).strip()


def is_sentence(line: str, names: tuple[str, ...]) -> bool:
    """Whether a line says something without what stands above it."""
    bare = unmarked(line)
    is_long = len(bare.split()) >= _WORDS or len(_HAN.findall(bare)) >= _CHARACTERS
    return _ENDS.search(bare) is not None and (is_long or _SUBJECT.match(bare) is not None or bare.startswith(names))
