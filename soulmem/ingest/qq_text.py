"""QQ chats as the program itself exports them, and those of WeChat: a time and a name above what was said, one after another.

Above a message stands ``2023-05-01 9:20:31 Name``, in groups with a title before the name (``【管理员】``) and the number or an
address behind it (``(12345)``, ``<a@b.c>``). Numbers tell apart who has one name. ``消息对象:`` begins a conversation. In text of
WeChat the name may stand before the time, in all of the file, and the day above all of its messages
(:mod:`soulmem.ingest.wechat_days`). What the program says itself, and what stands for pictures and files, is kept hidden; what a
reply of WeChat quotes is not said again.
"""

from __future__ import annotations

import re
from datetime import datetime
from itertools import islice

from soulmem.ingest.contract import Document, Format
from soulmem.ingest.encodings import Text, head
from soulmem.ingest.mapped import Data
from soulmem.ingest.qq_words import is_no_words, is_notice, without_quotation
from soulmem.ingest.transcript import Transcript, document
from soulmem.ingest.wechat_days import Header, by_days, is_by_days
from soulmem.model.messages import Role

_TIME = r"(?P<time>\d{4}[-/]\d{1,2}[-/]\d{1,2} \d{1,2}:\d{2}:\d{2})"
_HEADER = re.compile(rf"{_TIME}[ \t]+(?P<name>\S.{{0,120}})", re.ASCII)
_NAME_FIRST = re.compile(rf"(?P<name>\S.{{0,60}}?)[ \t]+{_TIME}", re.ASCII)
_TITLE = re.compile(r"【[^【】]{0,20}】")
_NUMBER = re.compile(r"(?:\((\d{4,12})\)|<([^<>\s]{3,80})>)\s*$", re.ASCII)
_WITH = re.compile(r"消息对象[:：]\s*(.{0,100})")
_RULE = re.compile(r"={8,}")
_PROLOGUE = re.compile(r"消息(?:记录|分组)[（(:：]")
_SYSTEM = "系统消息"
#: So many lines tell how a file is written.
_FIRST = 10
_SYSTEM_NUMBERS = frozenset({"10000", "1000000"})


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like such an export: it says so, or its first lines are a time and a name and then what
    was said."""
    lines = [line.strip() for line in head(data).lstrip("\ufeff").split("\n") if line.strip()][:200]
    if any(_WITH.match(line) or _PROLOGUE.match(line) for line in lines[:10]):
        return 0.95
    found = [_is_header(line) for line in lines[:2]]
    return 0.9 if found == [True, False] or is_by_days(lines) else 0.0


def _is_header(line: str) -> bool:
    match = _HEADER.fullmatch(line) or _NAME_FIRST.fullmatch(line)
    return match is not None and ": " not in match["name"] and "：" not in match["name"]


def read(data: Data, at: datetime) -> Document:
    """The messages of all conversations, in file order.

    :raises FormatError: there is not one message in it."""
    del at
    text = Text(data)
    first = list(islice(filter(None, (line.strip() for _, line in text.lines())), _FIRST))
    export = _Export(_NAME_FIRST if first and _NAME_FIRST.fullmatch(first[0]) else _HEADER)
    rows = ((number, line.strip(" \t\r")) for number, line in text.lines())
    for number, line in by_days(first, rows) if is_by_days(first) else rows:
        export.take(number, line)
    return document(FORMAT.name, export.finished(), text.problems)


class _Export:
    """What has been read so far."""

    def __init__(self, heads: re.Pattern[str]) -> None:
        self.told: list[Transcript] = []
        self._heads = heads
        self._header: tuple[int, str, str] | None = None
        self._words: list[str] = []

    def take(self, number: int, line: str | Header) -> None:
        if isinstance(line, Header):
            self._finish()
            self._header = (number, line.time, line.name)
        elif (with_whom := _WITH.fullmatch(line)) is not None:
            self._finish()
            self._begin(with_whom[1].strip())
        elif (header := self._heads.fullmatch(line)) is not None:
            self._finish()
            self._header = (number, header["time"], header["name"].strip())
        elif self._header is not None and not _RULE.fullmatch(line) and not _PROLOGUE.match(line):
            self._words.append(line)

    def finished(self) -> list[Transcript]:
        self._finish()
        if len(self.told) == 1:
            self.told[0].name = ""
        return self.told

    def _begin(self, name: str) -> None:
        self.told.append(Transcript(name=name))

    def _finish(self) -> None:
        if self._header is None:
            return
        if not self.told:
            self._begin("")
        line, time, called = self._header
        name, number = _parted(called)
        notices = [words for words in self._words if is_notice(words, name)]
        own = [words for words in self._words if words not in notices] if notices else self._words
        if any(own) or not notices:
            self._say(line, time, name, number, without_quotation("\n".join(own)))
        for words in notices:  # they stand behind what was said before, without a time of their own
            self.told[-1].say(line, Role.SYSTEM, words, speaker=name, sent_at=time, hidden=True, mark=number)
        self._header, self._words = None, []

    def _say(self, line: int, time: str, name: str, number: str, words: str) -> None:
        system = name == _SYSTEM or number in _SYSTEM_NUMBERS
        role = Role.SYSTEM if system else Role.USER
        self.told[-1].say(line, role, words, speaker=name, sent_at=time, hidden=system or is_no_words(words), mark=number)


def _parted(called: str) -> tuple[str, str]:
    """The name and the number (or address) of who is called so."""
    number = _NUMBER.search(called)
    name = called[: number.start()] if number else called
    bare = _TITLE.sub("", name, count=1) if name.startswith("【") else name
    return (bare.strip() or name.strip() or called), (number[1] or number[2] if number else "")


FORMAT = Format("qq-text", "QQ or WeChat chat as text, a time and a name above what was said (.txt)", sniff, read, stream=read)
