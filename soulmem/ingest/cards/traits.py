"""A description as single statements: attribute lists (W++, plists, ``Key: value`` lines, headings) and prose, by sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from soulmem.text.language import HAN, HANGUL, KANA

#: A statement is at most so long, in characters; longer ones are cut between sentences, clauses or words.
MOST_LENGTH = 500
# A sentence shorter than this is kept with the one before it; a Chinese character says as much as three letters.
_SHORT = 12
_HAN = re.compile(f"[{HAN}{KANA}{HANGUL}]")

_Q = '["“”„＂]'
_WITHIN = '[^"“”„＂]*'
_WPP = re.compile(rf"([^\W\d_][\w '’/&-]{{0,40}}?)\s*\(\s*({_Q}{_WITHIN}{_Q}(?:\s*[+,]\s*{_Q}{_WITHIN}{_Q})*)\s*\)")
_VALUE = re.compile(f"{_Q}({_WITHIN}){_Q}")
_QUOTES = re.compile(_Q)
_WPP_HEAD = {"character", "char", "person", "npc", "角色"}
_PAIR = re.compile(r"([^\W\d_][^\n:：=\[\](){}\"“”.。!?！？,，;；]{0,40}?)\s*(?:=\s*\[?|[:：](?!//))\s*(.+)", re.DOTALL)
_LIST_ITEM = re.compile(r"([^\W\d_][\w '’/&-]{0,40}?)\s*\(([^()]{1,2000})\)")
# Possessive (\s*+): white space is never given back, or a long run of it would be divided in all ways there are.
_HEADING = re.compile(r"(?:#{1,6}|\*\*|【|<)\s*+([^#*\n【】<>]{1,40}?)(?:\*\*|】|>)?\s*+(?:[:：]\s*+)?\Z")
_CLOSING_TAG = re.compile(r"</[^<>\n]{1,40}>")
_BULLET = re.compile(r"\A\s*(?:[-*•·–—+]|\d{1,3}[.)、])\s+")
_ENDS = re.compile(
    r"(?<=[.!?…])[\"”’')*\]]*\s+(?=[\"“‘(*\[A-ZÀ-Þ\d{])|(?<=[。！？!?…])[”」』）)\"*]*(?=[^\s.。！？!?…”」』）)\"*])"
    r"|(?<=[。！？])[”」』）)\"*]*\s+(?=[^\s.。！？!?…”」』）)\"*])"
)
_ABBREVIATION = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|St|Prof|Jr|Sr|vs|etc|No|approx|e\.g|i\.e)|\b[A-Z])\.\Z")
_CLAUSES = re.compile(r"(?<=[;；,，、])\s*")
_EMPTY = re.compile(r"[\W_]*\Z")
_JUNK = " \t\n[]{}+,;，；|/\\"


@dataclass(frozen=True, slots=True)
class Trait:
    """One statement. ``attribute``: what it is about (*appearance*), empty in prose."""

    attribute: str
    text: str


def is_heading(line: str) -> bool:
    """Whether a line of a text is a heading: ``## Words``, ``**Words**``, ``【外貌】``."""
    return _HEADING.match(line.strip()) is not None


def traits(text: str) -> tuple[Trait, ...]:
    """The statements of ``text``, each once, in order."""
    found: dict[Trait, None] = {}
    for part in _parts(text):
        for trait in part:
            if not _EMPTY.match(trait.text):
                found.setdefault(trait)
    return tuple(found)


def _parts(text: str) -> Iterator[Iterator[Trait]]:
    pairs = list(_WPP.finditer(text))
    if pairs:
        yield from (_of_pair(match[1], _VALUE.findall(match[2])) for match in pairs)
        text = _WPP.sub(" ", text)
    heading, passing, used = "", False, False
    for line in _lines(text):
        bare = line.strip()
        if match := _HEADING.match(bare):
            heading, passing, used = match[1].strip(), not bare.startswith("#"), False
        elif bare:
            used = True
            yield _of_line(bare, heading)
        elif passing and used:  # what stands under **Words** ends with its paragraph, a section does not
            heading = ""


def _lines(text: str) -> Iterator[str]:
    """Lines; a list in brackets over several of them is one."""
    for line in _joined(_CLOSING_TAG.sub("", text)):
        bare = line.strip()
        if bare[:1] == "[" and bare[-1:] == "]":
            yield from _bracketed(bare[1:-1])
        elif bare.strip(_JUNK) or not bare:
            yield line


# A list in brackets, at the beginning of a line or behind what it says something of.
_OPEN = re.compile(r"(?:^[^\S\n]*|[=:：][^\S\n]*)\[[^\[\]]{0,4000}\]", re.MULTILINE)


# A list in brackets behind a sentence of the same line.
_INLINE = re.compile(r"(?<=[^\s=:：(\[])[^\S\n]*(\[[^\[\]\n]{0,4000}\])[^\S\n]*(?P<more>(?=\S))?")


def _joined(text: str) -> Iterator[str]:
    joined = _OPEN.sub(lambda match: " ".join(match[0].split()), text)
    yield from _INLINE.sub(_on_its_own_line, joined).split("\n")


