"""Plain scripts: ``Name: text``, one speech per line, with either colon.

A line without a name goes on with what was said before; alone in brackets, or before the first speaker, it is the narrator's.
A time may stand before the name, and between name and colon how it is said, in brackets, which stays with the words. Bold or
italic type of a name is none of it. ``Ada said: …`` is a speech where Ada speaks elsewhere in the file. Salutations and headings
(``Dear Ada:``, ``Note:``) name nobody; those that set a scene (``Place:``) are the narrator's. Quotes around a whole speech are
taken off.

Who is the user cannot be known from a script: names such as ``User`` or ``我`` are the user, names such as ``AI`` the character,
and with exactly two speakers, one of them so named, the other one is the other side. Everybody else is a person who talks, which
is role user; who is told which character a mind belongs to may know better.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from soulmem.errors import FormatError
from soulmem.ingest.chat_text import heard, speaker_name
from soulmem.ingest.contract import Document, Format, Problem, SaidLine
from soulmem.ingest.encodings import HEAD_BYTES, Text, head
from soulmem.ingest.mapped import Data
from soulmem.ingest.times import message_time
from soulmem.model.messages import Role
from soulmem.text.stopwords import words_of

#: Longer than this is a clause with a colon, not a name; characters.
MAX_NAME = 20

# More names than this, none of which comes back, are the keys of a list and not people who talk.
_ONCE_EACH = 3

_TIME = r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ]\s{0,3}\d{1,2}:\d{2}(?::\d{2})?)?"
_STAMP = re.compile(rf"\[\s{{0,3}}({_TIME})\s{{0,3}}\]\s*|({_TIME})\s+", re.ASCII)
_SPEECH = re.compile(rf"([^：:\"“”「」『』（）()\[\]{{}}<>。！？!?，,；;、]{{1,{MAX_NAME}}})[：:](.*)", re.DOTALL)
# How something is said, between the name and the colon.
_MANNER = re.compile(
    rf"([^：:\"“”「」『』（）()\[\]{{}}<>。！？!?，,；;、]{{1,{MAX_NAME}}}?)\s{{0,3}}([（(][^（）()：:\n]{{1,60}}[）)])\s{{0,3}}[：:](.*)",
    re.DOTALL,
)
# Bold or italic type around a name, or around the name and its colon.
_TYPE = re.compile(r"(\*{1,3}|_{1,3})(?=\S)([^*_：:\n]{1,60}?)(?:\1\s{0,3}([：:])|([：:])\s{0,3}\1)")
_DIRECTION = re.compile(r"（[^（）]*）|\([^()]*\)|【[^【】]*】|\[[^\[\]]*\]")
_VERB_OF_SPEECH = re.compile(r"(?:说|说道|问道|答道|喊道|笑道|心想|想道|\bsaid|\bsays|\basked|\breplied)$", re.IGNORECASE)
# What stands before a colon at the head of a line and does not speak, where no other line tells.
_CLAUSE = re.compile(r"[说问答喊叫想讲写曰道是有了的着]$|^[这那第]|https?$", re.IGNORECASE)
_HEADINGS = words_of(
    """
