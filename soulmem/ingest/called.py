"""By what names the character is called in chats: its own, and the first or last word of one that nobody else has (pure)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from soulmem.ingest.contract import Document, SaidLine
from soulmem.model.messages import Role
from soulmem.model.notes import SELF_KEY, Note, Semantic
from soulmem.text.callings import TITLES
from soulmem.text.language import HAN, KANA
from soulmem.text.names import normal_name
from soulmem.text.stopwords import stop_words, words_of

_PARTS = re.compile(r"[\s·・•＝=]+")
_HAN = re.compile(f"[{HAN}]+")
#: A name in Chinese characters and kana is cut where the script changes (涼宮ハルヒ).
_SCRIPTS = re.compile(f"[{HAN}]{{2,}}|[{KANA}]{{2,}}")
_NO_NAMES = TITLES | stop_words() | words_of("madame monsieur princess prince king queen captain")
#: A Chinese name of so many characters has a given name of two; of four, a family name of two that somebody may be called by.
_SHORT, _LONG = 3, 4


def short_forms(name: str) -> frozenset[str]:
    """What somebody of this name may be called for short, in normal form: its first and its last word; 春日 and 凉宫, who is
    凉宫春日."""
    whole = normal_name(name)
    words = [word for word in _PARTS.split(whole) if len(word) > 1 and word.strip(".") not in _NO_NAMES]
    if words == [whole]:
        words = list(_dense_parts(whole))
    return frozenset(word for word in (*words[:1], *words[-1:]) if word != whole)


def _dense_parts(name: str) -> Iterator[str]:
    if _HAN.fullmatch(name):
        if len(name) == _LONG:
            yield name[:2]
        if len(name) in (_SHORT, _LONG):
            yield name[-2:]
    elif "".join(parts := _SCRIPTS.findall(name)) == name:
        yield from parts


def own_speakers(document: Document, own: Sequence[str], others: Collection[str]) -> tuple[str, ...]:
    """Which of those who speak in ``document`` are the character, by one of its ``own`` names, or a short form of one that nobody
    else in the file or among ``others`` has. Where the file tells who is the user, nobody of these is."""
    lines = [line for _, part in document.parts for line in part.messages if line.role is not Role.NARRATOR and line.named]
    told = any(line.role is Role.CHARACTER for line in lines)
    speakers = dict.fromkeys(line.speaker for line in lines if not told or line.role is Role.CHARACTER)
    everybody = dict.fromkeys(line.speaker for line in lines)
    known = {normal_name(name) for name in own}
    named = tuple(speaker for speaker in speakers if normal_name(speaker) in known)
    short = frozenset(form for name in own for form in short_forms(name))
    called = [speaker for speaker in speakers if normal_name(speaker) in short]
    if named or len(called) != 1:
        return named
    beside = (*(speaker for speaker in everybody if speaker != called[0]), *others)
    return () if is_shared(called[0], beside) else (called[0],)


def is_shared(name: str, others: Iterable[str]) -> bool:
    """Whether one of ``others`` is called ``name``, or has it for a short form."""
    form = normal_name(name)
    return any(form == normal_name(other) or form in short_forms(other) or form in normal_name(other).split() for other in others)


def said_by_self(document: Document, speakers: Collection[str]) -> Document:
    """``document`` in which the lines of ``speakers`` are the character's: a script does not tell who is who."""
    if not speakers or all(line.role is Role.CHARACTER for line in _lines(document) if line.speaker in speakers):
        return document

    def own(lines: Sequence[SaidLine]) -> tuple[SaidLine, ...]:
        return tuple(replace(line, role=Role.CHARACTER) if line.speaker in speakers else line for line in lines)

    conversations = tuple(replace(one, messages=own(one.messages)) for one in document.conversations)
    return replace(document, messages=own(document.messages), conversations=conversations)


def _lines(document: Document) -> Iterator[SaidLine]:
    return (line for _, part in document.parts for line in part.messages)


def also_called(mine: Note, names: Iterable[str]) -> Note | None:
    """The character's own note with more ``names``; ``None`` where it has them all."""
    body = mine.body
    assert isinstance(body, Semantic)
    known = {normal_name(name) for name in (body.content, *body.aliases)}
    more = {form: name for name in names if (form := normal_name(name)) not in known}
    return replace(mine, body=replace(body, aliases=(*body.aliases, *more.values()))) if more else None


def own_concepts(
    document: Document,
    own: Sequence[str],
    drawn: Sequence[Note],
    names: Mapping[str, Collection[str]],
    roles: Mapping[str, set[str]],
) -> tuple[Note, ...]:
    """Which concepts that were ``drawn`` from talk are the character, of whom ``document`` is the card. ``names``: note id → all
    its names, of everybody in the mind; ``roles``: speaker → as whom they speak."""
    told = next((note.body for note in document.notes if note.key == SELF_KEY), None)
    if not isinstance(told, Semantic):
        return ()
    all_names = (told.content, *told.aliases, *own)
    whole = {normal_name(name) for name in all_names}
    short = {form for name in all_names for form in short_forms(name)} - whole
    tells = any(Role.CHARACTER.value in some for some in roles.values())
    same = [note for note in drawn if normal_name(_name(note)) in whole]
    found = [note for note in drawn if normal_name(_name(note)) in short and _may_speak(_name(note), roles, tells)]
    if not same and len(found) == 1:
        beside = [name for note, some in names.items() if note != found[0].id for name in some]
        same = [] if is_shared(_name(found[0]), beside) else found
    return tuple(same)


def _may_speak(name: str, roles: Mapping[str, set[str]], tells: bool) -> bool:
    mine = roles.get(name, set())
    return bool(mine) and (not tells or Role.CHARACTER.value in mine)


def _name(note: Note) -> str:
    return note.body.content if isinstance(note.body, Semantic) else ""