def _on_its_own_line(match: re.Match[str]) -> str:
    after = "\n" if match["more"] is not None else ""
    return f"\n{match[1]}{after}" if len(_items(match[1][1:-1])) > 1 else match[0]


def _items(text: str) -> list[str]:
    """The items of ``a: …; b: …``; none where most are no pairs."""
    items = [item for item in re.split(r"[;；]", text) if item.strip()]
    return items if sum(_PAIR.fullmatch(item.strip()) is not None for item in items) * 2 >= len(items) else []


def _bracketed(text: str) -> Iterator[str]:
    """The items of ``a: …; b: …``, or the one text in brackets."""
    items = _items(text)
    if len(items) > 1:
        yield from items
    else:
        yield text


def _of_pair(name: str, values: list[str]) -> Iterator[Trait]:
    yield from _cut(name.strip(), ", ".join(value.strip() for value in values if value.strip()))


def _of_line(line: str, heading: str) -> Iterator[Trait]:
    bare = _BULLET.sub("", line, count=1).strip()
    unmarked = bare.replace("**", "")
    if items := _listed(unmarked):
        for name, value in items:
            yield from _cut(name, value)
    elif (pair := _PAIR.fullmatch(unmarked)) and _is_key(pair[1]):
        yield from _cut(pair[1].strip(), _unquoted(pair[2]).strip(_JUNK))
    else:
        yield from _sentences(bare.strip(_JUNK), heading)


def _listed(line: str) -> list[tuple[str, str]]:
    """``Appearance(tall, blue hair), Likes(tea)``, where the line is little else."""
    found = [(match[1].strip(), _unquoted(match[2])) for match in _LIST_ITEM.finditer(line)]
    return found if len(found) > 1 and len(_LIST_ITEM.sub("", line).strip(_JUNK)) < len(line) // 4 else []


def _unquoted(value: str) -> str:
    """A list of quoted values without the quotation marks; other text keeps its own."""
    value = value.strip()
    return _QUOTES.sub("", value) if _QUOTES.match(value) else value


#: What ends so says something: *Piet says: “…”*.
_SAYS = re.compile(
    r"(?:[^小]说|讲|喊|念叨|告诉[^，,:：]{0,6})\Z|\b(?:says?|said|shouts?|shouted|answers?|answered|repl(?:y|ies|ied)|asks?|asked)\Z",
    re.I,
)


def _is_key(name: str) -> bool:
    return len(name.split()) <= 5 and _SAYS.search(name) is None


def _sentences(text: str, heading: str) -> Iterator[Trait]:
    for sentence in sentences(text):
        yield Trait(heading, sentence)


def _cut(name: str, value: str) -> Iterator[Trait]:
    for part in [value] if len(value) <= MOST_LENGTH else sentences(value):
        yield Trait(name, part)


def sentences(text: str) -> list[str]:
    """The sentences of ``text``, none longer than :data:`MOST_LENGTH`; very short ones stay with the one before."""
    found: list[str] = []
    begin = 0
    for match in _ENDS.finditer(text):
        piece = text[begin : match.end()].strip()
        if _ABBREVIATION.search(text[max(begin, match.start() - 8) : match.start()]):
            continue
        begin = match.end()
        _add(found, piece)
    _add(found, text[begin:].strip())
    return [part for sentence in found for part in _short(sentence)]


def _add(found: list[str], piece: str) -> None:
    if found and len(piece) + 2 * len(_HAN.findall(piece)) < _SHORT and len(found[-1]) < MOST_LENGTH // 2:
        found[-1] = f"{found[-1]} {piece}".strip()
    elif piece:
        found.append(piece)


def _short(sentence: str) -> Iterator[str]:
    if len(sentence) <= MOST_LENGTH:
        yield sentence
        return
    part = ""
    for clause in _CLAUSES.split(sentence):
        if part and len(part) + len(clause) > MOST_LENGTH:
            yield part.strip()
            part = ""
        part = f"{part} {clause}" if part else clause
        while len(part) > MOST_LENGTH:
            cut = part.rfind(" ", MOST_LENGTH // 2, MOST_LENGTH)
            cut = cut if cut > 0 else MOST_LENGTH
            yield part[:cut].strip()
            part = part[cut:]
    if part.strip():
        yield part.strip()


def full_names(found: Sequence[Trait]) -> tuple[str, ...]:
    """Names of the character that an attribute list states: ``character("Anabele Lebeau")``, ``Name: …``."""
    names = [trait.text for trait in found if trait.attribute.casefold() in _NAMES]
    return tuple(dict.fromkeys(name for name in names if 0 < len(name) <= 60 and not re.search(r"[.!?。！？\n]", name)))


_NAMES = _WPP_HEAD | {"name", "full name", "nickname", "nicknames", "alias", "aliases", "姓名", "名字", "全名", "昵称", "别名"}


def is_name(attribute: str) -> bool:
    """Whether an attribute states a name rather than a trait."""
    return attribute.casefold() in _NAMES
