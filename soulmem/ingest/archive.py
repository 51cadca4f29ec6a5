"""Exported messages: what ``soulmem export --messages`` writes, so that a mind can be made again with the lines it came from.

JSON Lines: a first line ``{"soulmem": "messages", "version": 1}``, then a line for each chat (``{"chat": {…}}``), for each
message (``{"message": {…}}``), for each card or lorebook that the mind was made from and keeps
(``{"kept": {"name": …, "value": …}}``), and for each picture of the card (``{"picture": {"id": …, "data": Base64}}``). Nothing
is derived from them again: the exported graph holds what was.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any

from soulmem.errors import FormatError
from soulmem.ingest.cards.payload import shortened
from soulmem.ingest.cards.pictures import Picture, as_text
from soulmem.ingest.contract import Document, Format, Problem
from soulmem.ingest.encodings import Text, head
from soulmem.ingest.json_places import preview
from soulmem.ingest.mapped import Data
from soulmem.ingest.times import iso, rfc3339
from soulmem.model.messages import Chat, Message, Role

VERSION = 1
_HEADER = {"soulmem": "messages", "version": VERSION}


def is_kept(name: str) -> bool:
    """Whether a recorded value of this name is a card or a lorebook that the mind was made from."""
    return name == "card" or name.startswith("lorebook:")


def archive_text(
    chats: Iterable[Chat],
    messages: Iterable[Message],
    kept: Mapping[str, Any] | None = None,
    pictures: Mapping[str, bytes] | None = None,
) -> str:
    """Chats and messages as text, in the order given, then what is ``kept`` (:func:`is_kept`) by name, and ``pictures`` by id;
    :func:`read` gives them back exactly."""
    lines: list[dict[str, Any]] = [_HEADER]
    lines += ({"chat": _plain(chat)} for chat in chats)
    lines += ({"message": _plain(message)} for message in messages)
    lines += ({"kept": {"name": name, "value": value}} for name, value in (kept or {}).items())
    lines += ({"picture": {"id": one, "data": b64encode(data).decode()}} for one, data in (pictures or {}).items())
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def _plain(value: Chat | Message) -> dict[str, Any]:
    plain = {field.name: getattr(value, field.name) for field in fields(value)}
    return {name: rfc3339(item) if isinstance(item, datetime) else item for name, item in plain.items()}


def sniff(data: bytes) -> float:
    """Certain when the first line says so."""
    return 1.0 if head(data).lstrip().startswith('{"soulmem": "messages"') else 0.0


def read(data: Data, at: datetime) -> Document:
    """The chats and messages of an exported file.

    :raises FormatError: not such a file, or of a newer version.
    """
    text = Text(data, json=True)
    lines = text.lines()
    _check_header(next(lines)[1])
    chats: list[Chat] = []
    messages: list[Message] = []
    kept: dict[str, Any] = {}
    pictures: dict[str, str] = {}
    problems: list[Problem] = []
    number = 0
    for place, line in lines:
        if not line.strip():
            continue
        number += 1
        try:
            item = json.loads(line)
            if "kept" in item:
                name, value = _kept(item["kept"])
                kept[name] = value
                number -= 1  # neither a chat nor a message
            elif "picture" in item:
                pictures |= _picture(item["picture"])
                number -= 1
            elif "chat" in item:
                chats.append(Chat(**_typed(item["chat"], Chat)))
            else:
                messages.append(Message(**_typed(item["message"], Message)))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            problems.append(Problem(place, f"not an exported chat or message ({type(error).__name__}); skipped"))
    return Document(
        format=FORMAT.name,
        read=number,
        chats=tuple(chats),
        archived=tuple(messages),
        problems=(*text.problems, *problems),
        kept=kept,
        pictures=pictures,
    )


def _picture(item: Mapping[str, Any]) -> dict[str, str]:
    """Id and text of a picture; one that is not what its id says raises."""
    picture = Picture("", b64decode(item["data"], validate=True))
    if picture.id != item["id"]:
        raise ValueError("picture")
    return {picture.id: as_text(picture.data)}


def _kept(item: Mapping[str, Any]) -> tuple[str, Any]:
    """The name and the value of what is kept; another name, or a value that is no object, raises."""
    name, value = item["name"], item["value"]
    if not isinstance(name, str) or not is_kept(name) or not isinstance(value, dict):
        raise TypeError("kept")
    kept, _ = shortened(value)
    return name, kept


def _check_header(line: str) -> None:
    try:
        header = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise FormatError("the first line does not say that these are exported messages", place=":1") from error
    if not isinstance(header, dict) or header.get("soulmem") != "messages":
        raise FormatError("the first line does not say that these are exported messages", place=":1")
    version = header.get("version", VERSION)
    if type(version) is not int or version < 1:
        what = f"the version of exported messages is a number from 1 on, not {preview(version)}"
        raise FormatError(what, place=":1", advice=f"This soulmem writes {VERSION}.")
    if version > VERSION:
        raise FormatError(f"exported by a newer soulmem (version {version})", advice="Upgrade soulmem.")


_TIMES = {"sent_at", "ingested_at"}
_LISTS = {"present", "kept_from"}
_NUMBERS = {"index", "line", "session", "messages"}


def _typed(item: Mapping[str, Any], kind: type[Chat] | type[Message]) -> dict[str, Any]:
    """The fields of ``kind`` with the right types; another type raises."""
    names = {field.name for field in fields(kind)}
    return {name: _value(name, value) for name, value in item.items() if name in names}


def _value(name: str, value: Any) -> Any:
    if name in _TIMES:
        return None if value is None and name == "sent_at" else iso(value)
    if name in _LISTS:
        return _texts(name, value)
    if name == "role":
        return Role(value)
    wanted: type = int if name in _NUMBERS else bool if name == "hidden" else str
    if type(value) is not wanted:
        raise TypeError(name)
    return value


def _texts(name: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise TypeError(name)
    return tuple(value)


FORMAT = Format("soulmem-messages", "messages exported by soulmem (.messages.jsonl)", sniff, read, stream=read)
