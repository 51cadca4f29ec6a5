"""The questions that make a character, in order, and what becomes of the lines that answer them. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from soulmem.ingest.times import time_span
from soulmem.text.language import Language, has_cjk


@dataclass(frozen=True, slots=True)
class Question:
    """One question: the ``field`` of the answers it fills, its text by language, whether several lines answer it, and how one
    line is read."""

    field: str
    en: str
    zh: str
    many: bool = False
    read: Callable[[str], Any] = str

    def text(self, language: Language) -> str:
        return self.zh if language is Language.ZH else self.en


_PARTED = re.compile(r"\s*(?:[:：]|->|→|——)\s*")
_WHEN = re.compile(r"\A\s*(?:when(?:ever)?|if|每当|当|如果)\s*", re.IGNORECASE)
_DATED = re.compile(r"\A\s*(\d{4}(?:[-/]\d{1,2}){0,2})\s*[:：，, ]\s*(.+)\Z", re.DOTALL)


def named(line: str) -> dict[str, Any]:
    """``Name: who that is``; other names behind the first, with slashes between."""
    name, *rest = _PARTED.split(line, maxsplit=1)
    first, *others = [part.strip() for part in name.split("/") if part.strip()] or [name]
    return {"name": first, "aliases": others, "who": rest[0] if rest else ""}


def habit(line: str) -> dict[str, Any]:
    """``when this happens: what I do: one time I did``."""
    when, *rest = _PARTED.split(_WHEN.sub("", line), maxsplit=2)
    if not rest or not rest[0]:
        told = "习惯要有冒号：每当怎样：我就怎样" if has_cjk(line) else "a habit has a colon: when this happens: what I do"
        raise ValueError(told)
    return {"when": when, "does": rest[0], "once": rest[1] if len(rest) > 1 else ""}


def told(line: str) -> dict[str, Any]:
    """``2019-08: what happened``, or without a time. Raises :class:`ValueError` for a time that cannot be."""
    match = _DATED.match(line)
    if match is not None:
        _check_time(match[1], line)
    return {"at": match[1], "what": match[2]} if match else {"at": "", "what": line}


def _check_time(stated: str, line: str) -> None:
    try:
        time_span(stated)
    except (ValueError, OverflowError) as error:
        way = "日子写成 2019-08-03，月份写成 2019-08" if has_cjk(line) else "write a day as 2019-08-03, a month as 2019-08"
        raise ValueError(f"{stated}: {way}") from error


QUESTIONS: tuple[Question, ...] = (
    Question("aliases", "Other names you go by?", "还有人怎么叫你？", many=True),
    Question("who", "Who are you, in a few sentences?", "用几句话说说你是谁。"),
    Question("looks", "What do you look like?", "你长什么样？"),
    Question("home", "Where do you live?", "你住在哪里？"),
    Question("likes", "What do you like?", "你喜欢什么？", many=True),
    Question("dislikes", "What do you dislike?", "你讨厌什么？", many=True),
    Question("people", "Who matters to you? (Name: who they are)", "谁对你重要？（名字：是谁）", many=True, read=named),
    Question("places", "Which places? (Name: what it is)", "哪些地方？（地名：是什么地方）", many=True, read=named),
    Question(
        "habits",
        "What do you do when …? (when this happens: what I do: one time I did)",
        "遇到什么事你会怎么做？（每当怎样：我就怎样：有一次）",
        many=True,
        read=habit,
    ),
    Question("says", "What do you often say?", "你常说什么话？", many=True),
    Question(
        "memories",
        "What has happened to you? (2019-08: what happened)",
        "发生过什么事？（2019-08：什么事）",
        many=True,
        read=told,
    ),
    Question("greeting", "How do you greet somebody?", "你怎么跟人打招呼？"),
)


def filled(name: str, lines: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The answers in the form of a file: ``lines`` by field. Raises :class:`ValueError` for a line that cannot be read."""
    found: dict[str, Any] = {"soulmem": "interview", "version": 1, "name": name}
    for question in QUESTIONS:
        given = [line for line in lines.get(question.field, ()) if line.strip()]
        if given:
            found[question.field] = [question.read(line) for line in given] if question.many else "\n".join(given)
    return found
