"""What a line asks to be kept or allows to be told, put on the lines it is about, and on what was drawn from them (SPEC §9).
Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from soulmem.model.messages import Message, Role
from soulmem.scopes.contexts import EVERYBODY, drawn_from, normal_scope
from soulmem.text.callings import is_same
from soulmem.text.confidences import Confidence, confidence
from soulmem.text.names import normal_name
from soulmem.text.stopwords import words_of

#: What most lines ask.
NOTHING_ASKED = Confidence()
#: What a release may be about without saying what.
_ANYTHING = words_of("secret secrets news truth thing things it story matter 事 事情 秘密 消息 真相 事儿")


@dataclass(frozen=True, slots=True)
class Confided:
    """The line as it is kept, and those ``before`` it that are meant too, as they are now."""

    said: Message
    before: tuple[Message, ...] = ()
    asks: Confidence = NOTHING_ASKED


def confided(said: Message, lines: Sequence[Message]) -> Confided:
    """``said`` after ``lines`` of its talk: kept from whom it asks. What asks and says nothing else means what the same speaker
    said before it, and what was answered to that; what says what it is about means all they said of that in this sitting; the
    character's answer to a confidence is one itself."""
    asks = confidence(said.text, (name for line in (*lines, said) for name in (line.speaker, *line.present)), said.speaker)
    own = tuple(name for name in asks.kept_from if name != normal_name(said.speaker))
    if own:
        meant = _asked_of(said, asks, [line for line in lines if _is_near(line, said)])
        return Confided(kept_also(said, own), tuple(kept_also(line, own) for line in meant), asks)
    if said.role is Role.CHARACTER and lines and _is_near(lines[-1], said) and _is_answer(said, lines):
        return Confided(kept_also(said, lines[-1].kept_from), (), asks)
    return Confided(said, (), asks)


def _is_near(line: Message, said: Message) -> bool:
    """Whether a line was said in the same sitting, to the same people."""
    return not line.hidden and _is_same_sitting(line, said) and normal_scope(line.scope) == normal_scope(said.scope)


def _is_same_sitting(line: Message, other: Message) -> bool:
    """Whether two lines of a talk were said in one sitting. Where lines without times end one is a guess: the next counts too."""
    apart = abs(line.session - other.session)
    return apart == 0 or (apart == 1 and None in (line.sent_at, other.sent_at))


def _is_answer(said: Message, lines: Sequence[Message]) -> bool:
    """Whether what a character says still answers the line before. Where several characters talk each answers once; else what
    they say among themselves would be kept to the end of the talk."""
    answered: set[str] = set()
    for line in reversed(lines):
        if line.role is not Role.CHARACTER or not line.kept_from:
            break
        answered.add(normal_name(line.speaker))
    speaker = normal_name(said.speaker)
    return speaker not in answered or normal_name(lines[-1].speaker) == speaker


def _asked_of(said: Message, asks: Confidence, near: Sequence[Message]) -> list[Message]:
    """The lines before ``said`` that it asks to be kept."""
    words = _telling(asks.matter, asks.kept_from)
    if words:
        return _of_matter(said, words, asks.kept_from, near)
    return _meant(said, near) if asks.is_bare or asks.matter else []


def _of_matter(said: Message, words: Set[str], names: Iterable[str], near: Sequence[Message]) -> list[Message]:
    """What the speaker said, and the character after that, with a telling word of what ``said`` is about."""
    found: list[Message] = []
    for line in near:
        is_theirs = normal_name(line.speaker) == normal_name(said.speaker) or (bool(found) and line.role is Role.CHARACTER)
        if is_theirs and words & _telling(line.text, names):
            found.append(line)
    return found


def _meant(said: Message, near: Sequence[Message]) -> list[Message]:
    """What the speaker said last, whoever spoke since, and the answers of the character since; the line before, if the speaker
    has said nothing yet."""
    meant: list[Message] = []
    is_begun = False
    for line in reversed(near):
        is_own = normal_name(line.speaker) == normal_name(said.speaker)
        if is_begun and not is_own:
            break
        is_begun = is_begun or is_own
        if is_own or line.role is Role.CHARACTER:
            meant.append(line)
    return meant if is_begun else list(near[-1:])


def kept_also(line: Message, names: Iterable[str]) -> Message:
    """``line``, kept from ``names`` too."""
    kept = tuple(dict.fromkeys((*line.kept_from, *names)))
    return line if kept == line.kept_from else replace(line, kept_from=kept)


