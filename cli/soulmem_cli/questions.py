"""Questions as files give them: one a line, or an evaluation file of which only the questions are taken."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from soulmem.errors import FormatError, InputError, json_fault
from soulmem.model.queries import SubQuery


@dataclass(frozen=True, slots=True)
class Question:
    """A question in words; or, with ``sub_queries``, a structured one whose name ``text`` is. ``at``: its own time, if it has
    one."""

    text: str
    sub_queries: tuple[SubQuery, ...] = ()
    at: datetime | None = None


def read_text(path: str) -> str:
    """The text of a file, or of standard input for ``-``; UTF-8."""
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise FormatError("not UTF-8 text", place=_name(path), advice="Save it as UTF-8.") from error


def read_structured(path: str) -> Question:
    """The one structured question of a file, called by its name there or by that of the file."""
    from soulmem.recall.query_json import read_sub_queries

    text = read_text(path)
    sub_queries = read_sub_queries(text, _name(path))
    case = json.loads(text)
    name = case.get("name") if isinstance(case, dict) else None
    return Question(text=name if isinstance(name, str) and name else _name(path), sub_queries=sub_queries)


def read_batch(path: str) -> list[Question | FormatError]:
    """All questions of a file: JSON Lines (texts, ``{"q": …}`` or ``{"text": …}``, with an ``at`` if wanted), Evidence JSON or
    Query JSON. What is none among them has its error in its place, which says the line.

    Raises :class:`FormatError` where the file is not of questions at all.
    """
    found = _questions(path)
    if found and all(isinstance(one, FormatError) for one in found):
        raise next(one for one in found if isinstance(one, FormatError))
    return found


def _questions(path: str) -> list[Question | FormatError]:
    text, name = read_text(path), _name(path)
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return [_read(_parsed, line, f"{name}:{number}") for number, line in _lines(text)]
    if isinstance(whole, dict) and "test_cases" in whole:
        return [*_cases(text, name)]
    if isinstance(whole, dict) and "questions" in whole:
        whole = whole["questions"]
        if not isinstance(whole, list):
            raise FormatError("questions: expected an array", place=name)
    elif not isinstance(whole, list):
        whole = [whole]
    return [_read(_as_is, item, f"{name}, question {number}") for number, item in enumerate(whole, start=1)]


def _as_is(item: Any, place: str) -> Any:
    return item


def _read(parsed: Callable[[Any, str], Any], item: Any, place: str) -> Question | FormatError:
    """The question that stands at ``place``, or what is wrong with it."""
    try:
        return _said(parsed(item, place), place)
    except FormatError as error:
        return error


def _cases(text: str, name: str) -> list[Question]:
    from soulmem.recall.query_json import read_suite

    cases = read_suite(text, name).cases
    for case in cases:
        if not case.sub_queries:
            raise FormatError(f"the case {case.name!r} asks nothing: it has no sub_queries", place=name)
    return [Question(text=case.name, sub_queries=case.sub_queries) for case in cases]


def _lines(text: str) -> list[tuple[int, str]]:
    # Not splitlines: U+2028 and the like may stand in a JSON text as they are.
    return [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]


def _parsed(line: str, place: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise FormatError(f"not JSON: {json_fault(error.msg)} at column {error.colno}", place=place) from error
    except RecursionError as error:
        raise FormatError("nested too deeply", place=place) from error


def _said(item: Any, place: str) -> Question:
    text, at = (item.get("q", item.get("text")), item.get("at")) if isinstance(item, dict) else (item, None)
    if not isinstance(text, str) or not text.strip():
        raise FormatError('not a question: expected a text, {"q": "…"} or {"text": "…"}', place=place)
    return Question(text=text.strip(), at=None if at is None else _time(at, place))


def _time(value: Any, place: str) -> datetime:
    from soulmem.ingest.times import message_time

    try:
        return message_time(value)
    except (ValueError, OverflowError, TypeError) as error:
        raise FormatError(f"at: not a time: {str(value)[:40]}", place=place) from error


def _name(path: str) -> str:
    return "standard input" if path == "-" else path
