"""What holds of every document, whatever its file was: the laws that tests of damage and fuzzing ask of each reader."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime, timedelta
from math import isfinite

from soulmem.errors import FormatError
from soulmem.ingest import FORMATS, Document, detect, read
from soulmem.ingest.contract import CARD
from soulmem.ingest.encodings import decode

AT = datetime(2026, 1, 1, tzinfo=UTC)
#: Every format, and nothing, which has it detected.
NAMES: tuple[str | None, ...] = (None, *(format_.name for format_ in FORMATS))
# Images and zips have no lines; what a card or an interview says is numbered instead.
_WITHOUT_LINES = ("card-", "interview")


def outcome(data: bytes, name: str | None) -> Document | None:
    """What is read of ``data``, of which all laws hold; ``None`` where it is refused, with what is wrong."""
    try:
        document = read(data, AT, name)
    except FormatError as refused:
        check_refusal(refused)
        return None
    check(document, data)
    assert name is None or document.format == name
    return document


def check_refusal(refused: FormatError) -> None:
    """A refusal says in one line what is wrong, and a terminal can show it."""
    assert refused.what and "\n" not in refused.what
    str(refused).encode("utf-8")


def check(document: Document, data: bytes) -> None:
    """The laws of a document that was read of ``data``."""
    check_counts(document)
    check_places(document, data)
    check_texts(document)
    check_values(document)
    check_ends(document)


def check_counts(document: Document) -> None:
    """Nothing is lost unsaid: what was read is what was taken, and a problem for what was skipped."""
    said = [line for _, part in document.parts for line in part.messages]
    skipped = sum(problem.skipped for problem in document.problems)
    taken = len(said) + len(document.notes) + len(document.links) + len(document.chats) + len(document.archived)
    assert document.read >= taken + skipped
    if document.notes:
        assert document.read == taken + skipped
    for _, part in document.parts:
        indices = [line.index for line in part.messages]
        assert indices == sorted(set(indices))
        assert all(0 <= index < part.read for index in indices)
    assert len({name for name, _ in document.parts}) == len(document.parts)


def check_places(document: Document, data: bytes) -> None:
    """Lines are those of the file."""
    said = [line for _, part in document.parts for line in part.messages]
    lines = [line.line for line in said]
    lines += [held.line for held in (*document.links, *document.problems, *document.supersedes) if held.line is not None]
    assert all(line >= 1 for line in lines)
    if lines and not document.format.startswith(_WITHOUT_LINES):
        assert max(lines) <= decode(data).text.count("\n") + 1


def check_texts(document: Document) -> None:
    """A store can hold every text, and a terminal show every problem on a line of its own."""
    for text in texts(document):
        assert "\0" not in text
        text.encode("utf-8")
    for problem in document.problems:
        assert problem.what and "\n" not in problem.what
        problem.what.encode("utf-8")
    json.dumps(dict(document.kept), ensure_ascii=False).encode("utf-8")


def texts(document: Document) -> Iterator[str]:
    """All that is said, by whom, and all that is kept."""
    for line in (line for _, part in document.parts for line in part.messages):
        assert line.text and line.speaker and "\n" not in line.speaker
        yield line.text
        yield line.speaker
    for name in (document.user_name, document.character_name, *(name for name, _ in document.parts)):
        assert "\n" not in (name or "")
        yield name or ""
    everything = (document.notes, document.links, document.supersedes, document.chats, document.archived, document.kept)
    yield from (value for value in held(everything) if isinstance(value, str))


def held(value: object) -> Iterator[object]:
    """All texts, numbers, moments and the like within a value."""
    if is_dataclass(value):
        for field in fields(value):
            yield from held(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from held(name)
            yield from held(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from held(inner)
    else:
        yield value


def check_values(document: Document) -> None:
    """Numbers are finite, and moments in UTC."""
    said = tuple(part.messages for _, part in document.parts)
    for value in held((said, document.notes, document.links, document.supersedes, document.chats, document.archived)):
        assert not isinstance(value, float) or isfinite(value)
        assert not isinstance(value, datetime) or value.utcoffset() == timedelta(0)


def check_ends(document: Document) -> None:
    """Names are unique, and what a note was drawn from is there."""
    keys = {note.key for note in document.notes}
    assert len(keys) == len({note.id for note in document.notes}) == len(document.notes)
    indices = {line.index for line in document.messages}
    assert set(document.drawn) <= keys and {index for held in document.drawn.values() for index in held} <= indices
    assert len({link.id for link in document.links if link.id}) == sum(link.id is not None for link in document.links)
    if document.format.startswith(CARD):
        assert [line.index for line in document.messages] == list(range(len(document.messages)))
        assert all(line.hidden for line in document.messages)


def check_again(data: bytes, name: str) -> None:
    """Read again, and read by way of a stream where there is one, a file gives the same; detected, it is of a known format."""
    format_ = next(format_ for format_ in FORMATS if format_.name == name)
    assert _given(format_.read, data) == _given(format_.stream or format_.read, data)
    try:
        assert detect(data) in FORMATS
    except FormatError as refused:
        check_refusal(refused)


def _given(reader: object, data: bytes) -> object:
    assert callable(reader)
    try:
        return reader(data, AT)
    except FormatError as refused:
        return str(refused)


def is_sampled(data: bytes, one_in: int) -> bool:
    """Whether ``data`` is among the part of all files of which the dearer laws are asked; always the same answer for a file."""
    return zlib.crc32(data) % one_in == 0
