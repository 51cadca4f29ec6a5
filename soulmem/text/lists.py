"""Whether a question asks for several things: what answers it is then said in many places."""

from __future__ import annotations

import re

_AUXILIARY = "is|are|was|were|does|did|do|has|have|had|will|would|can|could|should|might|may|else"
_PLURAL = r"(?:\w*[a-rt-z]s|people|children|men|women|fruit)"
_SEVERAL = re.compile(
    rf"\b(?:what|which)(?:\s+(?!(?:{_AUXILIARY})\b)\w+){{0,2}}\s+(?!(?:{_AUXILIARY}|this|us)\b){_PLURAL}"
    rf"(?=\s+(?:{_AUXILIARY}|of|that)\b|\s*(?:[?？,.]|$))"
    r"|\b(?:list|name|all)\s+(?:of\s+)?(?:my|your|his|her|their|our|the)\b|\bhow\s+many\b"
    rf"|\bwho\s+(?:are|were)\s+(?:my|your|his|her|their|our)\b|\b(?:do|does|did|have|has)\s+\w+\s+(?:have\s+|own\s+|keep\s+)?any\s+{_PLURAL}\b"
    rf"|\babout\s+(?:\w+\s+)?(?:my|your|his|her|their|our|[^\W\d_][\w-]*['’]s?)\s+(?:whole\s+)?(?:family|{_PLURAL})\b"
    r"|家里(?:都|还)?有(?:谁|什么人)|(?:说说|讲讲|聊聊|介绍|知道|记得|关于)[^，。？！,.?!]{0,8}(?:家人|亲人|亲戚|兄弟姐妹|孩子们|宠物)"
    r"|哪些|哪几|所有|全部|都[^，。？！,.?!]{0,4}(?:什么|谁|哪)|(?:列|数)(?:一下|出|举)|有多少"
    r"|几(?:只|个|种|本|次|门|条|口|位|家|首|件|张|部|座|匹|头|样|支|把|台|辆)",
    re.IGNORECASE,
)


def asks_for_several(text: str) -> bool:
    """Whether ``text`` asks for a list: *what pets …*, *all my …*, *how many …*, *about your family*, 哪些, 所有, 几只.

    In English told by a plural after *what* or *which*, at most two words between them, with a verb or the end after it; a name
    in -s is taken for one, which only widens where the answer is looked for.
    """
    return _SEVERAL.search(text) is not None
