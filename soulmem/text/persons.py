"""Who speaks of whom: a question about a speaker, put as that speaker would put it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from enum import StrEnum

from soulmem.text.language import HAN

_HAN = re.compile(f"[{HAN}]")


class Person(StrEnum):
    """Who is spoken of: the one who asks, or the one who is asked."""

    FIRST = "first"
    SECOND = "second"


#: How a question begins that is about something else than who is asked to remember or to tell it.
_OPENING = re.compile(
    r"(?:^|[.!?,]\s)\W*(?:(?:do|did|can|could|would|will)\s+you\s+(?:still\s+|please\s+)*(?:remember|know|recall|tell|remind|say)\b"
    r"|(?:tell|remind|show)\s+me\b)(?:\s+me\b)?"
    r"|[你您](?:还|能不能|能|可以|可不可以)*(?:记不记得|知不知道|记得|记着|知道|告诉我|提醒我|说说|讲讲)"
    r"|(?:告诉|提醒)我|[跟和]我(?:说说|讲讲)",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"\b(?P<first>I|me|my|mine|myself)\b|\b(?P<second>you|your|yours|yourself)\b|(?P<wo>我)(?!们)|(?P<ni>[你您])(?!们)",
    re.IGNORECASE,
)
#: What the one who is asked would say in place of what the asker says.
_TURNED = {
    "i": "you",
    "me": "you",
    "my": "your",
    "mine": "yours",
    "myself": "yourself",
    "you": "I",
    "your": "my",
    "yours": "mine",
    "yourself": "myself",
    "我": "你",
    "你": "我",
    "您": "我",
}

_POSSESSIVE = frozenset({"my", "mine", "your", "yours"})


def spoken_of(text: str) -> Person | None:
    """Whom a question is about, told by its first pronoun; ``None`` without one.

    ``Do you remember …``, ``Tell me …``, 你还记得… say who shall answer, not whom it is about, and do not count.
    """
    match = _PRONOUN.search(_OPENING.sub(" ", text))
    if match is None:
        return None
    return Person.FIRST if match["first"] or match["wo"] else Person.SECOND


def turned(text: str) -> str:
    """``text`` as the other of two would say it: *I* for *you* and 我 for 你, and the other way round."""
    return _PRONOUN.sub(lambda match: _TURNED[match[0].casefold()], text)


def in_first_person(text: str, names: Collection[str]) -> str:
    """``text`` with *I* and *my*, or 我, where one of ``names`` (normal forms of one person's names) stands.

    What people say of themselves they say in the first person, so a line of Melanie's resembles "what did I paint?" more than
    "what did Melanie paint?". A name inside a longer word of a spaced script stays.
    """
    if not names:
        return text
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    any_name = "|".join(r"\s+".join(map(re.escape, name.split())) for name in longest_first)
    pattern = re.compile(rf"(?<![^\W{HAN}])(?:{any_name})(['’]s)?(?![^\W{HAN}])", re.IGNORECASE)
    if _HAN.search(pattern.sub("", text)):
        return pattern.sub("我", text)
    return pattern.sub(lambda match: "my" if match[1] else "I", text)


def by_name(text: str, names: Mapping[Person, str]) -> str:
    """``text`` with the names of the two who talk where it says *I* or *you*, 我 or 你: what a note says of them it says by name.

    Of whom no name is given the pronouns stay, and so do those of ``Do you remember …`` and 你还记得…, which mean nobody.
    """
    openings = [match.span() for match in _OPENING.finditer(text)]

    def named(match: re.Match[str]) -> str:
        name = names.get(Person.FIRST if match["first"] or match["wo"] else Person.SECOND)
        if name is None or any(begin <= match.start() < end for begin, end in openings):
            return match[0]
        return f"{name}'s" if match[0].casefold() in _POSSESSIVE else name

    return _PRONOUN.sub(named, text)
