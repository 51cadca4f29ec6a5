"""Prompts: one Markdown file for each purpose and language, whose header declares its parameters.

::

    ---
    about: The conversation so far, as one summary.
    param character: word
    param messages: lines
    max_tokens: 800
    ---
    # system

    You keep the notes of {{character}}. …

    # user

    {{messages}}

``word`` goes into the sentence: one line, at most 200 characters. ``text`` and ``lines`` become a block of their own between
``<messages>`` and ``</messages>``; of ``lines``, each item is one line. What is put in is data: nothing in it can end its block,
begin another one or the turn of somebody else, or pass for another line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import Any

from soulmem.errors import InputError, NotFoundError
from soulmem.llm.contract import Prompt, Said, Side

LANGUAGES = ("zh", "en")
_LONGEST_WORD = 200

_HEADER = re.compile(r"(?s)\A---\n(.*?)\n---\n(.*)\Z")
_PARAMETER = re.compile(r"param (\w+): (word|text|lines)")
_SECTION = re.compile(r"(?m)^# (system|user|assistant)[ \t]*$")
_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
#: What begins a tag, or a special word of a chat template (``<|im_end|>``, ``[INST]``).
_TAG = re.compile(r"<(?=\s*[/!?|｜<A-Za-z])")
_TURN = re.compile(r"\[(?=/?(?:INST|SYS|AVAILABLE_TOOLS|TOOL)\w*\])", re.IGNORECASE)
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_LINE_ENDS = re.compile(r"\s*[\r\n\u2028\u2029\x85]\s*")


@dataclass(frozen=True, slots=True)
class PromptFile:
    """A prompt file that was read. ``parameters``: name → kind; ``sections``: (system, user or assistant, text)."""

    name: str
    language: str
    about: str
    parameters: Mapping[str, str]
    sections: tuple[tuple[str, str], ...]
    max_tokens: int | None = None


def prompt_names() -> tuple[str, ...]:
    """The names of all prompt files, without language."""
    return tuple(sorted({file.name.partition(".")[0] for file in _folder().iterdir() if file.name.endswith(".md")}))


def rendered(name: str, language: str, values: Mapping[str, Any], schema: Mapping[str, Any] | None = None) -> Prompt:
    """The prompt ``name`` with ``values`` put in. ``language``: ``zh``; anything else gets the English one, which asks for the
    language of the conversation.

    Raises :class:`InputError` for missing, unknown or wrongly typed values, :class:`NotFoundError` for an unknown name.
    """
    file = prompt_file(name, language if language in LANGUAGES else "en")
    _check(file, values)
    texts = {parameter: _PUT_IN[kind](parameter, values[parameter]) for parameter, kind in file.parameters.items()}
    said = [(side, _PLACEHOLDER.sub(lambda match: texts[match[1]], text)) for side, text in file.sections]
    return Prompt(
        system="\n\n".join(text for side, text in said if side == "system"),
        messages=tuple(Said(Side(side), text) for side, text in said if side != "system"),
        purpose=name,
        schema=schema,
        max_tokens=file.max_tokens,
        language=file.language,
    )


@cache
def prompt_file(name: str, language: str) -> PromptFile:
    """The file ``name.language.md``, checked. Raises :class:`NotFoundError` or :class:`InputError`."""
    path = _folder() / f"{name}.{language}.md"
    if not re.fullmatch(r"\w+", name) or not path.is_file():
        raise NotFoundError(f"there is no prompt {name!r} in {language!r}", advice=f"There are: {', '.join(prompt_names())}.")
    return read_prompt(path.read_text(encoding="utf-8"), name, language)


def read_prompt(text: str, name: str, language: str) -> PromptFile:
    """``text`` of a prompt file. Raises :class:`InputError`: no header, no message, or placeholders that are not as declared."""
    place = f"{name}.{language}.md"
    match = _HEADER.match(text.replace("\r\n", "\n"))
    if match is None:
        raise InputError("the prompt has no header between two lines of ---", place=place)
    header, body = match.groups()
    parameters: dict[str, str] = {}
    others: dict[str, str] = {}
    for line in header.splitlines():
        declared = _PARAMETER.fullmatch(line)
        if declared:
            parameters[declared[1]] = declared[2]
        else:
            member, _, value = line.partition(": ")
            others[member] = value.strip()
    if others.keys() - {"about", "max_tokens"} or not others.get("about"):
        raise InputError(f"the header of the prompt is not understood: {', '.join(sorted(others))}", place=place)
    parts = _SECTION.split(body)
    sections = tuple((side, section.strip()) for side, section in zip(parts[1::2], parts[2::2], strict=True))
    used = {found for _, section in sections for found in _PLACEHOLDER.findall(section)}
    if used != parameters.keys() or parts[0].strip() or not any(side == "user" for side, _ in sections):
        wrong = ", ".join(sorted(used ^ parameters.keys()))
        raise InputError(f"the prompt does not use what it declares, or asks nothing: {wrong}", place=place)
    most = others.get("max_tokens")
    return PromptFile(
        name=name,
        language=language,
        about=others["about"],
        parameters=parameters,
        sections=sections,
        max_tokens=int(most) if most else None,
    )


def with_schema_in_words(prompt: Prompt) -> Prompt:
    """``prompt`` with the shape of its answer shown in it, for a model that takes no schema. Shown the schema itself, small
    models answer with that."""
    schema = json.dumps(_shape(prompt.schema or {}), ensure_ascii=False)
    words = _fragment("schema", prompt.language).replace("{{schema}}", schema)
    return replace(prompt, system=f"{prompt.system}\n\n{words}".strip(), schema=None)


def _shape(schema: Mapping[str, Any]) -> Any:
    """An answer of the form of ``schema``, with types where values would be."""
    if "properties" in schema:
        return {name: _shape(part) for name, part in schema["properties"].items()}
    if "items" in schema:
        return [_shape(schema["items"])]
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "anyOf" in schema:
        return _shape(schema["anyOf"][0])
    return str(schema.get("type", "string"))


def repair_text(language: str, what: str, trouble: str) -> str:
    """What a model is told whose answer cannot be used, and why (``trouble``: of :class:`soulmem.errors.AnswerTrouble`)."""
    text = _fragment("repair", language)
    lines = dict(line.removeprefix("- ").split(": ", 1) for line in text.splitlines() if line.startswith("- "))
    advice = lines.get(trouble, lines["not as asked"])
    intro = "\n".join(line for line in text.splitlines() if not line.startswith("- ")).strip()
    return intro.replace("{{what}}", _word("what", what[:_LONGEST_WORD])).replace("{{advice}}", advice)


def message_line(number: int, speaker: str, text: str, at: datetime | None = None) -> str:
    """One message as prompts show it: ``[3] 2024-05-31 18:30 Wren: …``, UTC."""
    when = f"{at.astimezone(UTC):%Y-%m-%d %H:%M} " if at else ""
    return f"[{number}] {when}{_one_line(speaker)}: {text}"


#: A line of a talk that is longer is shortened for a model; characters.
MOST_OF_LINE = 4000


def shortened(text: str, most: int = MOST_OF_LINE) -> str:
    """``text`` without its middle, where it is longer than ``most`` characters: one line must not take the room of all."""
    if len(text) <= most:
        return text
    head = most * 3 // 4
    return f"{text[:head]} … {text[len(text) - (most - head) :]}"


def _fragment(name: str, language: str | None) -> str:
    file = prompt_file(name, language if language in LANGUAGES else "en")
    return "\n\n".join(text for _, text in file.sections)


def _folder() -> Any:
    return files("soulmem.llm") / "prompts"


def _check(file: PromptFile, values: Mapping[str, Any]) -> None:
    wrong = sorted(values.keys() ^ file.parameters.keys())
    if wrong:
        raise InputError(f"prompt {file.name}: missing or unknown: {', '.join(wrong)}")
    for name, kind in file.parameters.items():
        value = values[name]
        is_list = isinstance(value, Sequence) and not isinstance(value, str)
        fits = is_list and all(isinstance(item, str) for item in value) if kind == "lines" else isinstance(value, str)
        if not fits:
            raise InputError(f"prompt {file.name}: {name} is not {'a list of texts' if kind == 'lines' else 'a text'}")


def _data(text: str) -> str:
    """``text`` as data: it begins no tag and nobody's turn, and holds nothing that is no text."""
    return _TURN.sub("［", _TAG.sub("‹", _CONTROLS.sub("", text)))


def _one_line(text: str) -> str:
    return _LINE_ENDS.sub(" ", _CONTROLS.sub("", text)).strip()


def _word(_: str, value: str) -> str:
    # Whatever follows it in the sentence, it begins no tag.
    return _one_line(_data(value)).replace("<", "‹")[:_LONGEST_WORD]


def _text(name: str, value: str) -> str:
    return f"<{name}>\n{_data(value).strip()}\n</{name}>"


def _lines(name: str, value: Sequence[str]) -> str:
    lines = [_data(_one_line(item)) for item in value]
    return "\n".join((f"<{name}>", *lines, f"</{name}>"))


_PUT_IN: Mapping[str, Callable[[str, Any], str]] = {"word": _word, "text": _text, "lines": _lines}
