"""RisuAI chats as text: ``--Name``, the words below it, and an empty line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from soulmem.ingest.contract import Document, Format
from soulmem.ingest.encodings import decode, head
from soulmem.ingest.script import role_of, with_sides
from soulmem.ingest.transcript import Transcript, document

_SPEAKER = re.compile(r"--([^\s-][^\n]{0,99})")
_START = re.compile(r"\s*--[^\s-][^\n]{0,99}\n[^\n]*\S")


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like such a chat: certain of the mark of a speaker with words below it."""
    text = head(data).lstrip("\ufeff").replace("\r\n", "\n")
    return 0.9 if _START.match(text) else 0.0


def read(data: bytes, at: datetime) -> Document:
    """What was said, in file order.

    :raises FormatError: nobody speaks in it."""
    del at
    decoded = decode(data)
    told = Transcript()
    for line, speaker, words in _speeches(decoded.text):
        told.say(line, role_of(speaker), "\n".join(words), speaker=speaker)
    return with_sides(document(FORMAT.name, [told], decoded.problems))


def _speeches(text: str) -> Iterator[tuple[int, str, list[str]]]:
    speaker, begun, words = "", 0, list[str]()
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.rstrip("\r")
        if match := _SPEAKER.fullmatch(line.strip()):
            if speaker:
                yield begun, speaker, words
            speaker, begun, words = match[1].strip(), number, []
        elif speaker:
            words.append(line)
    if speaker:
        yield begun, speaker, words


FORMAT = Format("risuai-text", "RisuAI chat as text, “--Name” above what was said (.txt)", sniff, read)