note notes todo title author date time subject re from to cc warning error info hint tip summary result conclusion example
remember ps attention important question answer address phone email name file version warnings
注意 标题 题目 作者 日期 时间 地点 主题 备注 提示 摘要 结果 结论 例如 比如 原因 总之 说明 附 另外 记住 问题 答案 地址 电话
邮箱 姓名 名字 文件 版本 内容 警告 错误 重要 一句话 公告 通知 目标 建议 方法 步骤
"""
)
# These head what they say at the beginning of a line, but a question and its answer may be all that speaks in a file.
_MAY_SPEAK = words_of("question answer address phone email name file version 问题 答案 姓名 名字")
# What sets a scene is nobody's words.
_SCENE = words_of("title date time place location scene setting weather 标题 日期 时间 地点 场景 天气 场所 背景")
_SALUTATION = re.compile(r"(?:dear|dearest|hi|hello|hey)\s|^(?:亲爱的|敬爱的|尊敬的|致)", re.IGNORECASE)
#: A Chinese name that stands alone has at most so many characters.
_LONGEST_ALONE = 6
_QUOTES = (("「", "」"), ("『", "』"), ("“", "”"), ('"', '"'))
_NARRATORS = {"旁白", "叙述", "叙述者", "解说", "narrator", "narration"}
_USERS = {"user", "human", "you", "me", "i", "{{user}}", "用户", "我", "你", "玩家", "player"}
_CHARACTERS = {"ai", "bot", "assistant", "char", "character", "{{char}}", "助手", "角色"}
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


@dataclass(slots=True)
class _Speech:
    line: int
    speaker: str
    role: Role
    text: list[str]
    stamp: str | None = None


@dataclass(slots=True)
class _Play:
    speeches: list[_Speech] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    speakers: frozenset[str] = frozenset()


def sniff(data: bytes) -> float:
    """How sure it is that this is a script: at least two speeches, and most lines are one, or nothing but one. Prose is none."""
    text = head(data)
    if text.lstrip("\ufeff \t\r\n")[:1] in ("{", "<"):
        return 0.0
    lines = [line for line in text.split("\n") if line.strip()]
    if len(data) > HEAD_BYTES:
        lines = lines[:-1] or lines  # cut in the middle
    spoken = Counter(name for line in lines if (name := _spoken_by(line)))
    count = spoken.total()
    if count == 1 and all(_is_direction(line) or _is_alone(line) for line in lines):
        return 0.4
    if count < 2 or count + sum(map(_is_direction, lines)) <= len(lines) / 2:
        return 0.0
    returning = sum(times for times in spoken.values() if times > 1)
    if not returning and count > _ONCE_EACH:
        return 0.0
    return 0.4 + 0.2 * count / len(lines) + 0.2 * returning / count


def read(data: Data, at: datetime) -> Document:
    """The speeches of a script, numbered in file order.

    :raises FormatError: nobody speaks in it."""
    del at  # a speech without a time has none
    text = Text(data)
    play = _Play(speakers=frozenset(name for _, line in text.lines() if (name := _spoken_by(line))))
    play.problems += text.problems
    for number, line in text.lines():
        _take(play, line.strip(), number)
    if all(speech.role is Role.NARRATOR for speech in play.speeches):
        raise FormatError("nobody speaks in it: no line is “Name: text”", place="line 1")
    messages, user, character = sides(_said_lines(play))
    return Document(
        format=FORMAT.name,
        read=len(play.speeches),
        messages=tuple(messages),
        problems=tuple(sorted(play.problems, key=lambda problem: problem.line or 0)),
        user_name=user,
        character_name=character,
    )


# Lines.


def spoken_line(line: str) -> tuple[datetime | None, str | None, str]:
    """The time, the speaker and the text of one line, as far as it states them.

    :raises ValueError: the time is none."""
    stamp, rest = _stamped(line.strip())
    name, text = _speech(rest) or (None, rest)
    return (message_time(stamp) if stamp else None), name, _unquoted(text.strip())


def role_of(speaker: str) -> Role:
    """What the name alone says: a narrator's is known, everybody else is a person who talks."""
    return Role.NARRATOR if speaker.casefold() in _NARRATORS else Role.USER


def _take(play: _Play, line: str, number: int) -> None:
    if not line:
        return
    stamp, rest = _stamped(line)
    if (speech := _speech(rest) or _reported(rest, play.speakers)) is not None:
        name, text = speech
        narrates = name.casefold() in _NARRATORS
        play.speeches.append(_Speech(number, name, Role.NARRATOR if narrates else Role.USER, [text], stamp))
    elif _is_direction(line) or _sets_scene(rest) or not play.speeches:
        play.speeches.append(_Speech(number, "旁白" if _CJK.search(line) else "Narrator", Role.NARRATOR, [line]))
    else:
        play.speeches[-1].text.append(line)


def _stamped(line: str) -> tuple[str | None, str]:
    match = _STAMP.match(line)
    return (match[1] or match[2], line[match.end() :]) if match else (None, line)


def _speech(line: str) -> tuple[str, str] | None:
    """The name and the words of a line that is a speech."""
    line = _TYPE.sub(lambda match: match[2] + (match[3] or match[4]), line, count=1) if line[:1] in ("*", "_") else line
    manner = _MANNER.match(line)
    parts = (manner[1], manner[3], manner[2] + " " * (manner[2][0] == "(")) if manner else _named_words(line)
    if parts is None or parts[1].startswith("//"):  # http://…
        return None
    name, words = speaker_name(parts[0]), parts[1].strip()
    if name[-1:].isdigit() and parts[1][:1].isdigit():  # at 10:30
        return None
    return (name, f"{parts[2]}{words}" if words else "") if _is_name(name) and not _is_heading(name) else None


def _named_words(line: str) -> tuple[str, str, str] | None:
    match = _SPEECH.match(line)
    return (match[1], match[2], "") if match else None


def _is_heading(name: str) -> bool:
    """Whether a name that stands before a colon is nobody's: a heading, or whom a letter is to."""
    folded = name.casefold()
    headed = folded in _SCENE or (folded in _HEADINGS and folded not in _MAY_SPEAK)
    return headed or _SALUTATION.match(name) is not None or name[:1] in "*_#"


