"""What a sentence says to whom it is said, and of nothing: *thank you*, *as you know*, *by the way*, 谢谢, 你知道的, 对吧.

It belongs to the talk. A fact is told without it, whether it stands at the beginning, at the end or between commas; what goes on
behind thanks and requests (*no, thank you, no cake for me*; *so please don't bring any*) belongs to the talk too.
"""

from __future__ import annotations

import re

from soulmem.text.language import HAN, Language
from soulmem.text.stopwords import words_of

_TOLD_BEFORE = r"(?:\s+(?:before|already|earlier|once|yesterday|above|last\s+time|to\s+you|you))*"
_AS_KNOWN = (
    r"as\s+(?:you|we|everyone|everybody)(?:\s+(?:all|both|may|might|will|can|probably|already|well|surely|have))*"
    r"\s+(?:know|knows|see|saw|seen|remember|recall|noticed|heard|guessed|imagine)"
    rf"|(?:as|like)\s+I(?:['’]ve|\s+have)?(?:\s+(?:just|already|always))*\s+(?:said|say|told|mentioned|explained|wrote){_TOLD_BEFORE}"
    rf"|as\s+(?:said|mentioned){_TOLD_BEFORE}"
)
#: *Did I ever tell you?*, *you remember*: whether somebody knows it already.
_TOLD_YOU = (
    r"(?:did(?:n['’]t)?|have(?:n['’]t)?|had(?:n['’]t)?)\s+I\s+(?:(?:ever|not|never|already|just)\s+)*(?:tell|told|mention(?:ed)?|say|said)"
    r"(?:\s+(?:you|it|so|that|this|about|to|of|before|yet|already|him|her))*"
    r"|(?:do(?:n['’]t)?|did(?:n['’]t)?)\s+you\s+(?:know|remember|hear|recall)(?:\s+(?:that|this|it))?"
    r"|(?:you|you['’]ll|you\s+(?:may|might|will|surely|must|probably))\s+(?:remember|recall)|if\s+you\s+(?:remember|recall)"
)
_ASIDE = (
    rf"{_AS_KNOWN}|{_TOLD_YOU}|remember|you\s+know(?:\s+what(?:\s+I\s+mean)?)?|you\s+see|you\s+understand|mind\s+you|I\s+mean"
    r"|I(?:['’]m|\s+am)\s+(?:afraid|sorry)|I\s+(?:think|guess|suppose|believe|reckon|fear|admit|dare\s+say|tell\s+you|assure\s+you)"
    r"|I\s+(?:must|have\s+to|should)\s+(?:say|admit|confess)"
    r"|if\s+you\s+(?:ask\s+me|know\s+what\s+I\s+mean|must\s+know)|if\s+I(?:['’]m|\s+am)\s+(?:being\s+)?honest"
    r"|by\s+the\s+way|btw|fyi|tbh|of\s+course|obviously|naturally|actually|honestly|frankly|basically|in\s+fact|no\s+doubt"
    r"|to\s+be\s+(?:(?:perfectly|quite|completely|totally|very)\s+)?(?:honest|fair|frank|clear|sure)"
    r"|to\s+tell\s+(?:you\s+)?the\s+truth|truth\s+be\s+told|believe\s+it\s+or\s+not|believe\s+me|trust\s+me|for\s+the\s+record"
    r"|(?:just\s+)?so\s+you\s+know|for\s+what\s+it['’]s\s+worth|no\s+offen[cs]e|no\s+worries|don['’]t\s+worry|never\s+mind"
    r"|thank\s+(?:god|goodness|heavens?)|(?:so\s+|very\s+)?sorry|apologies|excuse\s+me|(?:ha){2,}h?|(?:he){2,}h?"
    r"|(?:my\s+)?(?:dear|darling|friend)|mate|sweetie|sweetheart|babe|buddy|pal|dude|bro|man|guys|folks|sir|ma['’]am|madam"
)
_ENDS = r"(?=\s*(?:[,.!?;…]|\s[–—-]|—|\Z))"
_ASIDES = (
    (re.compile(rf"\A\W*(?:{_ASIDE})\s*[,.!;:–—-]+\s*", re.I), ""),
    (re.compile(rf"\A\W*(?:{_AS_KNOWN})\s+(?=(?:I|we|my|our|he|she|they)\b)", re.I), ""),
    # I, by the way, live in York; my sister, thank God, lives there too
    (re.compile(rf"(\b(?:I|We|My|Our)(?:['’]\w+)?(?:\s\w+){{0,2}}),\s*(?:{_ASIDE}),\s*", re.I), r"\1 "),
    (re.compile(rf"\s*(?:,|\s[–—-]+|—)\s*(?:{_ASIDE}){_ENDS}", re.I), ""),
    # …, in case you were going to offer me some
    (
        re.compile(
            r"\s*(?:,|\s[–—-]+|—)\s*(?:(?:just\s+)?in\s+case\s+(?:you|any(?:one|body)|some(?:one|body))\b.*|just\s+in\s+case\W*)\Z",
            re.I | re.S,
        ),
        "",
    ),
    (re.compile(rf"\s+(?:actually|obviously|{_AS_KNOWN})(?=[\s.!…]*\Z)", re.I), ""),
)

