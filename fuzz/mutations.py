"""Changes to files that keep their form: to a value of JSON, a line of text, or what an image or a zip wraps.

All chance is in the ``random.Random`` given; ``below`` changes bytes as the fuzzer does. What cannot be understood is changed as
bytes.
"""

from __future__ import annotations

import copy
import json
import zipfile
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from random import Random
from typing import Any

import yaml
from card_files import chunk, international_chunk, packed_chunk, png, text_chunk, webp, zipped

Below = Callable[[bytes], bytes]

#: What readers stumble over: ends of number ranges, times that cannot be, halves of characters, marks of text within text.
SCALARS: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 1.5, 2**31, 2**53, 2**63, -(2**64), 10**40, 1e308, float("inf"), float("nan")),
    *("", " ", "\0", "\ud800", "a\udc00b", "\u200b", "\u202e", "\ufeff", "\u2028", "\r\n", "x" * 300, "字" * 70),
    *(
        "0001-01-01T00:00:00+23:59",
        "9999-12-31T23:59:59-23:59",
        "2024-02-30",
        "2023-4-21 @20h 02m 47s 124ms",
        "June 31, 2023 2:20pm",
    ),
    *(
        253402300800,
        -62135596801,
        1714651200,
        1714651200000,
        10**18,
        [],
        {},
        [[]],
        [None],
        {"": {}},
        [{}],
        "true",
        "null",
        "1e999",
    ),
)
TOKENS = (
    *(
        "\n",
        "\r\n",
        "\n\n",
        "\t",
        ": ",
        "：",
        "「",
        "」",
        "“",
        '"',
        "'",
        "\\",
        "/",
        "|",
        "(",
        ")",
        "（",
        "）",
        "[",
        "]",
        "{",
        "}",
        "<",
        ">",
    ),
    *(
        "{{user}}",
        "{{char}}",
        "{{random::a::b}}",
        "{{",
        "}}",
        "<BOT>",
        "<START>",
        "<think>",
        "</think>",
        "<details",
        "</details>",
    ),
    *("```", "`", "*", "**", "_", "~~", "---", "![](data:image/png;base64,AAAA)", "<img src=x>", "<!--", "-->", "<", "&lt;"),
    *(
        "Ada: ",
        "--Ada\n",
        "User: ",
        "@@depth 4\n",
        "@@@name x\n",
        "/a+/i",
        "(?=",
        ". ",
        "。",
        "；",
        ";",
        ",",
        "，",
        "- ",
        "1. ",
        "#",
    ),
    *(
        "2024-05-12 10:20:31 Ada(10001)\n",
        "消息对象:甲\n",
        "[2024-05-12 10:20] ",
        "\u200d",
        "👩‍👩‍👧",
        "é",
        "e\u0301",
        "İ",
        "ß",
        "ﬁ",
    ),
)
_ENCODINGS = ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "gb18030", "latin-1")
#: A piece that is repeated makes a text of about so many characters: what takes the square of it stands out.
_LONG = 20_000


