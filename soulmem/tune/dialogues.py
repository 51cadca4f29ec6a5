"""Reading dialogue files: what somebody says to the character, turn by turn (SPEC §2, Dialogue JSON). Untrusted input."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AliasChoices, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from soulmem.embed.texts import plain_text
from soulmem.errors import FormatError, InputError, json_fault
from soulmem.files import read_text

#: A dialogue has at most so many turns, and a line at most so many characters.
MOST_TURNS = 10_000
MOST_CHARACTERS = 100_000

Text = Annotated[str, StringConstraints(max_length=MOST_CHARACTERS), AfterValidator(plain_text)]


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueTurn:
    """What is said to the character, and what the file lets the character answer (``None``: nothing)."""

    said: str
    answered: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """A dialogue file. ``role``: who talks with the character, in words; ``graph``: the graph it is about, if it names one;
    ``config``: the settings it asks for, by name."""

    path: Path
    name: str
    role: str
    graph: Path | None
    turns: tuple[DialogueTurn, ...]
    config: Mapping[str, float] = field(default_factory=dict)


class _Line(BaseModel):
    model_config = ConfigDict(extra="ignore")
    role: Literal["user", "assistant", "character", "system"]
    content: Text


class _Pair(BaseModel):
    model_config = ConfigDict(extra="ignore")
    user_message: Text = Field(validation_alias=AliasChoices("user_message", "user"))
    reply: Text | None = Field(default=None, validation_alias=AliasChoices("reply", "assistant_message", "assistant"))


class _Config(BaseModel):
    model_config = ConfigDict(extra="ignore")
    similarity_threshold: float | None = Field(default=None, ge=0.0, le=1.0, allow_inf_nan=False)
    max_results: int | None = Field(default=None, ge=1, le=1000)

    def settings(self) -> dict[str, float]:
        """What is stated of it, by the names of the settings."""
        stated = {"similarity_floor": self.similarity_threshold, "max_results": self.max_results}
        return {name: value for name, value in stated.items() if value is not None}


class _File(BaseModel):
    model_config = ConfigDict(extra="ignore")
    name: Text = ""
    role: Text | None = None
    graph_path: Text | None = None
    config: _Config | None = None
    conversation: list[_Line] = Field(default=[], max_length=2 * MOST_TURNS)
    conversations: list[_Pair] = Field(default=[], max_length=MOST_TURNS)


def read_dialogue(path: Path) -> Dialogue:
    """The dialogue in a file: ``conversation`` (lines with ``role`` and ``content``) or ``conversations`` (``user_message``).

    Raises:
        InputError: the file cannot be read, or nobody says anything in it.
        FormatError: it is not a dialogue; the message names the place in it.
    """
    text = read_text(path)
    try:
        found = _File.model_validate(_object(json.loads(text)))
    except json.JSONDecodeError as error:
        raise FormatError(f"not JSON: {json_fault(error.msg)}", place=f"{path}:{error.lineno}") from error
    except ValidationError as error:
        raise FormatError(_first(error), place=str(path)) from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not a dialogue: {error}"[:200], place=str(path)) from error
    turns = _paired(found.conversation) if found.conversation else _pairs(found.conversations)
    if not turns:
        raise InputError(f"{path}: nobody says anything in it: there is no conversation with lines of the user")
    return Dialogue(
        path=path,
        name=found.name or path.stem,
        role=found.role or "",
        graph=_graph(path, found.graph_path),
        turns=turns,
        config=found.config.settings() if found.config else {},
    )


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("expected an object with a conversation")
    return value


def _first(error: ValidationError) -> str:
    one = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return f"{'.'.join(map(str, one['loc']))}: {one['msg'][:1].lower()}{one['msg'][1:]}"


def _pairs(lines: list[_Pair]) -> tuple[DialogueTurn, ...]:
    return tuple(DialogueTurn(said=one.user_message, answered=one.reply) for one in lines if one.user_message.strip())


def _paired(lines: list[_Line]) -> tuple[DialogueTurn, ...]:
    """What the user says in one go is one turn; what the character answers before the next belongs to it."""
    turns: list[tuple[list[str], list[str]]] = []
    for line in lines:
        if line.role == "system" or not line.content.strip():
            continue
        if line.role == "user":
            if not turns or turns[-1][1]:
                turns.append(([], []))
            turns[-1][0].append(line.content)
        elif turns:
            turns[-1][1].append(line.content)
    return tuple(DialogueTurn(said="\n".join(said), answered="\n".join(answered) or None) for said, answered in turns)


def _graph(path: Path, stated: str | None) -> Path | None:
    """The graph a file names relative to itself; of a folder its ``graph.json``."""
    if not stated or "\x00" in stated:
        return None
    there = path.parent / stated
    return there / "graph.json" if there.is_dir() else there
