"""WhatsApp chats as the phone exports them: ``12/03/2024, 10:15 - Name: text``, or ``[12/03/2024, 10:15:03] Name: text``.

Which of two numbers is the day is told by all dates of the file. What the program says (members that come and go, notes on
encryption), and what stands for pictures and deleted messages, is kept hidden.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from soulmem.ingest.contract import Document, Format, Problem
from soulmem.ingest.dates import STAMP, times
from soulmem.ingest.encodings import decode, head
from soulmem.ingest.transcript import Transcript, document
from soulmem.ingest.whatsapp_words import is_no_words, without_edit, without_file
from soulmem.model.messages import Role

# The program marks what it writes itself with an invisible character.
_OWN = "\u200e"
_HEADER = re.compile(rf"{_OWN}?(?:\[({STAMP})\]\s|({STAMP})\s[-–]\s)(.*)")
_NAMED = re.compile(r"(?:~\s?)?([^:\"“”\n]{1,80}?):(?:\s(.*)|$)")
_PLACEHOLDER = re.compile(r"<[^<>\n]{2,60}>")
_FILE = re.compile(rf"(?:{_OWN})?(?:IMG|VID|PTT|AUD|STK|DOC)-\d{{8}}-WA\d+\.\w{{2,5}} \([^()\n]{{1,40}}\)\n?")
# What stands in brackets before the names of any script.
_ANY_SCRIPT = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2} [\d:]+")
#: So many lines are looked at to tell the format.
_LOOKED_AT = 200


@dataclass(slots=True)
class _Said:
    line: int
    stamp: str
    speaker: str
    words: list[str] = field(default_factory=list)


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like such a chat: its first line has a time, and somebody speaks in one that has."""
    lines = [line for line in head(data).lstrip("\ufeff").split("\n") if line.strip()][:_LOOKED_AT]
    found = [match for line in lines if (match := _HEADER.match(line)) is not None]
    begins = _HEADER.match(lines[0]) if lines else None
    if begins is None or _ANY_SCRIPT.fullmatch(begins[1] or ""):
        return 0.0
    return 0.95 if any(_NAMED.match(match[3]) for match in found) else 0.0


def read(data: bytes, at: datetime) -> Document:
    """The messages, in file order.

    :raises FormatError: there is not one message in it."""
    del at
    decoded = decode(data)
    said = list(_said(decoded.text))
    found = times([one.stamp for one in said])
    told = Transcript()
    for one, moment in zip(said, found.moments, strict=True):
        _say(told, one, moment)
    problems = (*decoded.problems, *([Problem(None, found.told, skipped=False)] if found.told else []))
    return document(FORMAT.name, [told], problems)


def _said(text: str) -> Iterator[_Said]:
    current: _Said | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.rstrip("\r")
        if (match := _HEADER.match(line)) is not None:
            if current is not None:
                yield current
            named = _NAMED.match(match[3])
            speaker, words = (named[1], named[2] or "") if named else ("", match[3])
            current = _Said(number, match[1] or match[2], speaker, [words])
        elif current is not None:
            current.words.append(line)
    if current is not None:
        yield current


def _say(told: Transcript, said: _Said, moment: datetime | str) -> None:
    text = "\n".join(said.words).strip()
    if not said.speaker:
        told.say(said.line, Role.SYSTEM, text, speaker="WhatsApp", sent_at=moment, hidden=True)
        return
    words = without_edit(without_file(_FILE.sub("", text))).strip()
    nothing = not words or words.startswith(_OWN) or _PLACEHOLDER.fullmatch(words) or is_no_words(words)
    shown = text.replace(_OWN, "").strip("<> ") if nothing else words
    told.say(said.line, Role.USER, shown, speaker=said.speaker, sent_at=moment, hidden=bool(nothing))


FORMAT = Format("whatsapp", "WhatsApp chat as the phone exports it (.txt)", sniff, read)
