"""Who speaks of whom: a question about a speaker, put as that speaker would put it."""

from __future__ import annotations

import re
from collections.abc import Collection

from soulmem.text.language import HAN

_HAN = re.compile(f"[{HAN}]")


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
