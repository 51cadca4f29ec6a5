"""Words of the character's own in a text about it: a quotation whose speaker it is for certain. Pure.

A sentence is taken as the character would say it (*She often says “…”* as *I often say “…”*). Only if the one who says the
quotation is *I*, and says it, is it a saying: not what a friend says, what was said to it, or what it never said.
"""

from __future__ import annotations

import re

from soulmem.text.language import has_cjk

_QUOTED = re.compile(r"[“\"「『](?P<said>[^“”\"「」『』]{2,200})[”\"」』]")
#: What stands for a quotation while the sentence around it is looked at.
_MARK = "\ue000"

_HOW = (
    r"(?:\w+ly|always|often|sometimes|also|still|just|then|once|even|again|ever|used\s+to|would|will|has|have|had"
    r"|(?:likes?|loves?|tends?)\s+to)"
)
_HOWS = rf"(?:{_HOW}\s+){{0,3}}"
_SAYS = (
    r"(?:say|says|said|saying|mutter|mutters|muttered|shout|shouts|shouted|reply|replies|replied|answer|answers|answered|whisper|whispers"
    r"|whispered|sigh|sighs|sighed|joke|jokes|joked|murmur|murmurs|murmured|cry|cries|cried|yell|yells|yelled|repeat|repeats|repeated"
    r"|ask|asks|asked|exclaim|exclaims|exclaimed|call\s+out|called\s+out|tells?\s+\w+|told\s+\w+)\b"
)
#: Behind the verb, before the quotation: to whom, how, when; nothing in which another may say it, or it is not said.
_TO = (
    rf"(?:(?!\b(?:that|who|whom|whose|which|what|because|than|but|if|not|no|never|nothing|read|reads|written|called|{_SAYS})\b|n['’]t\b)"
    rf"[^{_MARK}.;!?]){{0,60}}"
)
_PHRASE = r"(?:favou?rite\s+|usual\s+|constant\s+|standing\s+)?(?:catch\s?phrase|motto|saying|phrase|expression|watchword)"
_SAID_EN = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\AI\s+(?:\w+\s+(?:\w+ly\s+)?and\s+)?{_HOWS}{_SAYS}{_TO}{_MARK}",
        rf"\AMy\s+{_PHRASE}\s*(?:(?:is|was|has\s+(?:always\s+)?been)(?:\s+(?:always|still|simply))?)?\s*[:,]?\s*{_MARK}",
        rf"\AI\s+{_HOWS}(?:have|had|has)\s+a\s+{_PHRASE}\s*[:,]\s*{_MARK}",
        rf"\A{_MARK}\s*,?\s*I\s+{_HOWS}{_SAYS}(?!\s+(?:that|of|about)\b)",
    )
)

_HOW_ZH = (
    r"(?:常常?|经常|时常|总是?|老是?|一向|往往|有时候?|偶尔|动不动就?|习惯|喜欢|最?爱|每天|每次|会|就|都|也|又|还|曾经?|便|立刻|只是|这样|轻声|小声|大声"
    r"|低声|[对跟和向同](?!我)[^，,。说讲：:]{1,6}?|[^，,。：:的不没别]{1,3}[着地])"
)
_SAYS_ZH = r"(?:说|讲|道|喊|念叨|嘟囔|嘀咕|嚷|回答|答|问|骂|叹|笑)[说道着过]?"
_PHRASE_ZH = r"(?:口头禅|口癖|座右铭|名言|口号)"
_SAID_ZH = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\A我{_HOW_ZH}{{0,3}}{_SAYS_ZH}(?:的(?:一?句)?话?(?:就)?是)?\s*[：:，,]?\s*{_MARK}",
        rf"\A我的?(?:有一?句)?{_PHRASE_ZH}(?:一直|总|就|还)?是?\s*[：:，,]?\s*{_MARK}",
        rf"\A我{_HOW_ZH}{{0,3}}把\s*{_MARK}\s*(?:这句话)?挂在嘴[边上]",
        rf"\A我{_HOW_ZH}{{0,3}}挂在嘴[边上]的(?:一?句)?话?(?:就)?是\s*[：:，,]?\s*{_MARK}",
        rf"\A{_MARK}\s*[，,]?\s*我{_HOW_ZH}{{0,3}}{_SAYS_ZH}(?!的)",
    )
)


def saying(sentence: str, own: str) -> str:
    """The words that ``sentence`` says are the character's own, of several the first; ``own``: the sentence, as the character
    would say it."""
    masked = _QUOTED.sub(_MARK, own)
    for pattern in _SAID_ZH if has_cjk(_QUOTED.sub("", own)) else _SAID_EN:
        if match := pattern.search(masked):
            quoted = _QUOTED.findall(sentence)
            number = masked.count(_MARK, 0, match.start() + match[0].index(_MARK))
            return quoted[number].strip(" ,，") if number < len(quoted) else ""
    return ""


_TELLS = re.compile(
    rf"口头禅|口癖|座右铭|挂在嘴|[说道讲喊骂叹问答]|{_MARK}\s*[，,]?\s*\S{{0,6}}[说道讲喊]|\b{_SAYS}|\b{_PHRASE}\b|\btold\b",
    re.IGNORECASE,
)


def is_quoting(sentence: str) -> bool:
    """Whether a sentence tells what somebody says, or does not say, in its words."""
    masked = _QUOTED.sub(_MARK, sentence)
    return _MARK in masked and _TELLS.search(masked) is not None
