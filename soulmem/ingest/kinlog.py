"""Kindroid chats as the browser extension KinLog saves them: text, a page, or JSON. There are names but no times.

The extension takes words from the page as they stand there, with ``&amp;`` and the like.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import datetime

from soulmem.ingest.contract import Document, Format, Problem
from soulmem.ingest.encodings import decode_json, head
from soulmem.ingest.json_places import Cursor, first_names
from soulmem.ingest.names_above import speakers, speeches
from soulmem.ingest.placed import PlacedList, placed
from soulmem.ingest.script import role_of, with_sides
from soulmem.ingest.transcript import Transcript, document

_DEPTH = 3
_MARK = "chat log downloaded with KinLog"
_BUBBLE = "<p><strong>"
_BREAK = re.compile(r"<br\s?/?>")
_ITALIC = re.compile(r"</?i>")


def sniff(data: bytes) -> float:
    """Certain where the file says so at its beginning."""
    text = head(data)
    if text.lstrip("\ufeff \t\r\n")[:1] == "{":
        return 0.95 if "chat" in first_names(text)[1] and _MARK in text[:2000] else 0.0
    return 1.0 if _MARK in text[:1000] else 0.0


def read(data: bytes, at: datetime) -> Document:
    """What was said, in file order.

    :raises FormatError: nobody speaks in it."""
    del at
    decoded = decode_json(data)
    told = Transcript()
    problems = list(decoded.problems)
    start = decoded.text.lstrip()[:1]
    found = _json(decoded.text, problems) if start == "{" else _page(decoded.text) if start == "<" else _text(decoded.text)
    for line, speaker, words in found:
        told.say(line, role_of(speaker), html.unescape(words), speaker=html.unescape(speaker))
    return with_sides(document(FORMAT.name, [told], problems))


def _text(text: str) -> Iterator[tuple[int, str, str]]:
    lines = [line.rstrip("\r") for line in text.split("\n")]
    begin = next((number for number, line in enumerate(lines) if not line.strip()), 0)
    body = lines[begin:]
    for line, speaker, words in speeches(body, speakers(body)[0]):
        yield begin + line + 1, speaker, "\n".join(words)


def _page(text: str) -> Iterator[tuple[int, str, str]]:
    before, *bubbles = text.split(_BUBBLE)
    line = before.count("\n") + 1
    for bubble in bubbles:
        speaker, _, rest = bubble.partition("</strong>")
        words = _ITALIC.sub("", rest.partition("</p>")[0])
        yield line, speaker.strip(), _BREAK.sub("\n", words).strip()
        line += bubble.count("\n")


def _json(text: str, problems: list[Problem]) -> Iterator[tuple[int, str, str]]:
    tree = placed(Cursor(text), _DEPTH)
    if tree.broken:
        problems.append(Problem(tree.line, tree.broken))
    chat = tree.value.get("chat") if isinstance(tree.value, dict) else None
    for line, said in chat.numbered() if isinstance(chat, PlacedList) else ():
        if isinstance(said, list) and len(said) == 2 and all(isinstance(part, str) for part in said):
            yield line, said[0].strip(), said[1]
        else:
            problems.append(Problem(line, "this is not a name and what was said; it was skipped"))


FORMAT = Format("kinlog", "Kindroid chat saved by KinLog (.txt, .html, .json)", sniff, read)
