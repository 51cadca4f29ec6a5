"""What is said over two lines: a question and its answer (*What's your dog's name? – Biscuit.*), or a thing and then its name
(*We got a dog. His name is Rusty.*), put as one sentence of the one who answers.

Only where two talk, and the line before is a question to the other; an answer that is more than the bare thing stands by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from soulmem.consolidate.people import KIN_EN_PATTERN, KIN_ZH_PATTERN
from soulmem.text.language import HAN, has_cjk

#: A bare answer has at most so many words, or Chinese characters.
_MOST_WORDS, _MOST_CHARACTERS = 6, 10

Made = Callable[[re.Match[str], str], str]


@dataclass(frozen=True, slots=True)
class _Frame:
    """A question, what its bare answer must look like, and the sentence the two make."""

    question: re.Pattern[str]
    answer: re.Pattern[str]
    made: Made


_NAME_EN = re.compile(r"(?:It's\s+|He's\s+|She's\s+|Its\s+name\s+is\s+)?(?P<a>[A-Z][\w'-]+(?:\s[A-Z][\w'-]+)?)")
_PLACE_EN = re.compile(r"(?:In\s+|In\s+the\s+)?(?P<a>[A-Z][\w'-]+(?:[ ,]+[A-Z][\w'-]+){0,2})")
_AT_EN = re.compile(r"(?:At|In)\s+(?P<a>(?:the|an?)\s+[\w' -]{3,30}|[A-Z][\w' -]{2,30})")
_THING_EN = re.compile(
    r"(?P<a>(?!(?:I|we|it|they|that|you|no|not|yes|none|any|all|both|either|neither|lots|many|too|depends|varies|hard|good)\b).+)",
    re.I,
)
_AGE_EN = re.compile(r"(?:I'm\s+)?(?P<a>\d{1,3}|[A-Za-z]+(?:-\w+)?)(?:\s+years\s+old)?")
_YES = re.compile(r"(?:yes|yep|yeah|yup|of\s+course|absolutely|definitely|sure|always)(?:,?\s+I\s+(?:do|am|have|can))?", re.I)
_NO = re.compile(
    r"(?:no|nope|nah|never|not\s+at\s+all|not\s+really)(?:,?\s+I\s+(?:don't|do\s+not|am\s+not|can't))?|I'm\s+not", re.I
)
_ASKED = r"(?:\A|[.!,]\s*|\b(?:so|and|but|hey|oh|tell\s+me|wait|by\s+the\s+way|btw),?\s+)"


def _q(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"{_ASKED}{pattern}\s*\?\s*\Z", re.I)


_KIN_NAMED = _q(
    rf"(?:what(?:'s|\s+is)\s+(?:your\s+(?P<kin>{KIN_EN_PATTERN})'s\s+name|the\s+name\s+of\s+your\s+(?P<kin2>{KIN_EN_PATTERN})"
    rf"|your\s+(?P<kin3>{KIN_EN_PATTERN})\s+called)|what\s+do\s+you\s+call\s+your\s+(?P<kin4>{KIN_EN_PATTERN}))"
)
_DATED = _q(r"when(?:'s|\s+is)\s+your\s+(?P<what>birthday|interview|exam|wedding|flight|surgery|appointment)")
_TRADE = re.compile(r"(?:I'm\s+)?(?P<a>an?\s+[\w -]{3,30})", re.I)
_DO = _q(r"do\s+you\s+(?P<what>(?:like|love|hate|eat|drink|smoke|have|play|speak)\b[^?.,!]*?)")
_DO_TASTE = _q(r"do\s+you\s+(?P<what>(?:like|love|hate|eat|drink|smoke)\b[^?.,!]*?)")
_ARE = _q(r"are\s+you\s+(?P<what>(?:allergic|vegetarian|vegan|married|single|divorced|afraid|scared)\b[^?.,!]*?)")


def _day(answer: str) -> str:
    return answer[0].lower() + answer[1:] if answer.startswith(("On ", "The ", "In ")) else answer


_EN = (
    _Frame(_KIN_NAMED, _NAME_EN, lambda asked, answer: f"My {next(filter(None, asked.groups()))} is called {answer}"),
    _Frame(_q(r"where\s+do\s+you\s+live(?:\s+now)?"), _PLACE_EN, lambda asked, answer: f"I live in {answer}"),
    _Frame(_q(r"where\s+do\s+you\s+work(?:\s+now)?"), _AT_EN, lambda asked, answer: f"I work at {answer}"),
    _Frame(_q(r"where\s+are\s+you\s+from"), _PLACE_EN, lambda asked, answer: f"I am from {answer}"),
    _Frame(_q(r"how\s+old\s+are\s+you"), _AGE_EN, lambda asked, answer: f"I am {answer}"),
    _Frame(_DATED, _THING_EN, lambda asked, answer: f"My {asked['what']} is {_day(answer)}"),
    _Frame(
        _q(r"what(?:'s|\s+is)\s+your\s+favou?rite\s+(?P<what>[\w ]{2,25}?)"),
        _THING_EN,
        lambda asked, answer: f"My favourite {asked['what']} is {answer}",
    ),
    _Frame(
        _q(r"(?:what\s+do\s+you\s+do(?:\s+for\s+(?:a\s+living|work))?|what(?:'s|\s+is)\s+your\s+job)"),
        _TRADE,
        lambda asked, answer: f"I am {answer[0].lower()}{answer[1:]}",
    ),
    _Frame(_DO, _YES, lambda asked, answer: f"I {asked['what']}"),
    _Frame(_DO_TASTE, _NO, lambda asked, answer: f"I don't {asked['what']}"),
    _Frame(_ARE, _YES, lambda asked, answer: f"I am {asked['what']}"),
)
_NAME_ZH = re.compile(rf"(?:它|他|她)?(?:的名字)?(?:就)?(?:叫|是)?(?P<a>[{HAN}]{{1,4}}|[A-Z][A-Za-z]{{1,15}})")
_PLACE_ZH = re.compile(rf"(?:在|住在?)?(?P<a>[{HAN}]{{2,8}})")
_AT_ZH = re.compile(rf"在?(?P<a>[{HAN}]{{2,8}}?)(?:上班|工作)?")
_BARE_ZH = re.compile(rf"(?P<a>[{HAN}\d]+)")
_TRADE_ZH = re.compile(rf"(?:我)?(?:是)?(?P<a>[{HAN}]{{2,8}})")
_AGE_ZH = re.compile(rf"(?P<a>[{HAN}\d]{{1,4}}?)岁?了?")
_YES_ZH = re.compile(r"喜欢|爱|怕|讨厌|是的?|嗯+|当然|对|[很超]喜欢")
_NO_ZH = re.compile(r"不(?:喜欢|爱|怕|吃|喝|是)?")


def _q_zh(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"[你您]{pattern}[呀呢啊]?[？?]\s*\Z")


_KIN_NAMED_ZH = _q_zh(rf"(?:们?家)?(?:的)?(?P<kin>{KIN_ZH_PATTERN})(?:的)?(?:名字)?(?:是|叫)(?:什么|啥)(?:名字?)?")
_LIKES_ZH = _q_zh(r"(?P<what>(?:喜欢|爱吃|爱喝|爱看|怕|讨厌)[^你您我吗？?，,。]{1,10})吗")
_TASTE_ZH = _q_zh(r"(?P<what>(?:喜欢|爱吃|爱喝|爱看|怕|吃|喝)[^你您我吗？?，,。]{1,10})吗")
_ZH = (
    _Frame(_KIN_NAMED_ZH, _NAME_ZH, lambda asked, answer: f"我的{asked['kin']}叫{answer}"),
    _Frame(_q_zh("(?:现在)?(?:住|家)在?(?:哪里?|哪儿|什么地方)"), _PLACE_ZH, lambda asked, answer: f"我住在{answer}"),
    _Frame(_q_zh("(?:现在)?在(?:哪里?|哪儿|什么地方)(?:上班|工作)"), _AT_ZH, lambda asked, answer: f"我在{answer}上班"),
    _Frame(_q_zh("(?:今年)?(?:多大|几岁)(?:了)?"), _AGE_ZH, lambda asked, answer: f"我{answer}岁"),
    _Frame(
        _q_zh("(?:是)?(?:做什么(?:工作)?的?|干什么的|什么工作|的?职业是什么)"), _TRADE_ZH, lambda asked, answer: f"我是{answer}"
    ),
    _Frame(_q_zh("的?生日(?:是)?(?:什么时候|哪天|几月几[号日]|几号)"), _BARE_ZH, lambda asked, answer: f"我的生日是{answer}"),
    _Frame(_LIKES_ZH, _YES_ZH, lambda asked, answer: f"我{asked['what']}"),
    _Frame(_TASTE_ZH, _NO_ZH, lambda asked, answer: f"我不{asked['what']}"),
)

_PRONOUN_NAMED = re.compile(
    r"(?:(?:His|Her|Its)\s+name(?:'s|\s+is)|(?:He|She|It)(?:'s|\s+is)\s+(?:called|named)|(?:I|We)\s+(?:named|call|called)\s+(?:him|her|it))"
    r"\s+(?P<a>[A-Z][\w'-]+)(?=[\s,.!]|\Z)|[它他她](?:的名字)?叫(?P<b>[^，,。！!]{1,8})"
)


#: *No, it tastes like soap.*
_WITH_REASON = re.compile(
    r"(?P<head>yes|yep|yeah|no|nope|nah|never)[,.!–—-]+\s*(?P<tail>it\s+(?:tastes?|smells?|is|feels?|looks?|sounds?)\b[^,.;?]{2,40})",
    re.I,
)


#: What answers nothing.
_NO_ANSWER = re.compile(
    r"\A(?:here|there|nowhere|everywhere|somewhere|why|guess|nothing|none|dunno|secret|home|who|what|when|how|maybe|soon|never\s+mind"
    r"|pass|next|later|old|very|enough|idk|not\s+(?:telling|sure|yet)|(?:it\s+|that\s+)?(?:all\s+)?depends|varies|whatever|anything)\b|\b(?:know|idea|tell|guess|remember|matter|ask)\b"
    r"|[我你您谁哪什啥]|保密|秘密|猜|知道|告诉|没|还|随便|忘|好说|再说|一般|以后|看情况|看心情|不一定|都行|都可以|都好|难说|没有|这里|那里|这儿|那儿|哈|嘿|嗯嗯",
    re.I,
)


def completed(question: str, answer: str) -> str | None:
    """``answer`` as a whole sentence, where it is no more than the bare thing that ``question`` asks for; else ``None``."""
    bare, tail = answer.strip(" \t.!。！~～"), ""
    told = _WITH_REASON.fullmatch(bare)
    if told:
        bare, tail = told["head"], f", {told['tail']}"
    short = len(bare) <= _MOST_CHARACTERS if has_cjk(bare) else len(bare.split()) <= _MOST_WORDS
    if not bare or not short:
        return None
    if _NO_ANSWER.search(bare):
        return None
    for frame in _ZH if has_cjk(question) else _EN:
        asked = frame.question.search(question.strip())
        match = frame.answer.fullmatch(bare) if asked else None
        if asked and match:
            return frame.made(asked, match.groupdict().get("a") or bare) + tail
    return None


def named_after(kin: str, sentence: str) -> str | None:
    """*His name is Rusty*, behind ``kin`` (*a dog*) that was told of: *My dog is called Rusty*; else ``None``."""
    match = _PRONOUN_NAMED.match(sentence)
    if match is None:
        return None
    return f"我的{kin}叫{match['b']}" if match["b"] else f"My {kin} is called {match['a']}"
