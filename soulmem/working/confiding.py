"""What a line asks to be kept or allows to be told, put on the lines it is about, and on what was drawn from them (SPEC §9).
Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from soulmem.model.messages import Message, Role
from soulmem.scopes.contexts import EVERYBODY, drawn_from, normal_scope
from soulmem.text.confidences import confidence
from soulmem.text.names import normal_name


@dataclass(frozen=True, slots=True)
class Confided:
    """The line as it is kept, and those ``before`` it that are meant too, as they are now."""

    said: Message
    before: tuple[Message, ...] = ()
    told: tuple[str, ...] = ()


def confided(said: Message, lines: Sequence[Message]) -> Confided:
    """``said`` after ``lines`` of its talk: kept from whom it asks. What asks and says nothing else means what the same speaker
    said before it, and what was answered to that; the character's answer to a confidence is one itself."""
    asks = confidence(said.text, [name for line in (*lines, said) for name in (line.speaker, *line.present)])
    near = [line for line in lines if _is_near(line, said)]
    own = tuple(name for name in asks.kept_from if name != normal_name(said.speaker))
    if own:
        meant = _meant(said, near) if asks.is_bare else ()
        return Confided(_kept(said, own), tuple(_kept(line, own) for line in meant), asks.told)
    if near and said.role is Role.CHARACTER and near[-1] == lines[-1]:
        return Confided(_kept(said, near[-1].kept_from), (), asks.told)
    return Confided(said, (), asks.told)


def _is_near(line: Message, said: Message) -> bool:
    """Whether a line was said in the same sitting, to the same people."""
    return not line.hidden and line.session == said.session and normal_scope(line.scope) == normal_scope(said.scope)


def _meant(said: Message, near: Sequence[Message]) -> list[Message]:
    """What the speaker said last, and the answers of the character since."""
    meant: list[Message] = []
    is_begun = False
    for line in reversed(near):
        is_own = normal_name(line.speaker) == normal_name(said.speaker)
        if (is_begun or line.role is not Role.CHARACTER) and not is_own:
            break
        is_begun = is_begun or is_own
        meant.append(line)
    return meant if is_begun else []


def _kept(line: Message, names: Iterable[str]) -> Message:
    kept = tuple(dict.fromkeys((*line.kept_from, *names)))
    return line if kept == line.kept_from else replace(line, kept_from=kept)


def released(line: Message, names: Iterable[str]) -> Message:
    """``line`` after ``names`` may be told: nobody is kept from it for ``*``; what nobody else may know, they know."""
    if EVERYBODY in names:
        return replace(line, kept_from=())
    left = tuple(name for name in line.kept_from if name not in names)
    if EVERYBODY not in left:
        return replace(line, kept_from=left)
    known = {normal_name(name) for name in line.present}
    return replace(line, kept_from=left, present=(*line.present, *(name for name in names if name not in known)))


def may_release(said: Message, line: Message) -> bool:
    """Whether the speaker of ``said`` may allow ``line`` to be told: it is theirs, or what the character answered in their talk;
    and was said to the same people."""
    if normal_scope(line.scope) != normal_scope(said.scope):
        return False
    return normal_name(line.speaker) == normal_name(said.speaker) or (
        line.role is Role.CHARACTER and (line.chat, line.session) == (said.chat, said.session)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnNote:
    """A note that was drawn from lines: ``sources`` by id. ``is_name``: it is somebody or something, not what was said of it."""

    id: str
    kept_from: tuple[str, ...]
    sources: tuple[str, ...]
    is_name: bool


def notes_kept(notes: Iterable[DrawnNote], lines: Mapping[str, Message]) -> dict[str, tuple[str, ...]]:
    """From whom notes are kept now, of those for which that has changed. ``lines``: all their sources, by id.

    What was said in confidence is kept, whatever else the note says; a name is only where it is never spoken openly.
    """
    found: dict[str, tuple[str, ...]] = {}
    for note in notes:
        kept = [lines[one].kept_from for one in note.sources if one in lines]
        names = drawn_from(kept, is_name=note.is_name)
        if set(names) != set(note.kept_from):
            found[note.id] = names
    return found
