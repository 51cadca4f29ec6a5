"""What is fuzzed: every reader, how formats are told apart, zips as folders, encodings, and patterns of lorebooks."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from types import CodeType, ModuleType

import laws
from chat_files import FORMAT_OF
from mutations import Change
from seeds import SEEDS, ZIPS

from soulmem.errors import FormatError
from soulmem.ingest import FORMATS, detect, encodings, formats, graph_nodes, script, zips
from soulmem.ingest.cards import card
from soulmem.ingest.lorebooks import entry, keys

Run = Callable[[bytes], None]

_FORMS: dict[str, Callable[[Change, bytes], bytes]] = {
    "card-png": Change.png,
    "card-webp": Change.webp,
    "card-zip": Change.zip,
    "card-yaml": Change.yaml,
    "csv": Change.lines,
    "kinlog": Change.lines,
    "qq-text": Change.lines,
    "risuai-text": Change.lines,
    "script": Change.lines,
    "whatsapp": Change.lines,
}
#: Readers that look at much the same fields share the words of these modules.
_ALSO: dict[str, ModuleType] = {"graph-json": graph_nodes, "lorebook": entry}


@dataclass(frozen=True, slots=True)
class Target:
    """Something that takes any bytes. ``run`` raises where a law is broken; ``change`` alters a file and keeps its form."""

    name: str
    run: Run
    seeds: tuple[bytes, ...]
    change: Callable[[Change, bytes], bytes]
    words: tuple[str, ...]


def _reader(name: str, data: bytes) -> None:
    laws.outcome(data, name)
    if laws.is_sampled(data, 8):
        laws.check_again(data, name)


def _detection(data: bytes) -> None:
    try:
        found = detect(data)
    except FormatError as refused:
        laws.check_refusal(refused)
        assert formats.unrecognised(data) is not None
    else:
        assert found in FORMATS and formats.unrecognised(data) is None
    laws.outcome(data, None)


def _encodings(data: bytes) -> None:
    assert "\r" not in encodings.head(b"\n")
    encodings.head(data)
    for decoder in (encodings.decode, encodings.decode_json):
        try:
            decoded = decoder(data)
        except FormatError as refused:
            laws.check_refusal(refused)
            continue
        assert "\0" not in decoded.text
        decoded.text.encode("utf-8")
        lines = decoded.text.count("\n") + 1
        assert all(problem.line is None or 1 <= problem.line <= lines for problem in decoded.problems)


def _zip(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    if not zips.is_zip(path):
        return
    try:
        members = list(zips.members(path))
    except FormatError as refused:
        laws.check_refusal(refused)
        return
    assert len({member.name for member in members}) == len(members)
    for member in members:
        assert member.refused is None or not member.data
        f"{member.name}{member.refused}".encode()
        laws.outcome(member.data, None)


def _pattern(data: bytes) -> None:
    key = data.decode("utf-8", "replace")
    budget = keys.Budget()
    keys.literal_names(key)
    if keys.is_pattern(key, use_regex=True):
        pattern = keys.checked(key, budget)
        if isinstance(pattern, keys.Pattern):
            pattern.is_in(key * 3, budget)
            pattern.is_in("She walked to the old lighthouse, 灯塔. " * 20, budget)


def _words(*modules: ModuleType, seeds: tuple[bytes, ...] = ()) -> tuple[str, ...]:
    """The short texts that stand in modules, and the names of members in ``seeds``: what a reader looks for."""
    found: dict[str, None] = {}
    for module in modules:
        code = module.__loader__.get_code(module.__name__)  # type: ignore[union-attr]
        found |= dict.fromkeys(text for text in _constants(code) if 0 < len(text) <= 30 and text.isprintable())
    for seed in seeds:
        found |= dict.fromkeys(text.decode("utf-8", "replace") for text in seed.split(b'"')[1::2] if 0 < len(text) <= 30)
    return tuple(found) or ("name",)


def _constants(code: CodeType) -> Iterator[str]:
    for constant in code.co_consts:
        if isinstance(constant, str):
            yield constant
        elif isinstance(constant, (tuple, frozenset)):
            yield from (held for held in constant if isinstance(held, str))
        elif isinstance(constant, CodeType):
            yield from _constants(constant)


def _targets() -> Iterator[Target]:
    for format_ in sorted(FORMATS, key=lambda one: one.name not in FORMAT_OF.values()):
        module = sys.modules[format_.read.__module__]
        also = _ALSO.get(format_.name, card if format_.name.startswith("card-") else module)
        seeds = SEEDS[format_.name]
        form = _FORMS.get(format_.name, Change.json)
        yield Target(format_.name, partial(_reader, format_.name), seeds, form, _words(module, also, seeds=seeds))
    every = tuple(seed for seeds in SEEDS.values() for seed in seeds)
    yield Target("detection", _detection, every, Change.lines, _words(formats, script, seeds=every))
    path = Path(mkdtemp()) / "x.zip"
    yield Target("zip", partial(_zip, path), ZIPS, Change.zip, ("a.txt", "b.json", "c.png", ".d.txt", "__MACOSX/a.txt"))
    texts = tuple(seed.decode().encode(name) for seed in SEEDS["qq-text"] for name in ("utf-8", "utf-8-sig", "utf-16", "gb18030"))
    yield Target(
        "encodings", _encodings, (*texts, json.dumps("\ud800\0").encode()), Change.lines, ("\\ud83d", "\\u0000", "\ufffd")
    )
    patterns = (
        b"/gull(s)?/i",
        rb"/\b(wood|forest)\b/gi",
        rb"/(?<a>x)\k<a>/u",
        b"/(a+)+$/",
        b"(a|b){2,5}[^c]",
        rb"/\p{L}\u{1F600}/u",
    )
    tokens = (
        "(?<a>",
        "\\k<a>",
        "(?=",
        "(?!",
        "(?<=",
        "{2,50}",
        "\\p{L}",
        "\\b",
        "[^",
        "(?i:",
        "(?R)",
        "(?|",
        "{e<3}",
        "*+",
        "(?>",
    )
    yield Target("patterns", _pattern, patterns, Change.lines, tokens)


#: Everything that can be fuzzed, by name: chats first, then what else a mind is made from.
TARGETS: dict[str, Target] = {target.name: target for target in _targets()}
