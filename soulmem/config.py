"""What a user has said once for all minds: a TOML file, and above it the environment.

The file is ``config.toml`` in the user's configuration folder, or what ``SOULMEM_CONFIG`` names. It holds no keys: those
belong into the environment or the system keyring.
"""

from __future__ import annotations

import json
import math
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from soulmem.errors import FormatError, InputError
from soulmem.files import write_whole
from soulmem.llm.secrets import KEY_VARIABLE, looks_like_key, variable_for
from soulmem.llm.settings import ModelSettings

Value = str | int | float
PATH_VARIABLE = "SOULMEM_CONFIG"
_LONGEST_FILE = 2**20
_SECRET_NAME = re.compile(r"(?i)key|token$|secret|password|credential")


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """Something that can be configured. ``name`` is ``section.name``; ``variable``: of the environment; ``read`` makes a value of
    a text, or raises :class:`InputError`."""

    name: str
    variable: str
    meaning: str
    default: Value | None
    read: Callable[[str, str], Value]


@dataclass(frozen=True, slots=True, kw_only=True)
class Configured:
    """A value in force. ``origin``: ``default``, ``file`` or ``environment``."""

    name: str
    value: Value | None
    origin: str


def _text(name: str, text: str) -> str:
    stripped = text.strip()
    if not stripped or not stripped.isprintable() or len(stripped) > 500:
        raise InputError(f"{name}: a text of one line is needed")
    return stripped


def _url(name: str, text: str) -> str:
    stripped = _text(name, text)
    try:
        parts = urlsplit(stripped)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        fits = False
    if not fits or " " in stripped:
        raise InputError(f"{name}: {stripped[:80]!r} is not an address", advice="An address is like http://127.0.0.1:11434/v1")
    return stripped.rstrip("/")


def _number(low: float, high: float, *, whole: bool = False, above: bool = False) -> Callable[[str, str], Value]:
    most = "" if high == math.inf else f" to {high:g}"
    words = f"{'above ' if above else ''}{low:g}{most}"

    def read(name: str, text: str) -> Value:
        if not re.fullmatch(r"\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*", text, re.ASCII):
            raise InputError(f"{name}: {text[:40]!r} is not a number")
        number = float(text)
        if not low <= number <= high or (above and number == low) or (whole and not number.is_integer()) or math.isinf(number):
            raise InputError(f"{name}: {text.strip()[:40]} will not do: {'a whole number, ' if whole else ''}{words}")
        return int(number) if whole else number

    return read


def _one_of(*words: str) -> Callable[[str, str], Value]:
    def read(name: str, text: str) -> Value:
        if text.strip() not in words:
            raise InputError(f"{name}: {text[:40]!r} is none of: {', '.join(words)}")
        return text.strip()

    return read


_COUNT = _number(1, 10**9, whole=True)
_MODEL: Mapping[str, tuple[str, Callable[[str, str], Value]]] = {
    "name": ("provider/model as litellm names it, or scripted:FILE", _text),
    "base_url": ("address of a server of your own", _url),
    "timeout_seconds": ("seconds each try of a call may take", _number(0, 86_400, above=True)),
    "attempts": ("tries of a call that fails for a passing reason", _number(1, 20, whole=True)),
    "temperature": ("0 keeps to what is likeliest, up to 2", _number(0, 2)),
    "max_tokens": ("the longest answer, tokens", _COUNT),
    "schema": ("structured answers: auto, yes (always by JSON schema) or no (in words)", _one_of("auto", "yes", "no")),
    "budget_calls": ("most calls of one command", _COUNT),
    "budget_tokens": ("most tokens of one command, both ways", _COUNT),
}


def _options() -> dict[str, Option]:
    defaults = {field.name: field.default for field in fields(ModelSettings)}
    return {
        f"model.{name}": Option(
            name=f"model.{name}",
            variable=f"SOULMEM_MODEL_{name.upper()}",
            meaning=meaning,
            default=cast(Value | None, defaults[name]),
            read=read,
        )
        for name, (meaning, read) in _MODEL.items()
    }


