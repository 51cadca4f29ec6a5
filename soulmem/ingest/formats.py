"""The table of formats. A new one is a module with a :class:`Format` and a line here."""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePath

from soulmem.embed.texts import plain_text
from soulmem.errors import FormatError
from soulmem.ingest import (
    agnai,
    archive,
    byaf,
    character_ai,
    chatgpt,
    claude_ai,
    discord,
    gemini,
    graph_json,
    interview,
    kinlog,
    kobold,
    ooba,
    open_webui,
    openai_messages,
    personas,
    qq,
    qq_text,
    risuai,
    risuai_text,
    script,
    sharegpt,
    sillytavern,
    tables,
    telegram,
    whatsapp,
)
from soulmem.ingest.cards import charx, json_file, png, webp, yaml_file
from soulmem.ingest.contract import Document, Format
from soulmem.ingest.encodings import HEAD_BYTES, head, recoded
from soulmem.ingest.json_places import BrokenJSONError, first_names, parse
from soulmem.ingest.lorebooks import reader as lorebook
from soulmem.ingest.mapped import Data

#: Files beyond this are refused before anything of them is read, bytes.
MAX_FILE_BYTES = 500 * 2**20

#: Every format that can be read, in the order they are listed for people.
FORMATS: tuple[Format, ...] = (
    archive.FORMAT,
    graph_json.FORMAT,
    interview.FORMAT,
    json_file.FORMAT,
    png.FORMAT,
    webp.FORMAT,
    charx.FORMAT,
    yaml_file.FORMAT,
    lorebook.FORMAT,
    personas.FORMAT,
    sillytavern.FORMAT,
    risuai.FORMAT,
    risuai_text.FORMAT,
    ooba.FORMAT,
    agnai.FORMAT,
    byaf.FORMAT,
    kobold.FORMAT,
    kinlog.FORMAT,
    character_ai.FORMAT,
    chatgpt.FORMAT,
    claude_ai.FORMAT,
    gemini.FORMAT,
    open_webui.FORMAT,
    sharegpt.FORMAT,
    openai_messages.FORMAT,
    qq.FORMAT,
    qq_text.FORMAT,
    whatsapp.FORMAT,
    telegram.FORMAT,
    discord.FORMAT,
    tables.FORMAT,
    script.FORMAT,
)

# A format that is less sure than this has not recognised the file.
_SURE_ENOUGH = 0.3
# So many members of a group are told by name.
_TOLD = 10

_MAGIC = (
    (b"\x89PNG", "a PNG image without a character card in it"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"RIFF", "a WEBP image without a character card in it, or another RIFF file"),
    (b"GIF8", "a GIF image"),
    (b"PK\x03\x04", "a ZIP archive without a card.json in it"),
    (b"%PDF", "a PDF document"),
    (b"SQLite format 3", "a SQLite database"),
    (b"KUZU", "a Kùzu database (perhaps a mind: open it with --mind)"),
    (b"\x1f\x8b", "a gzip archive"),
)


_SUPPORTED = "What can be read is listed by: soulmem ingest --help."


def detect(data: Data) -> Format:
    """The format of a file, by its content.

    :raises FormatError: none is recognised; says what the file looks like and what can be read."""
    _check_size(data)
    found = _recognised(data)
    if found is None:
        raise FormatError(f"not a format that can be read: this looks like {_appearance(_start(data))}", advice=_SUPPORTED)
    return found


def unrecognised(data: Data, encoding: str | None = None) -> str | None:
    """What a file that is of no format which can be read looks like; ``None`` for one that can be read, or is not in the
    ``encoding`` that was named."""
    try:
        data = _recoded(data, encoding)
    except FormatError:
        return None
    return _appearance(_start(data)) if _recognised(data) is None else None


def _start(data: Data) -> bytes:
    """What a format is told by: the start of the file, and whether there is more."""
    return bytes(data[: HEAD_BYTES + 1])


def _recognised(data: Data) -> Format | None:
    start = _start(data)
    sureness, _, found = max(
        (format_.sniff(data if format_.whole else start), -place, format_) for place, format_ in enumerate(FORMATS)
    )
    return found if sureness >= _SURE_ENOUGH else None


def read(data: Data, at: datetime, format: str | None = None, encoding: str | None = None) -> Document:
    """What the file holds. ``at``: the time of the import. ``format``: the name of its format, and ``encoding``: that of
    its text, where it is neither UTF-8 nor marked; detected if not given.

    :raises FormatError: no such format or encoding, or the file cannot be read as it."""
    _check_size(data)
    data = _recoded(data, encoding)
    found = detect(data) if format is None else _named(format)
    return found.stream(data, at) if found.stream else found.read(bytes(data), at)


def _recoded(data: Data, encoding: str | None) -> Data:
    """``data`` in UTF-8, if it is text in ``encoding``; pictures and zips, and text that is UTF-8 or marked, as they are."""
    if encoding is None or any(_start(data).startswith(magic) for magic, _ in _MAGIC):
        return data
    return recoded(bytes(data), encoding)


def _named(name: str) -> Format:
    for format_ in FORMATS:
        if format_.name == name:
            return format_
    raise FormatError(f"there is no format named {name!r}", advice=_SUPPORTED)


def _check_size(data: Data) -> None:
    if len(data) > MAX_FILE_BYTES:
        raise FormatError(
            f"the file has {len(data) / 2**20:.0f} MB, more than the {MAX_FILE_BYTES // 2**20} MB that are read at once",
            advice="Split it, and read the parts one after another.",
        )


def _appearance(data: bytes) -> str:
    if not data.strip(b"\0 \t\r\n\xef\xbb\xbf"):
        return "an empty file"
    for magic, name in _MAGIC:
        if data.startswith(magic):
            return name
    if b"\0" in data[:1024] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "a binary file"
    return " ".join(plain_text(_text_appearance(head(data))).split())


def _text_appearance(text: str) -> str:
    opening, names = first_names(text)
    if names:
        if "activation_strategy" in names:
            return _group_appearance(text)
        kind = _JSON_KINDS.get(next((name for name in names if name in _JSON_KINDS), ""), "JSON")
        shown = ", ".join(name[:30] for name in names[:6])
        return f"{kind}, {'an array of objects' if opening == '[' else 'an object'} with {shown}"
    if opening in ("[", "{"):
        return "JSON, or something that begins like it"
    if text.lstrip()[:1] == "<":
        return "HTML or XML"
    return "plain text without speakers (a line of a script is “Name: text”)"


def _group_appearance(text: str) -> str:
    """A group of SillyTavern, by its name and members: files of pictures, which are called as the characters are."""
    try:
        group = parse(text.strip())
    except BrokenJSONError:
        group = {}
    members = group.get("members")
    names = [PurePath(name).stem for name in members if isinstance(name, str)] if isinstance(members, list) else []
    named = f" “{group['name'][:60]}”" if isinstance(group.get("name"), str) else ""
    among = f" of {', '.join(names[:_TOLD])}{'…' if len(names) > _TOLD else ''}" if names else ""
    return f"a SillyTavern group{named}{among}, whose chats lie in “group chats”"


_JSON_KINDS = {
    "spec": "a character card or lorebook",
    "first_mes": "a character card",
    "char_name": "a character card",
    "entries": "a lorebook",
    "test_cases": "an evaluation file",
    "graph_path": "an evaluation file",
    "questions": "an evidence file",
    "conversation": "a dialogue file",
    "conversations": "a dialogue file",
}