@dataclass(frozen=True, slots=True)
class Change:
    """Where changes take their chance and their words from. ``words``: what the readers of a format look for."""

    random: Random
    words: Sequence[str]
    below: Below

    def lines(self, data: bytes) -> bytes:
        """A text with other lines, or with other words in one."""
        parts = data.decode("utf-8", "surrogateescape").split("\n")
        for _ in range(self.random.choice((1, 1, 2, 4))):
            self._change_lines(parts)
        return self._written("\n".join(parts))

    def json(self, data: bytes) -> bytes:
        """JSON, or JSON Lines, with other values."""
        try:
            values, by_line = [json.loads(data)], False
        except (ValueError, RecursionError):
            values, by_line = _values_of_lines(data), True
        if not values:
            return self.below(data)
        for _ in range(self.random.choice((1, 1, 1, 2, 3, 6))):
            self._change_within(values)
        return self._written(self._dumped(values, by_line))

    def yaml(self, data: bytes) -> bytes:
        """YAML with other values."""
        try:
            values = [yaml.load(data, Loader=yaml.CBaseLoader)]
            self._change_within(values)
            return self._written(yaml.dump(json.loads(json.dumps(values[0])), allow_unicode=self.random.random() < 0.5))
        except (yaml.YAMLError, ValueError, RecursionError):
            return self.lines(data)

    def png(self, data: bytes) -> bytes:
        """An image with another card in it, packed in one of the ways there are."""
        text = self.json(_in_png(data))
        body = self.random.choice((b64encode(text), b64encode(text).rstrip(b"="), text, self.below(b64encode(text))))
        keyword = self.random.choice((b"chara", b"ccv3", b"Chara", self.below(b"ccv3")))
        kinds: tuple[Callable[[], bytes], ...] = (
            lambda: text_chunk(keyword, body),
            lambda: packed_chunk(keyword, body),
            lambda: international_chunk(keyword, body, packed=True),
            lambda: international_chunk(keyword, body, packed=False),
            lambda: chunk(self.random.choice((b"tEXt", b"zTXt", b"iTXt")), self.below(keyword + b"\0" + body)),
        )
        made = [self.random.choice(kinds)() for _ in range(self.random.choice((1, 1, 1, 2)))]
        return png(before=made) if self.random.random() < 0.3 else png(after=made)

    def webp(self, data: bytes) -> bytes:
        """An image with another comment."""
        begin, end = data.find(b"{"), data.rfind(b"}") + 1
        text = self.json(data[begin:end] if 0 <= begin < end else b"{}")
        order = self.random.choice("<>")
        wide = text.decode("utf-8", "replace").encode("utf-16-le" if order == "<" else "utf-16-be")
        numbers = ",".join(map(str, text[:5000])).encode()
        packed = b64encode(text)
        comment = (b"ASCII\0\0\0" + text, bytes(8) + text, text, b"UNICODE\0" + wide, bytes(8) + numbers, bytes(8) + packed)
        return webp(self.random.choice(comment), order)

    def zip(self, data: bytes) -> bytes:
        """A zip with another member, name or way of packing."""
        members = _in_zip(data)
        name = self.random.choice(sorted(members) or ["card.json"])
        content = members.pop(name, b"{}")
        change = self.random.choice((self.json, self.json, self.json, self.lines, self.below))
        if self.random.random() < 0.2:
            name = self.random.choice((*self.words, "../a.txt", "/a.json", "C:\\a.txt", "空.txt", "d/", "a/../b.txt", name * 20))
        members[name] = change(content)
        prefix = self.random.choice((b"", b"", b"", b"\xff\xd8\xff\xe0picture", b"MZ"))
        ways = (zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2)
        return zipped(members, prefix=prefix, packed=self.random.choice(ways))

    # Values.

    def _change_within(self, values: list[Any]) -> None:
        held, key = self._place(values)
        self.random.choice((self._replace, self._replace, self._replace, self._rename, self._remove, self._repeat, self._wrap))(
            values, held, key
        )

    def _place(self, values: list[Any]) -> tuple[Any, Any]:
        """Some container within, and one of its keys."""
        held, key = values, self.random.randrange(len(values))
        while isinstance(held[key], (dict, list)) and held[key] and self.random.random() < 0.85:
            held = held[key]
            key = self.random.choice(list(held)) if isinstance(held, dict) else self.random.randrange(len(held))
        return held, key

    def _replace(self, values: list[Any], held: Any, key: Any) -> None:
        old = held[key]
        if isinstance(old, str) and self.random.random() < 0.6:
            held[key] = self._other_text(old)
        elif isinstance(old, (int, float)) and self.random.random() < 0.3:
            held[key] = self.random.choice((str(old), -old, old + 1, old * 1000, [old]))
        elif self.random.random() < 0.5:
            held[key] = copy.deepcopy(self.random.choice(SCALARS))
        else:
            other, place = self._place(values)
            held[key] = copy.deepcopy(other[place])

    def _rename(self, values: list[Any], held: Any, key: Any) -> None:
        del values
        if isinstance(held, dict):
            name = self.random.choice(self.words)
            held[name] = copy.deepcopy(held[key]) if self.random.random() < 0.5 else held.pop(key)

    def _remove(self, values: list[Any], held: Any, key: Any) -> None:
        if held is not values or len(values) > 1:
            del held[key]

    def _repeat(self, values: list[Any], held: Any, key: Any) -> None:
        del values
        times = self.random.choice((1, 1, 2, 5, 60))
        if len(json.dumps(held[key])) * times > _LONG:
            return
        if isinstance(held, list):
            held[key:key] = [copy.deepcopy(held[key]) for _ in range(times)]
        else:
            held |= {f"{key}{number}": copy.deepcopy(held[key]) for number in range(times)}

    def _wrap(self, values: list[Any], held: Any, key: Any) -> None:
        del values
        for _ in range(self.random.choice((1, 1, 1, 1, 1, 150))):
            held[key] = self.random.choice(([held[key]], {self.random.choice(self.words): held[key]}))

    def _dumped(self, values: list[Any], by_line: bool) -> str:
        indent = None if by_line else self.random.choice((None, None, 1))
        ascii_only = self.random.random() < 0.5
        return "\n".join(json.dumps(value, ensure_ascii=ascii_only, indent=indent) for value in values)

    # Texts.

    def _change_lines(self, parts: list[str]) -> None:
        place = self.random.randrange(len(parts))
        kind = self.random.random()
        if kind < 0.6:
            parts[place] = self._other_text(parts[place])
        elif kind < 0.75:
            parts.insert(self.random.randrange(len(parts) + 1), parts[place])
        elif kind < 0.9 and len(parts) > 1:
            del parts[place]
        else:
            other = self.random.randrange(len(parts))
            parts[place], parts[other] = parts[other], parts[place]

    def _other_text(self, text: str) -> str:
        place = self.random.randrange(len(text) + 1)
        kind = self.random.random()
        if kind < 0.45:
            return text[:place] + self._token() + text[place:]
        if kind < 0.47:
            piece = text[place : place + self.random.choice((1, 2, 5, 20))] or self._token()
            return text[:place] + piece * (_LONG // len(piece)) + text[place:]
        if kind < 0.5:
            return text[:place] + "".join(self._token() for _ in range(12)) + text[place:]
        if kind < 0.75:
            return self.below(text.encode("utf-8", "surrogatepass")).decode("utf-8", "replace")
        if kind < 0.9:
            return text[:place] + text[place + self.random.choice((1, 1, 3, 1000)) :]
        return self._token()

    def _token(self) -> str:
        return self.random.choice(self.words if self.random.random() < 0.4 else TOKENS)

    def _written(self, text: str) -> bytes:
        if self.random.random() < 0.05:
            return text.encode(self.random.choice(_ENCODINGS), "replace")
        try:
            return text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            return text.encode("utf-8", "surrogatepass")


def _values_of_lines(data: bytes) -> list[Any]:
    values = []
    for line in data.split(b"\n"):
        try:
            values.append(json.loads(line))
        except (ValueError, RecursionError):
            continue
    return values


def _in_png(data: bytes) -> bytes:
    """The card of an image; an empty one, where it cannot be found."""
    for kind in (b"tEXt", b"zTXt", b"iTXt"):
        begin = data.find(kind)
        if begin >= 4:
            body = data[begin + 4 : begin + 4 + int.from_bytes(data[begin - 4 : begin])].partition(b"\0")[2]
            try:
                text = zlib.decompress(body[1:]) if kind == b"zTXt" else body.rpartition(b"\0")[2]
                return text if text[:1] == b"{" else b64decode(text + b"==")
            except (zlib.error, ValueError):
                continue
    return b'{"name": "Ada", "description": "x", "first_mes": "y"}'


def _in_zip(data: bytes) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return {info.filename: archive.read(info) for info in archive.infolist() if info.file_size < 2**17}
    except Exception:  # noqa: BLE001 - a damaged zip, in any of the many ways in which this is said
        return {}