def _sets_scene(line: str) -> bool:
    match = _SPEECH.match(line)
    return match is not None and speaker_name(match[1]).casefold() in _SCENE


def _reported(line: str, speakers: Collection[str]) -> tuple[str, str] | None:
    """``Ada said: “…”``, where Ada is one of those who speak; or ``*Ada: …*``."""
    match = _SPEECH.match(line)
    if match is None:
        return None
    name, words = speaker_name(match[1]), match[2].strip()
    if name[:1] in "*_" and line.rstrip()[-1:] == name[:1] and name.lstrip("*_") in speakers:
        return name.lstrip("*_"), f"{name[:1]}{words}"
    bare = _VERB_OF_SPEECH.sub("", name).strip()
    return (bare, words) if bare != name and bare in speakers else None


def _spoken_by(line: str) -> str | None:
    speech = _speech(_stamped(line.strip())[1])
    return speech[0] if speech and speech[1] else None


def _is_alone(line: str) -> bool:
    """Whether a line without others is a speech: its name is neither a heading nor the beginning of a sentence."""
    name = _spoken_by(line)
    if name is None or name.casefold() in _HEADINGS or _CLAUSE.search(name):
        return False
    return len(name) <= _LONGEST_ALONE if _CJK.search(name) else len(name.split()) <= 3 and name[:1].isupper()


def _is_name(name: str) -> bool:
    """Whether this may be a name: not a time of day, not a verb of speech, not the beginning of a sentence."""
    if not any(character.isalpha() for character in name) or _VERB_OF_SPEECH.search(name):
        return False
    words = name.split()
    if len(words) > 4:
        return False
    return len(words) == 1 or not (words[0][0].islower() or words[-1][0].islower())


def _is_direction(line: str) -> bool:
    return _DIRECTION.fullmatch(line.strip()) is not None


# Speeches.


def _said_lines(play: _Play) -> Iterator[SaidLine]:
    for index, speech in enumerate(play.speeches):
        words = heard("\n".join(part for part in speech.text if part), by_character=False)
        text = _unquoted(words.text)
        if words.removed and speech.role is Role.USER:
            play.problems.append(Problem(speech.line, words.told, skipped=False))
        if not text:
            play.problems.append(Problem(speech.line, f"{speech.speaker} says nothing; the line was skipped"))
            continue
        yield SaidLine(
            index=index,
            line=speech.line,
            speaker=speech.speaker,
            role=speech.role,
            text=text,
            sent_at=_sent_at(play, speech),
        )


def _unquoted(text: str) -> str:
    """``text`` without the quotes that wrap all of it."""
    for opening, closing in _QUOTES:
        inner = text[1:-1]
        if len(text) > 2 and text[0] == opening and text[-1] == closing and opening not in inner and closing not in inner:
            return inner.strip()
    return text


def _sent_at(play: _Play, speech: _Speech) -> datetime | None:
    if speech.stamp is None:
        return None
    try:
        return message_time(speech.stamp)
    except ValueError:
        what = f"{speech.stamp} is not a time; the speech is without it"
        play.problems.append(Problem(speech.line, what, skipped=False))
        return None


def sides(lines: Iterable[SaidLine]) -> tuple[list[SaidLine], str | None, str | None]:
    """The lines, those of the character in its role, and the names of the user and of the character, as far as names alone give
    them away."""
    given = list(lines)
    user, character = _named_sides(given)
    found = [replace(line, role=Role.CHARACTER) if line.speaker == character else line for line in given]
    return found, user, character


def with_sides(document: Document) -> Document:
    """``document`` with the sides of each of its conversations, as :func:`sides` has them."""
    messages, user, character = sides(document.messages)
    told = [(one, *sides(one.messages)) for one in document.conversations]
    return replace(
        document,
        messages=tuple(messages),
        user_name=document.user_name or user,
        character_name=document.character_name or character,
        conversations=tuple(
            replace(one, messages=tuple(lines), user_name=one.user_name or theirs, character_name=one.character_name or whose)
            for one, lines, theirs, whose in told
        ),
    )


def _named_sides(messages: Iterable[SaidLine]) -> tuple[str | None, str | None]:
    speakers = list(dict.fromkeys(message.speaker for message in messages if message.role is Role.USER))
    user = next((name for name in speakers if name.casefold() in _USERS), None)
    character = next((name for name in speakers if name.casefold() in _CHARACTERS), None)
    if len(speakers) == 2 and (user is None) != (character is None):
        first, second = speakers
        other = second if first in (user, character) else first
        return (user, other) if user is not None else (other, character)
    return user, character


FORMAT = Format("script", "plain script, one “Name: text” per line (.txt)", sniff, read, stream=read)
