"""Example dialogues of a card: blocks of turns. They never happened; they show how the character talks."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum

from soulmem.text.names import normal_name

_START = re.compile(r"^[ \t]*<\s*START\s*>[ \t]*$|<\s*START\s*>", re.IGNORECASE | re.MULTILINE)
_LABEL = re.compile(r"[ \t]*([^\s:：*\"“「\[(（<#][^:：\n*\"“「]{0,39}?)[ \t]*[:：][ \t]*")
_USERS = {"user", "you", "用户", "你", "anon"}
# What is no dialogue any more, in a description that holds some.
_AFTER = re.compile(r"[ \t]*[\[#<]")
_STAGE = re.compile(r"\*[^*]*\*")
# So many words outside of quotation marks, beside marked directions, are said too.
_FEW_WORDS = 6
_QUOTED = re.compile(r"[\"“「『]([^\"“”「」『』\n]+)[\"”」』]")


class Side(StrEnum):
    """Who says a turn."""

    USER = "user"
    CHARACTER = "character"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Turn:
    """What one of them says. ``speaker``: the name before the colon; empty where there is none."""

    side: Side
    speaker: str
    text: str


Block = tuple[Turn, ...]


def dialogue(text: str, names: Collection[str]) -> tuple[Block, ...]:
    """The blocks of an example dialogue with macros resolved. ``names``: those of the character."""
    own = {normal_name(name) for name in names if name}
    return tuple(block for part in _START.split(text) if (block := tuple(_turns(part.split("\n"), own))))


def without_dialogue(text: str, names: Collection[str]) -> tuple[str, tuple[Block, ...]]:
    """A description without the dialogues that stand in it, and these (*Ali:Chat*: a character answers questions about itself).

    What begins with ``<START>`` is one, and so is what begins with a line of the user; each ends where a list or a heading
    begins.
    """
    own = {normal_name(name) for name in names if name}
    prose: list[str] = []
    parts: list[list[str]] = []
    inside = False
    for line in _START.sub("\n<START>\n", text).split("\n"):
        if line == "<START>":
            inside = True
            parts.append([])
        elif not inside and _side(line, own) is Side.USER:
            inside = True
            parts.append([line])
        elif inside and _AFTER.match(line):
            inside = False
            prose.append(line)
        else:
            (parts[-1] if inside else prose).append(line)
    blocks = tuple(block for part in parts if (block := tuple(_turns(part, own))))
    return "\n".join(prose), blocks


def _turns(lines: list[str], own: set[str]) -> Iterator[Turn]:
    side, speaker, said = Side.CHARACTER, "", list[str]()
    for line in lines:
        label = _LABEL.match(line)
        if label is None:
            said.append(line)
            continue
        if turn := _turn(side, speaker, said):
            yield turn
        side, speaker, said = _side_of(label[1], own), label[1].strip(), [line[label.end() :]]
    if turn := _turn(side, speaker, said):
        yield turn


def _turn(side: Side, speaker: str, said: list[str]) -> Turn | None:
    text = "\n".join(said).strip()
    return Turn(side, speaker, text) if text else None


def _side(line: str, own: set[str]) -> Side | None:
    label = _LABEL.match(line)
    return _side_of(label[1], own) if label else None


def _side_of(label: str, own: set[str]) -> Side:
    name = normal_name(label)
    if name in _USERS:
        return Side.USER
    if name == "char" or name in own or any(name and name in one.split() for one in own):
        return Side.CHARACTER
    return Side.OTHER


def spoken(text: str) -> str:
    """The words of a turn without stage directions: what stands in quotation marks, as in a novel; all that stands outside of
    ``*…*``, where directions are marked so and what is said is not in quotation marks."""
    outside = _STAGE.sub(" ", text)
    quoted = " ".join(_QUOTED.findall(text))
    unquoted = len(_QUOTED.sub("", outside).split())
    said = quoted if quoted and ("*" not in text or unquoted < _FEW_WORDS) else outside.replace('"', "")
    return " ".join(said.replace("*", "").split())


def is_deed(text: str) -> bool:
    """Whether a turn is nothing but a stage direction: something done, nothing said."""
    return "*" in text and not _STAGE.sub("", text).strip(' \n\t*".…')