#: Behind these, *thank you* and *please* are what somebody does: *I want to thank you*.
_DOING = "".join(
    rf"(?<!\b{word})"
    for word in words_of("to can't must should will would just never always say said a my his her of with no many")
)
_SO = r"(?:(?:and|but|so|or|oh|well|no|nope|nah|yes|yep|yeah|okay|ok)\b,?\s+){0,6}"
_THANKS = r"(?:many\s+|a\s+big\s+)?(?:thank(?:s|\s+(?:you|u|god|goodness|heavens?))|thx|tysm|cheers|much\s+appreciated)"
_THANKING = (
    re.compile(rf"\s*(?:,|\s[–—-]+|—)\s*{_SO}(?:{_THANKS}|please|pls|plz)\b(?!\s+to\b).*\Z", re.I | re.S),
    re.compile(r"\s+(?:and|but|so)\s+(?:no,?\s+)?thank\s+(?:you|u)\b.*\Z", re.I | re.S),
    re.compile(
        rf"{_DOING}(?<!\bI)(?<!\bwe)\s+(?:thank\s+(?:you|u)|thanks|thx|please|pls|plz)"
        r"(?:\s+(?:so|very|ever\s+so)\s+much|\s+a\s+(?:lot|bunch|million)|\s+again)?\W*\Z",
        re.I,
    ),
    re.compile(r"(?:\s*,\s*(?:(?:so|and|but)\s+)?|\s+so\s+)(?:no|nope|nah|yes|yep|yeah)\W*\Z", re.I),
)
_THANKS_FIRST = re.compile(rf"\A\W*{_SO}(?:{_THANKS}|please)\b(?!\s+to\b)[^,]*,\s*(?=\w)", re.I)

#: *Biscuit lost a leg, did I ever tell you?* tells, where it is no question before.
_TOLD_BY_TAG = re.compile(
    r"(?P<told>\A(?!\W*(?:(?:and|but|so|oh|well|or)\W+)*(?:who|whose|whom|what|when|where|why|how|which|do|does|did|is|are|was|were|am|have|has|had"
    r"|can|could|will|would|shall|should|may|might|must|isn|aren|wasn|weren|don|doesn|didn|haven|hasn|won|wouldn|couldn|can)\b).*\w)"
    rf"\s*(?:,|\s[–—-]+|—)\s*(?:and\s+|but\s+|or\s+)?(?:{_TOLD_YOU})\s*\?+\W*\Z"
    r"|(?P<zh>\A\W*(?:我(?!们)|[\u4e00-\u9fff]{1,6}(?:是|在|有)).*)[，,]\s*(?:我)?(?:之前|以前|上次|有没有|是不是)*(?:[跟和]?[你您])?(?:告诉|[说讲提])过?(?:[你您])?"
    r"(?:了)?(?:吗|吧|没有|没)?[？?]+\W*\Z",
    re.I | re.S,
)
#: 我不吃虾，万一你要请我吃的话: what it is said for.
_IN_CASE_ZH = re.compile(r"(?<=[\u4e00-\u9fff]{3})[，,]\s*(?:免得|省得|以防|万一)(?:[你您]|有人)[^，,。！？!?]*[。！!]*\Z")

#: *I'm allergic to nuts, okay?* tells, and asks nothing but to be heard.
_HEARD = re.compile(
    r"(?P<en>\A\W*(?:(?:I|My)\b)(?!['’]ll|['’]d|\s+(?:will|can|could|should|may|am\s+going)\b).*),\s*"
    r"(?:ok|okay|alright|all\s+right|you\s+know|y['’]know|remember|understand|understood|got\s+it)\s*\?+\W*\Z"
    r"|(?P<zh>\A\W*我(?!们).*)[，,]\s*[你您]?(?:知道|懂|明白|晓得|记得|听见|听到)了?(?:吗|吧|没|不)[？?]+\W*\Z",
    re.I | re.S,
)

