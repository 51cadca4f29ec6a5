"""RisuAI chats as text: ``--Name``, the words below it, and an empty line; older ones have the name alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from soulmem.ingest.contract import Document, Format
from soulmem.ingest.encodings import decode, head
from soulmem.ingest.names_above import speakers, speeches
from soulmem.ingest.script import role_of, with_sides
from soulmem.ingest.transcript import Transcript, document

_SPEAKER = re.compile(r"--([^\s-][^\n]{0,99})")
_START = re.compile(r"\s*--[^\s-][^\n]{0,99}\n[^\n]*\S")


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like such a chat: certain of the mark of a speaker with words below it; without marks,
    where those who could be speakers come back."""
    text = head(data).lstrip("\ufeff").replace("\r\n", "\n")
    if _START.match(text):
        return 0.9
    return 0.45 if text.lstrip()[:1] not in ("{", "[", "<") and speakers(text.split("\n"))[1] else 0.0


def read(data: bytes, at: datetime) -> Document:
    """What was said, in file order.

    :raises FormatError: nobody speaks in it."""
    del at
    decoded = decode(data)
    told = Transcript()
    lines = [line.rstrip("\r") for line in decoded.text.split("\n")]
    marked = any(_SPEAKER.fullmatch(line.strip()) for line in lines)
    for line, speaker, words in _speeches(lines) if marked else speeches(lines, speakers(lines)[0]):
        told.say(line + 1, role_of(speaker), "\n".join(words), speaker=speaker)
    return with_sides(document(FORMAT.name, [told], decoded.problems))


def _speeches(lines: Sequence[str]) -> Iterator[tuple[int, str, list[str]]]:
    speaker, begun, words = "", 0, list[str]()
    for number, line in enumerate(lines):
        if match := _SPEAKER.fullmatch(line.strip()):
            if speaker:
                yield begun, speaker, words
            speaker, begun, words = match[1].strip(), number, []
        elif speaker:
            words.append(line)
    if speaker:
        yield begun, speaker, words


FORMAT = Format("risuai-text", "RisuAI chat as text, “--Name” or a name above what was said (.txt)", sniff, read)