def released(line: Message, names: Iterable[str]) -> Message:
    """``line`` after ``names`` may be told: nobody is kept from it for ``*``; what nobody else may know, they know."""
    told = tuple(names)
    if EVERYBODY in told:
        return replace(line, kept_from=())
    left = tuple(name for name in line.kept_from if not any(is_same(name, one) for one in told))
    if EVERYBODY not in left:
        return replace(line, kept_from=left)
    known = {normal_name(name) for name in line.present}
    return replace(line, kept_from=left, present=(*line.present, *(name for name in told if name not in known)))


def lifted(said: Message, asks: Confidence, lines: Iterable[Message]) -> list[Message]:
    """Of ``lines`` those that ``said`` allows to be told, as they are then: of the confidences that share a telling word with
    what it is about; if it says of nothing, of the speaker's last one that keeps those people out."""
    kept = [line for line in lines if line.kept_from and _is_earlier(line, said)]
    own = normal_name(said.speaker)
    groups = [[line for line in group if may_release(said, line)] for group in _confidences(kept) if _speaker(group) == own]
    theirs = [group for group in groups if any(_keeps(line, asks.told) for line in group)]
    words = _telling(asks.about, asks.told)
    if words:
        theirs = [group for group in theirs if any(words & _telling(line.text, asks.told) for line in group)]
    else:
        theirs = _last(theirs, said)
    return [released(line, asks.told) for group in theirs for line in group if _keeps(line, asks.told)]


def _is_earlier(line: Message, said: Message) -> bool:
    """Whether ``line`` was surely said before ``said``: what is allowed to be told tells nothing of later secrets."""
    if line.chat == said.chat:
        return line.index < said.index
    return line.sent_at is not None and said.sent_at is not None and line.sent_at <= said.sent_at


def _last(groups: Sequence[list[Message]], said: Message) -> list[list[Message]]:
    """The last of these confidences; where times are missing, the last one of the talk itself, if it has any."""
    here = [group for group in groups if group[-1].chat == said.chat]
    if here and any(line.sent_at is None for group in here for line in (*group, said)):
        return [max(here, key=lambda group: group[-1].index)]
    return list(groups[-1:])


def _telling(text: str, names: Iterable[str]) -> frozenset[str]:
    """The search terms of ``text`` that say what it is about; names are not what it is about."""
    from soulmem.text.tokens import is_stop, search_terms

    named = {term for name in names for term in search_terms(name)} | _ANYTHING
    return frozenset(term for term in search_terms(text) if not is_stop(term) and term not in named)


def _keeps(line: Message, names: Iterable[str]) -> bool:
    return any(EVERYBODY in (one, name) or is_same(name, one) for name in names for one in line.kept_from)


def _confidences(lines: Iterable[Message]) -> list[list[Message]]:
    """Lines that are kept by the request that closed them: what a bare one meant, itself, and the answers to it; the confidence
    that was asked for last comes last."""
    groups: list[list[Message]] = []
    # What is not asked for itself waits for the bare request that means it.
    is_waiting = False
    for line in sorted(lines, key=lambda one: (one.chat, one.session, one.index)):
        is_near = bool(groups) and groups[-1][-1].chat == line.chat and _is_same_sitting(groups[-1][-1], line)
        is_answer = line.role is Role.CHARACTER
        asks = NOTHING_ASKED if is_answer else confidence(line.text, line.kept_from, line.speaker)
        is_theirs = is_near and (is_answer or normal_name(line.speaker) == _speaker(groups[-1]))
        if is_theirs and (is_answer or (_is_of(asks, groups[-1], is_waiting) if asks.kept_from else is_waiting)):
            groups[-1].append(line)
        else:
            groups.append([line])
        is_waiting = is_waiting if is_answer and is_near else not asks.kept_from
    return sorted(groups, key=lambda group: (group[-1].sent_at.timestamp() if group[-1].sent_at else 0.0, group[-1].chat))


def _is_of(asks: Confidence, group: Sequence[Message], is_waiting: bool) -> bool:
    """Whether a request means the lines before it: it is bare, or they wait for one and are of what it is about."""
    words = _telling(asks.matter, asks.kept_from)
    return asks.is_bare or (is_waiting and any(words & _telling(line.text, asks.kept_from) for line in group))


def _speaker(group: Sequence[Message]) -> str:
    """Who told a confidence, as a normal name; nothing where only answers of the character are left of it."""
    return next((normal_name(line.speaker) for line in group if line.role is not Role.CHARACTER), "")


def may_release(said: Message, line: Message) -> bool:
    """Whether the speaker of ``said`` may allow ``line`` to be told: it is theirs, or what the character answered in their talk;
    and was said to the same people."""
    if normal_scope(line.scope) != normal_scope(said.scope):
        return False
    return normal_name(line.speaker) == normal_name(said.speaker) or (
        line.role is Role.CHARACTER and line.chat == said.chat and _is_same_sitting(line, said)
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
