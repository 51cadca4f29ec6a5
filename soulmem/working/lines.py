"""Lines as they are fed to ``soulmem observe``: ``speaker: text``, or an object of JSON. Pure: a text in, a :class:`Line` out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from soulmem.errors import FormatError
from soulmem.ingest.script import role_of, spoken_line
from soulmem.ingest.times import message_time
from soulmem.model.messages import Role
from soulmem.working.observer import Line

#: A longer line is no speech; characters.
MOST_CHARACTERS = 1_000_000

_ROLES = {**{role.value: role for role in Role}, "assistant": Role.CHARACTER}
_FIELDS: Mapping[str, type] = {
    "speaker": str,
    "text": str,
    "role": str,
    "scope": str,
    "id": str,
    "replaces": str,
    "tag": bool,
    "hidden": bool,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsaid:
    """What a line means that does not say it: who speaks, at what time, in which scope, with whom ``present``; ``character``:
    the names, case-folded, by which the character speaks; ``called``: short forms of its name, case-folded, with the name."""

    at: datetime
    speaker: str | None = None
    scope: str = "public"
    present: tuple[str, ...] = ()
    character: frozenset[str] = frozenset()
    called: Mapping[str, str] = field(default_factory=dict)


def line_of(text: str, unsaid: Unsaid) -> Line:
    """The line that ``text`` is: JSON if it begins with ``{``, else ``speaker: text``, a time before it if there is one.

    Raises :class:`FormatError` for one that is neither.
    """
    if len(text) > MOST_CHARACTERS:
        raise FormatError(f"{len(text)} characters; a line has at most {MOST_CHARACTERS}")
    return _json_line(text, unsaid) if text.lstrip().startswith("{") else _script_line(text, unsaid)


def _script_line(text: str, unsaid: Unsaid) -> Line:
    try:
        at, name, said = spoken_line(text)
    except ValueError as error:
        raise FormatError(f"it begins with a time that is none: {error}") from error
    speaker = _speaker(name, unsaid)
    return Line(
        text=said,
        speaker=speaker,
        at=at or unsaid.at,
        role=_role(speaker, unsaid),
        scope=unsaid.scope,
        present=unsaid.present,
    )


def _json_line(text: str, unsaid: Unsaid) -> Line:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"broken JSON: {error}") from error
    fields = _checked(value)
    speaker = _speaker(fields.get("speaker"), unsaid)
    role = _role(speaker, unsaid) if fields.get("role") is None else _stated_role(fields["role"])
    return Line(
        text=fields.get("text") or "",
        speaker=speaker,
        at=unsaid.at if fields.get("time") is None else _time(fields["time"]),
        role=role,
        scope=unsaid.scope if fields.get("scope") is None else fields["scope"],
        present=unsaid.present if fields.get("present") is None else _names(fields["present"]),
        tag=bool(fields.get("tag")),
        hidden=role is Role.SYSTEM if fields.get("hidden") is None else fields["hidden"],
        token=fields.get("id"),
        replaces=fields.get("replaces"),
    )


def _checked(value: Mapping[str, Any]) -> Mapping[str, Any]:
    unknown = sorted(value.keys() - {*_FIELDS, "time", "present"})
    if unknown:
        known = ", ".join(sorted({*_FIELDS, "time", "present"}))
        raise FormatError(f"unknown field {unknown[0][:40]!r}; there are {known}")
    for name, of in _FIELDS.items():
        if value.get(name) is not None and not isinstance(value[name], of):
            raise FormatError(f"{name} must be {'true or false' if of is bool else 'text'}")
    return value


def _names(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise FormatError("present must be a list of names")
    return tuple(value)


def _speaker(name: str | None, unsaid: Unsaid) -> str:
    speaker = name or unsaid.speaker
    if speaker is None:
        raise FormatError(
            "it does not say who speaks: it is neither “Name: text” nor JSON with a speaker, and no --speaker is given"
        )
    return unsaid.called.get(speaker.casefold(), speaker)


def _role(speaker: str, unsaid: Unsaid) -> Role:
    is_character = speaker.casefold() in unsaid.character or speaker in unsaid.called.values()
    return Role.CHARACTER if is_character else role_of(speaker)


def _stated_role(role: str) -> Role:
    if role.casefold() not in _ROLES:
        raise FormatError(f"unknown role {role[:40]!r}; there are {', '.join(_ROLES)}")
    return _ROLES[role.casefold()]


def _time(value: Any) -> datetime:
    try:
        return message_time(value)
    except (ValueError, OverflowError) as error:
        raise FormatError(f"time: {error}") from error