#: All that can be configured, by name.
OPTIONS: Mapping[str, Option] = _options()


def config_path(environment: Mapping[str, str] = os.environ) -> Path:
    """The file, there or not."""
    stated = environment.get(PATH_VARIABLE)
    if stated:
        return Path(stated).expanduser()
    import platformdirs

    return platformdirs.user_config_path("soulmem") / "config.toml"


def option(name: str) -> Option:
    """The option called ``name``. Raises :class:`InputError`, with those that are meant perhaps."""
    if name in OPTIONS:
        return OPTIONS[name]
    if _SECRET_NAME.search(name):
        raise _no_place_for_keys(KEY_VARIABLE)
    raise InputError(f"there is nothing called {name[:60]!r} to configure", advice=_near(name))


def _near(name: str) -> str:
    near = get_close_matches(name, OPTIONS, n=3, cutoff=0.5) or [known for known in OPTIONS if name and name in known][:3]
    return f"Perhaps {' or '.join(near)}?" if near else f"There are: {', '.join(OPTIONS)}."


def _no_place_for_keys(variable: str) -> InputError:
    return InputError(
        "this looks like a key, and keys are not kept in files",
        advice=f"Put it in the environment variable {variable}, or in the system keyring (service soulmem).",
    )


def checked_text(name: str, text: str, model: str | None = None) -> Value:
    """``text`` as a value of ``name``. ``model``: the model that is configured. Raises :class:`InputError`, never quoting what
    looks like a key."""
    of = option(name)
    if looks_like_key(text) or looks_like_key(text.strip("\"' ")):
        raise _no_place_for_keys(variable_for(text, model))
    return of.read(name, text)


def read_file(path: Path) -> dict[str, Value]:
    """What the file says, by name; empty where there is none. Raises :class:`FormatError`, :class:`InputError`."""
    values: dict[str, Value] = {}
    for name, value in _flat(_loaded(path)).items():
        try:
            if isinstance(value, bool) or not isinstance(value, str | int | float):
                option(name)
                raise InputError(f"{name}: a text or a number is needed")
            values[name] = checked_text(name, str(value))
        except InputError as error:
            advice = error.advice or f"Take it out with: soulmem config unset {name}"
            raise InputError(error.what, place=str(path), advice=advice) from error
    return values


def _loaded(path: Path) -> dict[str, Any]:
    try:
        if not path.exists():
            return {}
        if path.stat().st_size > _LONGEST_FILE:
            raise FormatError("the configuration is larger than 1 MB", place=str(path))
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError(f"not TOML: {error}", place=str(path), advice="Mend it by hand, or remove it.") from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", place=str(path)) from error


def _flat(tables: Mapping[str, Any]) -> dict[str, Any]:
    """``section.name`` → value."""
    found: dict[str, Any] = {}
    for section, members in tables.items():
        if isinstance(members, dict):
            found |= {f"{section}.{name}": value for name, value in members.items()}
        else:
            found[section] = members
    return found


def configured(environment: Mapping[str, str] = os.environ) -> tuple[Configured, ...]:
    """All options, in their order, with the value in force. Raises :class:`InputError` for a wrong file or variable."""
    said = read_file(config_path(environment))
    found: list[Configured] = []
    for name, of in OPTIONS.items():
        text = environment.get(of.variable)
        if text:
            found.append(Configured(name=name, value=_of_variable(of, text), origin="environment"))
        elif name in said:
            found.append(Configured(name=name, value=said[name], origin="file"))
        else:
            found.append(Configured(name=name, value=of.default, origin="default"))
    return tuple(found)


def _of_variable(of: Option, text: str) -> Value:
    try:
        return checked_text(of.name, text)
    except InputError as error:
        raise InputError(error.what, place=of.variable, advice=error.advice) from error


