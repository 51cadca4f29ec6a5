"""JSON out of what a model said: fences and prose around it, trailing commas, a cut-off end. Nothing of it is believed yet."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from soulmem.errors import AnswerTrouble, ModelAnswerError
from soulmem.llm.told import is_refusal, without_thinking

_FENCE = re.compile(r"```[\w-]*[ \t]*\r?\n(.*?)(?:\r?\n[ \t]*```|\Z)", re.DOTALL)
#: How JSON begins, and prose in brackets does not.
_BEGINNING = re.compile(r"""\{\s*(?:["'“}]|\Z)|\[\s*(?:[{\["'\]]|\Z)""")
#: Deeper than any answer asked for.
_DEEPEST = 40
_LONGEST = 400_000


@dataclass(frozen=True, slots=True)
class Extracted:
    """``value``: an object or array of JSON. ``cut_off``: its end was missing; only whole elements of it are there."""

    value: Any
    cut_off: bool = False


def extracted(text: str) -> Extracted:
    """The first object or array of JSON in ``text`` that can be read, whole or up to where it was cut off.

    Raises :class:`ModelAnswerError`: nothing was said, it is a refusal, it is no JSON, or too little of it came.
    """
    said = without_thinking(text[:_LONGEST]).removeprefix("\ufeff").strip()
    if not said:
        thought = " but thoughts" if text.strip() else ""
        raise ModelAnswerError(f"the model answered nothing{thought}", trouble=AnswerTrouble.EMPTY)
    cut_off = False
    empty: Extracted | None = None
    for candidate in _candidates(said):
        found = _read(candidate)
        if found is not None and _holds_members(found.value):
            return found
        empty = empty or (found if found and not found.value else None)
        cut_off = cut_off or not _end(candidate, 0)
    if empty is not None:
        return empty
    if is_refusal(said):
        raise ModelAnswerError("the model refused", trouble=AnswerTrouble.REFUSAL, advice="Use another model for this.")
    if cut_off:
        advice = "Allow longer answers: soulmem config set model.max_tokens …"
        raise ModelAnswerError("the answer was cut off before any of it was whole", trouble=AnswerTrouble.CUT_OFF, advice=advice)
    raise ModelAnswerError("the answer is not JSON", trouble=AnswerTrouble.NOT_JSON)


def _candidates(said: str) -> Iterator[str]:
    """Texts that begin with ``{`` or ``[`` and may be the answer: in fences first."""
    for fenced in _FENCE.finditer(said):
        inner = fenced[1].strip()
        if inner.startswith(("{", "[")):
            yield inner
    for start in _starts(said):
        yield said[start:]


def _starts(said: str) -> Iterator[int]:
    """Where objects and arrays begin at the outermost level, the first few; none inside of one that was cut off."""
    place = 0
    for _ in range(8):
        starts = [start for start in (said.find("{", place), said.find("[", place)) if start >= 0]
        if not starts:
            return
        start = min(starts)
        yield start
        end = _end(said, start)
        if not end and _BEGINNING.match(said, start):
            return
        place = end or start + 1


def _read(candidate: str) -> Extracted | None:
    end = _end(candidate, 0)
    if end:
        value = _loaded(candidate[:end])
        return None if value is None else Extracted(value)
    whole = _up_to_whole(candidate)
    value = None if whole is None else _loaded(whole)
    return None if value is None else Extracted(value, cut_off=True)


def _loaded(text: str) -> Any:
    """The object or array in ``text``, mended where it must be; ``None``: there is none."""
    for attempt in (_parsed, _without_trailing_commas, _mended):
        value = attempt(text)
        if isinstance(value, (dict, list)):
            return value
    return None


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _without_trailing_commas(text: str) -> Any:
    tokens = list(_tokens(text, 0))
    trailing = {
        place
        for (place, sign), (after, closing) in pairwise(tokens)
        if sign == "," and closing in "}]" and not text[place + 1 : after].strip()
    }
    return _parsed("".join(sign for place, sign in enumerate(text) if place not in trailing))


def _mended(text: str) -> Any:
    from json_repair import repair_json

    if not re.search(r"[\"'“”:]", text):
        return None  # brackets of prose, as in [1] or {name}
    try:
        return repair_json(text, return_objects=True, skip_json_loads=True)
    except (ValueError, RecursionError, TypeError, IndexError):
        return None


def _holds_members(value: Any) -> bool:
    """Whether there is more in it than words in brackets."""
    if isinstance(value, list):
        return any(isinstance(one, dict) and one for one in value)
    return isinstance(value, dict) and bool(value)


def _tokens(text: str, start: int) -> Iterator[tuple[int, str]]:
    """Brackets and commas outside of strings, with their places."""
    inside = False
    escaped = False
    for place in range(start, len(text)):
        character = text[place]
        if inside:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                inside = False
        elif character == '"':
            inside = True
        elif character in "{}[],":
            yield place, character


def _end(text: str, start: int) -> int:
    """Where what begins at ``start`` ends (after its last bracket); 0: it does not."""
    depth = 0
    for place, character in _tokens(text, start):
        if character in "{[":
            depth += 1
            if depth > _DEEPEST:
                return 0
        elif character in "}]":
            depth -= 1
            if depth == 0:
                return place + 1
    return 0


def _up_to_whole(text: str) -> str | None:
    """``text``, cut off somewhere, up to its last whole element of a list, and closed; ``None``: no element is whole.

    The lists are those that stand in the outermost object (or are the outermost): what is cut off inside an element is gone with
    it, so that no half sentence passes as a whole one. Members of the outermost object that came before stay.
    """
    open_brackets: list[str] = []
    whole: tuple[int, str] | None = None
    for place, character in _tokens(text, 0):
        if character in "{[":
            open_brackets.append(character)
        elif character in "}]" and open_brackets:
            open_brackets.pop()
            if open_brackets in (["["], ["{", "["], ["{"]):
                closing = "".join("}" if bracket == "{" else "]" for bracket in reversed(open_brackets))
                whole = (place + 1, closing)
        if len(open_brackets) > _DEEPEST:
            return None
    return None if whole is None else text[: whole[0]] + whole[1]
