"""Whether a question asks for several things: what answers it is then said in many places."""

from __future__ import annotations

import re

_AUXILIARY = "is|are|was|were|does|did|do|has|have|had|will|would|can|could|should|might|may|else"
_SEVERAL = re.compile(
    rf"\b(?:what|which)(?:\s+(?!(?:{_AUXILIARY})\b)\w+){{0,2}}\s+"
    rf"(?!(?:{_AUXILIARY}|this|us)\b)(?:\w*[a-rt-z]s|people|children|men|women)\b"
    r"|\b(?:list|all)\s+(?:of\s+)?(?:my|your|his|her|their|our|the)\b|\bhow\s+many\b"
    r"|哪些|哪几|所有|全部|都有(?:什么|谁)|(?:列|数)(?:一下|出|举)|几(?:只|个|种|本|次)",
    re.IGNORECASE,
)


def asks_for_several(text: str) -> bool:
    """Whether ``text`` asks for a list: *what pets …*, *all my …*, *how many …*, 哪些, 所有, 几只.

    In English told by a plural after *what* or *which*, at most two words between them; a name in -s is taken for one, which only
    widens where the answer is looked for.
    """
    return _SEVERAL.search(text) is not None