def model_settings(environment: Mapping[str, str] = os.environ) -> ModelSettings:
    """What is configured of the language model. Raises as :func:`configured`."""
    values = {one.name.partition(".")[2]: one.value for one in configured(environment)}
    return ModelSettings(**values)  # type: ignore[arg-type]


def set_value(name: str, text: str, path: Path, model: str | None = None) -> Value:
    """Write ``text`` as the value of ``name`` into the file, whole or not at all, for the owner alone to read. Returns it."""
    value = checked_text(name, text, model)
    read_file(path)
    _write(path, {**_loaded_flat(path), name: value})
    return value


def unset_value(name: str, path: Path) -> bool:
    """Take ``name`` out of the file, also a name that has no place there; whether it was in it."""
    values = _loaded_flat(path)
    if name not in values:
        option(name)
        return False
    del values[name]
    _write(path, values)
    return True


def _loaded_flat(path: Path) -> dict[str, Any]:
    return _flat(_loaded(path))


def _write(path: Path, values: Mapping[str, Any]) -> None:
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    text = _edited(old, values)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make {path.parent}: {error.strerror or error}") from error
    # The new file is made readable for its owner alone, whatever the old one was.
    write_whole(path, text, mode=0o600)


def _edited(old: str, values: Mapping[str, Any]) -> str:
    """``old`` with ``values``: comments and order stay wherever lines can be changed one by one; else it is written anew."""
    lines = old.splitlines()
    for name in (_flat(tomllib.loads(old)).keys() | values.keys()) if old else values:
        lines = _with_line(lines, name, values.get(name))
    text = "\n".join(lines).strip() + "\n"
    try:
        if _flat(tomllib.loads(text)) == dict(values):
            return text
    except tomllib.TOMLDecodeError:
        pass
    return _anew(values)


def _with_line(lines: list[str], name: str, value: Any) -> list[str]:
    """``lines`` with the line of ``name`` changed, added, or (``None``) taken out."""
    section, _, member = name.rpartition(".")
    begin = next((place for place, line in enumerate(lines) if line.strip() == f"[{section}]"), None)
    if begin is None:
        return lines if value is None else [*lines, *([""] if lines else []), f"[{section}]", _line(member, value)]
    end = next((place for place in range(begin + 1, len(lines)) if lines[place].lstrip().startswith("[")), len(lines))
    own = next((place for place in range(begin + 1, end) if re.match(rf"\s*{re.escape(member)}\s*=", lines[place])), None)
    line = [] if value is None else [_line(member, value)]
    if own is None:
        filled = [place for place in range(begin, end) if lines[place].strip()]
        return [*lines[: filled[-1] + 1], *line, *lines[filled[-1] + 1 :]]
    if value is not None and _says(lines[own], member, value):
        return lines
    return [*lines[:own], *line, *lines[own + 1 :]]


def _says(line: str, member: str, value: Any) -> bool:
    try:
        return tomllib.loads(line) == {member: value}
    except tomllib.TOMLDecodeError:
        return False


def _anew(values: Mapping[str, Any]) -> str:
    sections: dict[str, list[str]] = {}
    for name, value in values.items():
        section, _, member = name.rpartition(".")
        sections.setdefault(section, []).append(_line(member, value))
    order = sorted(sections.items(), key=lambda item: item[0] != "")
    parts = ["\n".join(([f"[{section}]"] if section else []) + lines) for section, lines in order]
    return "\n\n".join(parts) + "\n"


def _line(member: str, value: Any) -> str:
    key = member if re.fullmatch(r"[A-Za-z0-9_-]+", member) else json.dumps(member, ensure_ascii=False)
    return f"{key} = {_toml(value)}"


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    # JSON's strings are basic strings of TOML, but for DEL.
    if not isinstance(value, str):
        raise InputError("the configuration holds what soulmem would not have written", advice="Mend the file by hand.")
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
