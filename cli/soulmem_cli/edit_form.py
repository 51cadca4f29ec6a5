"""A note as a form that a person fills in with an editor: a field a line, an empty line, then the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from datetime import datetime
from typing import Any

from soulmem.edit import Edit, Span
from soulmem.errors import FormatError, InputError
from soulmem.ingest.times import rfc3339, time_span

_HEAD = (
    "# {key}: change what you like and save; leave it as it is, or empty, to change nothing. Lines with # here are left out.\n"
)
_FIELDS = ("name", "aliases", "tags", "span")
_CALLED = {"span": "time"}


def form_of(key: str, edit: Edit) -> str:
    """All that can be edited of a note, to be filled in."""
    lines = [f"{_CALLED.get(name, name)}: {_shown(getattr(edit, name))}" for name in _FIELDS if getattr(edit, name) is not None]
    return _HEAD.format(key=key) + "\n".join(lines) + f"\n\n{edit.text or ''}\n"


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return value
    if any(isinstance(one, datetime) for one in value) or value == (None, None):
        return span_text(value)
    return ", ".join(value)


def span_text(span: Span) -> str:
    """``START/END``, either of which may be missing; ``none`` where both are."""
    start, end = (rfc3339(one) if one else "" for one in span)
    return f"{start}/{end}" if end else start or "none"


def read_span(text: str) -> Span:
    """When something was: a year, a month, a day or a moment; from one to another as ``START/END``; ``none``: nobody knows.

    Raises :class:`InputError`.
    """
    told = text.strip()
    if told.casefold() in ("none", ""):
        return None, None
    start, slash, end = told.partition("/")
    try:
        first = time_span(start) if start.strip() else (None, None)
        return (first[0], time_span(end)[0] if end.strip() else None) if slash else first
    except (ValueError, OverflowError) as error:
        advice = "Write a day as 2019-08-03, a month as 2019-08, from one to another as 2019-08-03/2019-08-10, or none."
        raise InputError(f"{told[:40]!r} is no time", advice=advice) from error


def read_form(text: str, before: Edit) -> Edit:
    """What is otherwise in the form than ``before``. Raises :class:`FormatError` with the line of what cannot be read."""
    lines = text.replace("\r\n", "\n").split("\n")
    head = next((place for place, line in enumerate(lines) if not line.strip()), len(lines))
    told = dict(_read_fields(lines[:head], before))
    told["text"] = "\n".join(lines[head:]).strip() if before.text is not None else None
    new = {name: value for name, value in told.items() if value != getattr(before, name)}
    return Edit(**new)


def _read_fields(lines: list[str], before: Edit) -> Iterator[tuple[str, Any]]:
    called = {_CALLED.get(field.name, field.name): field.name for field in fields(Edit) if field.name in _FIELDS}
    for number, line in enumerate(lines, start=1):
        if line.startswith("#"):
            continue
        name, colon, value = line.partition(":")
        field = called.get(name.strip())
        if not colon or field is None or getattr(before, field) is None:
            what = f"{line[:40]!r} is none of the fields of the note"
            advice = "Above the empty line there are fields, below it is the text."
            raise FormatError(what, place=f"the form, line {number}", advice=advice)
        yield field, _read(field, value.strip(), getattr(before, field))


def _read(field: str, value: str, before: Any) -> Any:
    if field == "name":
        return value
    if field == "span":
        return before if value == span_text(before) else read_span(value)
    if value == ", ".join(before):  # a name may have a comma of its own
        return before
    return tuple(dict.fromkeys(part.strip() for part in value.replace("，", ",").split(",") if part.strip()))