_THANKS_ZH = (
    r"(?:真的?|太|非常|十分|很)*(?:谢谢|多谢|感谢|谢)"
    rf"(?:[你您]的[{HAN}]{{1,4}}|[你您]们?|大家|各位|关心|提醒|理解|[啦了哦呀哈啊]){{0,4}}"
)
_KNOWN_ZH = r"[你您]们?[也都是]*(?:知道|懂|晓得|清楚|明白|了解)(?:的|得|吧|啊)*"
_TRULY_ZH = (
    r"[说讲]句?(?:实话|真的|真心话|老实话|心里话|实在话?|实在的)|老实[说讲]|实话(?:实说|[说讲])|[跟和][你您][说讲](?:句?实话|真的)|不瞒[你您]说|讲真的?"
    r"|坦白[说讲]"
)
_BESIDE_ZH = r"顺[便带](?:[说提讲](?:一下|一句|一嘴)?|一[提说])"
_SAID_ZH = (
    r"(?:就像|正如|如|像)我(?:之前|刚才|上次)?所?[说讲提]过?的?(?:那样)?|我(?:之前|以前|上次)?[跟和]?[你您]?[说讲提]过(?:的|了)?"
)
_ALONE_ZH = re.compile(
    rf"{_THANKS_ZH}|{_KNOWN_ZH}|{_TRULY_ZH}|{_BESIDE_ZH}|{_SAID_ZH}|[对是]吧|对不对|是不是|[好行]吧|[哈嘿嘻]{{2,}}|当然[啦了]?|其实吧?"
    r"|我(?:觉得|想|感觉)|不好意思|抱歉|对不起|拜托(?:[你您]?了)?|麻烦[你您]了|别(?:介意|担心|客气)|放心吧?|没办法"
)
_HEAD_ZH = re.compile(rf"\A(?:{_THANKS_ZH}|{_KNOWN_ZH}|{_TRULY_ZH}|{_BESIDE_ZH}|[哈嘿嘻]{{2,}})(?=我)")
_SAYS = re.compile(r"\w")
_TAIL_ZH = re.compile(r"(?<=.{3})(?:谢谢(?:[你您]们?|大家)?[啦了]?|[你您](?:知道|懂|晓得)的|[对是]吧|[哈嘿嘻]{2,})\Z")


def without_asides(text: str, tongue: Language) -> str:
    """A sentence without what is said in passing to whom it is said to; as it is where it says nothing else."""
    if tongue is not Language.EN:
        return text
    put, before = text, ""
    while put != before:
        before = put
        for pattern, instead in _ASIDES:
            put = pattern.sub(instead, put)
    return _unless_empty(put, text)


def without_thanks(clause: str) -> str:
    """An English clause without thanks and requests, and what goes on behind them; as it is where it says nothing else."""
    put = _THANKS_FIRST.sub("", clause)
    for pattern in _THANKING:
        put = _unless_empty(pattern.sub("", put), put)
    return put


def without_courtesies(text: str, tongue: Language) -> str:
    """A whole answer without what belongs to the talk: *Tea, thank you* → *Tea*."""
    if tongue is Language.ZH:
        return "，".join(telling_clauses(re.split(r"[，,]", text)))
    return without_thanks(without_asides(text, tongue))


def telling_clauses(clauses: list[str]) -> list[str]:
    """Chinese clauses without what only belongs to the talk, alone or at either end; all of them, where nothing else is said."""
    told = [
        _TAIL_ZH.sub("", _HEAD_ZH.sub("", clause)) for clause in clauses if not _ALONE_ZH.fullmatch(clause.strip(" 。！!~～"))
    ]
    return told if any(map(_SAYS.search, told)) else clauses


def told_part(text: str) -> str:
    """A sentence without the question at its end that only asks to be heard: *I'm allergic to nuts, okay?*; 我不吃肉，知道吗？"""
    match = _TOLD_BY_TAG.match(text)
    if match:
        return match["told"] or match["zh"]
    match = _HEARD.match(text)
    return match["en"] or match["zh"] if match else _IN_CASE_ZH.sub("", text)


def _unless_empty(put: str, text: str) -> str:
    return put if _SAYS.search(put) else text
