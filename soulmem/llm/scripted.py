"""A model that answers what it was told to: for tests, for trying things out, and for showing a failure again.

A script is a JSON array (or one answer on each line). An answer is a text, or an object with

- ``text``: what is answered; or ``json``: a value that is answered as JSON;
- ``truncated``: true where the answer was cut off;
- ``error``: an HTTP status, ``"timeout"`` or ``"unreachable"``: the call fails so, with ``retry_after`` seconds if given;
- ``for``: the purpose of the prompts it is for (``split``, ``summary`` …); without it, for any;
- ``repeat``: true: it is not used up.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from soulmem.errors import CallTrouble, FormatError, ModelCallError, NotFoundError
from soulmem.llm.contract import Pieces, Prompt, Reply, estimated_tokens, prompt_tokens

_MEMBERS = frozenset({"text", "json", "truncated", "error", "retry_after", "for", "repeat"})
_WAYS = ("text", "json", "error")
_LONGEST_FILE = 64 * 2**20
_PIECE = 12
_WORDS = {"timeout": CallTrouble.TIMEOUT, "unreachable": CallTrouble.UNREACHABLE}
_STATUSES = {401: CallTrouble.KEY, 403: CallTrouble.KEY, 404: CallTrouble.NOT_FOUND, 429: CallTrouble.BUSY}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer of a script: ``text``, or the ``error`` that is raised instead."""

    text: str = ""
    error: Exception | None = None
    truncated: bool = False
    purpose: str | None = None
    repeat: bool = False


class ScriptedModel:
    """Gives queued answers, the first that fits the prompt's purpose. ``prompts`` keeps what it was asked."""

    def __init__(self, answers: Iterable[str | Exception | Answer], name: str = "scripted") -> None:
        self._name = name
        self._answers = deque(_answer(answer) for answer in answers)
        self.prompts: list[Prompt] = []

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Raises :class:`NotFoundError` or :class:`FormatError` for a file that is not there, or is no script."""
        return cls(read_script(Path(path)), name=f"scripted:{path}")

    @property
    def name(self) -> str:
        return self._name

    @property
    def left(self) -> int:
        """Answers that were not used yet."""
        return len(self._answers)

    def answer(self, prompt: Prompt) -> Reply:
        """The next answer for ``prompt``. Raises :class:`ModelCallError` when there is none, or what the script says."""
        self.prompts.append(prompt)
        answer = self._next(prompt)
        if answer.error is not None:
            raise answer.error
        return Reply(
            text=answer.text,
            input_tokens=prompt_tokens(prompt),
            output_tokens=estimated_tokens(answer.text),
            model=self._name,
            truncated=answer.truncated,
        )

    def stream(self, prompt: Prompt) -> Pieces:
        """As :meth:`answer`, some characters at a time."""
        return self._streamed(prompt)

    def _streamed(self, prompt: Prompt) -> Generator[str, None, Reply]:
        reply = self.answer(prompt)
        for start in range(0, len(reply.text), _PIECE):
            yield reply.text[start : start + _PIECE]
        return reply

    def _next(self, prompt: Prompt) -> Answer:
        for place, answer in enumerate(self._answers):
            if answer.purpose in (None, prompt.purpose):
                if not answer.repeat:
                    del self._answers[place]
                return answer
        raise ModelCallError(
            f"model {self._name}: the script has no more answers for {prompt.purpose!r}",
            trouble=CallTrouble.REQUEST,
            advice='Add one, or let one answer always: {"text": "…", "repeat": true}',
        )


def read_script(path: Path) -> tuple[Answer, ...]:
    """The answers in a file. Raises :class:`NotFoundError` or :class:`FormatError`."""
    try:
        if path.stat().st_size > _LONGEST_FILE:
            raise FormatError("the script is larger than 64 MB", place=str(path))
        text = path.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NotFoundError("there is no script of answers here", place=str(path)) from error
    except (OSError, ValueError) as error:
        raise FormatError(f"the script of answers cannot be read: {error}", place=str(path)) from error
    return tuple(_read_answer(value, place) for value, place in _values(text, str(path)))


def _values(text: str, path: str) -> list[tuple[Any, str]]:
    if text.lstrip().startswith("["):
        return [(value, f"{path}, answer {number}") for number, value in enumerate(_parsed(text, path), start=1)]
    lines = enumerate(text.splitlines(), start=1)
    return [(_parsed(line, f"{path}:{number}"), f"{path}:{number}") for number, line in lines if line.strip()]


def _parsed(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not JSON: {error}", place=place, advice="A script is a JSON array of answers.") from error


def _read_answer(value: Any, place: str) -> Answer:
    if isinstance(value, str):
        return Answer(text=value)
    if not isinstance(value, dict):
        raise FormatError("an answer is a text or an object", place=place)
    unknown = sorted(value.keys() - _MEMBERS)
    if unknown:
        raise FormatError(f"unknown: {', '.join(unknown)}", place=place, advice=f"There are: {', '.join(sorted(_MEMBERS))}.")
    if len(value.keys() & set(_WAYS)) != 1:
        raise FormatError(f"an answer has one of: {', '.join(_WAYS)}", place=place)
    text = json.dumps(value["json"], ensure_ascii=False) if "json" in value else value.get("text", "")
    purpose = value.get("for")
    if not isinstance(text, str) or not isinstance(purpose, str | None):
        raise FormatError("text and for are texts", place=place)
    return Answer(
        text=text,
        error=_read_error(value, place) if "error" in value else None,
        truncated=value.get("truncated") is True,
        purpose=purpose,
        repeat=value.get("repeat") is True,
    )


def _read_error(value: Mapping[str, Any], place: str) -> ModelCallError:
    error, after = value["error"], value.get("retry_after")
    if error in _WORDS:
        return ModelCallError(f"scripted: {error}", trouble=_WORDS[error], passing=True)
    if isinstance(error, bool) or not isinstance(error, int) or not 400 <= error < 600:
        raise FormatError("error is an HTTP status from 400 to 599, timeout or unreachable", place=place)
    trouble = _STATUSES.get(error, CallTrouble.BROKEN if error >= 500 else CallTrouble.REQUEST)
    return ModelCallError(
        f"scripted: HTTP status {error}",
        trouble=trouble,
        passing=error == 429 or error >= 500,
        retry_after=float(after) if isinstance(after, int | float) and after >= 0 else None,
    )


def _answer(given: str | Exception | Answer) -> Answer:
    if isinstance(given, Answer):
        return given
    return Answer(error=given) if isinstance(given, Exception) else Answer(text=given)
