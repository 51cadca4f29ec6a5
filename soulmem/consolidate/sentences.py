"""A message as sentences that were really stated: without what is narrated, quoted, reported, asked, supposed or joked.

What becomes of each, and why:

- ``*…*`` and ``（…）`` are stage directions: nobody says them.
- What stands in quotation marks belongs to whoever is quoted, so nothing is taken from a clause that quotes; a short name after
  a word of naming (起名叫“砚台”, called "Rex") is a name and stays.
- What somebody is reported to have said (他说…, she said …) is left out from the reporting word on. A line that begins with
  somebody's name and a colon plays that person.
- Questions and suppositions (如果, if, would) state nothing. A question at the end of a sentence makes all of it a question.
- A joke that is called one (开玩笑的, just kidding) takes back the whole message.
- Thanks, requests and asides (谢谢, 你知道的, thank you, as you know) are said to somebody, and tell nothing
  (:mod:`soulmem.consolidate.courtesies`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from soulmem.consolidate.courtesies import telling_clauses, told_part, without_asides, without_thanks
from soulmem.consolidate.english import tidied
from soulmem.text.language import Language, language
from soulmem.text.spaces import single_spaced

#: Stands where a quotation was.
QUOTED = "\ue000"

_STAGE = re.compile(
    r"\*[^*\n]*\*|（[^（）\n]*）|\([^()\n]*\)|\[[^\[\]\n]*\]|【[^【】\n]*】|<[^<>\n]*>|```.*?(?:```|\Z)|^>.*$", re.M | re.S
)
_QUOTES = re.compile(r"「[^「」]*」|『[^『』]*』|“[^“”]*”|\"[^\"\n]*\"|‘[^‘’\n]*’(?!\w)|(?<!\w)'[^'\n]+'(?!\w)|[“\"「『].*\Z")
_NAMING = re.compile(r"(?:叫|叫做|叫作|名字是|名为|called|named|name\s+is|name's|call\s+(?:it|him|her|them))\s*\Z", re.I)
_MOST_NAME = 8
_SENTENCE = re.compile(r"[^。！？!?…\n.]+(?:\.(?=\w)[^。！？!?…\n.]+)*[。！？!?….\n]*")
_TITLE_DOT = re.compile(r"\b(Mr|Mrs|Ms|Dr|St|Prof|vs|etc|No(?=\.\s+\d))\.(?=\s)")
_ASKED = re.compile(r"[？?]\s*[”\"」]*\s*\Z|(?:吗|么|没有|不是|是不是)[。.~～\s]*\Z")
#: 呢 asks where something is asked for, or where nothing but a name stands before it (你呢).
_ASKED_NE = re.compile(
    r"(?:什么|怎么|怎样|谁|哪|几|多少|多[大久远]|为何|咋|啥|如何|还是|是不是|要不要|能不能|何必|何苦"
    r"|干嘛)[^，,。]*呢[。.~～\s]*\Z|\A[^，,。\d]{0,4}呢[。.~～\s]*\Z"
)
#: 我们周五去吧 proposes, 你喜欢吧 asks.
_PROPOSED = re.compile(r"吧[。.!！~～\s]*\Z")
_TO_SOMEBODY = re.compile(r"我们|咱|你|您|一起")
#: Particles at the end of a clause that add nothing to what is said.
_PARTICLES = re.compile(r"(?<=[\u4e00-\u9fff])(?:[呢嘛哦呀哈喔噢啊哟呐哒耶咯嘞吼～~]+|的啦|的呢)\Z")
_PLAYS = re.compile(
    r"\A\s*(?![^：:]{0,6}[我你他她它])(?!对了|注意|另外|还有|结果|结论|总结|答案|备注|例如|比如|时间|地点|问题|更正|补充"
    r"|地址|原因)[\u4e00-\u9fff]{1,6}\s*[：:](?!//)"
    r"|\A\s*(?!(?:Note|PS|Update|Edit|Correction|Question|Answer|Plan|News|Anyway|Also)\b)[A-Z][a-z]+(?:\s[A-Z][a-z]+)?:\s"
)
#: A line of the program, or about the play: nobody says it of themselves.
_OF_NOBODY = re.compile(
    r"\s*[\[【(（<「]\s*(?:system|sys|系统(?:提示|消息|通知)?|旁白|narrator|narration|ooc|admin|bot|notice|提示|公告|通知|作者|author)"
    r"\s*[:：]?\s*[\]】)）>」]"
    r"|\s*(?:system|系统(?:提示|消息|通知)?|ooc|旁白)\s*[:：]|\s*(?:♪|♫|🎵|🎶|~\s*♪)",
    re.I,
)
_JOKE = re.compile(
    r"开玩笑|逗你的|逗你玩|骗你的|瞎说的|乱说的|别当真|\b(?:just|only)\s+(?:kidding|joking)\b|\bkidding\b|\bjk\b"
    r"|\bi'?m\s+joking\b"
    r"|\bjoking\s+aside\b|\bas\s+a\s+joke\b",
    re.I,
)
#: What is meant the other way round: *I love Mondays lol*, 我最爱加班了，才怪.
_IRONIC = re.compile(
    r"\b(?:lol|lmao|lmfao|rofl)\W*\Z|\s/s\W*\Z|(?:[,.!…]+\s*|\s-+\s*)not\W*\Z|(?-i:\bNOT)\W*\Z|\A\W*(?:oh\s+)?(?:yeah,?\s+right|as\s+if|oh\s+sure|sure\s+thing)\b"
    r"|[,.…;!]\s*(?:(?:ha(?:ha)*|lol)[\s,]+no(?:pe)?|in\s+(?:my|your)\s+(?:wildest\s+)?dreams|as\s+if|(?:i|you)\s+wish)\W*\Z"
    r"|,\s*or\s+so\s+(?:\w+\s+){1,2}(?:thinks?|says?|believes?|thought|said|claims?)\W*\Z"
    r"|至少.{0,6}(?:以为|这么想|这么说)|才怪|呵呵[。！!\s]*\Z|\A是是是|信了你的邪|谁信",
    re.I,
)
#: *I love Mondays. NOT.*
_NOT_ALONE = re.compile(
    r"\W*(?:not|(?:not|only|but)?\s*in\s+(?:my|your)\s+(?:wildest\s+)?dreams|as\s+if|(?:i|you)\s+wish|(?:ha(?:ha)*|lol)[\s,]+no(?:pe)?"
    r"|才怪|(?:在)?(?:我的?)?(?:梦里|做梦|想象中)(?:的话)?|想得美|做梦呢)\W*",
    re.I,
)
#: *No wait, I live in York*; 不对，我住在约克: said instead of the sentence before, that begins in the same way.
_INSTEAD = re.compile(
    r"\W*(?:no,?\s+wait|wait,?\s+no|wait|scratch\s+that|sorry,?\s+no|no,?\s+sorry|correction|i\s+mean)\b[\s,.:!–—-]+(?P<en>\w+(?:['’]\w+)?\s+\w+)"
    r"|(?:哦|啊|呃)?(?:不对|不是|不|错了|说错了)[，,！!\s]+(?P<zh>[\u4e00-\u9fff]{2})",
    re.I,
)
#: 小明，不，小亮; *Tom, no, Tim*: a name that is taken back at once.
_NAME_SLIP = re.compile(
    r"(?<=叫)[\u4e00-\u9fff]{1,4}[，,](?:哦|啊)?(?:不对|不是|不|说错了)[，,]\s*(?:是|叫|应该是|应该叫)?(?P<zh>[\u4e00-\u9fff]{1,4})(?=[。！!，,\s]|\Z)"
    r"|(?<=住在)[\u4e00-\u9fff]{2,6}[，,](?:哦|啊)?(?:不对|不是|不|说错了)[，,]\s*(?:是|住在|应该是)?(?P<place>[\u4e00-\u9fff]{2,6})(?=[。！!，,\s]|\Z)"
    r"|\b[A-Z][\w'-]+,\s*(?:no,?\s+wait|wait,?\s+no|no|sorry|[Ii]\s+mean|er,?\s+no),?\s+(?P<en>(?!I\b)[A-Z][\w'-]+)(?=[.,!]|\Z)"
    r"|\ban?\s+[a-z]+,\s*(?:no,?\s+wait|wait,?\s+no|sorry|[Ii]\s+mean),?\s+(?P<thing>an?\s+[a-z]+)(?=[.,!]|\Z)"
)
#: *I'm 31, sorry, 32*; 三十一，不对，三十二岁: a number that is taken back at once.
_SLIP = re.compile(
    r"\b\d+,?\s*(?:[-–—]\s*)?(?:sorry|no\s+wait|no,\s*wait|i\s+mean(?:t)?|er,?\s+no)[,:]?\s+(?P<new_en>\d+)\b"
    r"|[\d零〇一二两三四五六七八九十百]+[岁号个]?[，,](?:不对|不是|说错了|哦不|啊不)[，,]?(?:是)?(?P<new_zh>[\d零〇一二两三四五六七八九十百]+(?=[岁号个]))",
    re.I,
)
#: The title of a song or a film follows.
_TITLE = re.compile(r"\A\W*(?:now\s+|currently\s+)?(?:playing|listening\s+to|watching|reading|on\s+repeat)\s*[:：]", re.I)
#: What opens an answer and says nothing.
_NO_WEIGHT = re.compile(r"[嗯哦噢啊呀诶哎唉咳哈对好行是的没错对了等等然后还有其实话说呃喂嘿哇]{1,4}")
_EN_PARTS = re.compile(
    r"[:;]\s+|\s[–—-]+\s|—|,?\s+(?:so|and|but|because)(?:\s+(?:now|then|also|yes))?\s+(?=(?:I|we|my|our|he|she|they|you"
    r"|there)(?:\s"
    r"|['’](?:m|ve|re|ll|s|d)\b))"
)
_FILLERS = re.compile(
    r",?\s*\b(?:who\s+would\s+have\s+(?:thought|guessed)|you\s+know|you\s+see|mind\s+you|i\s+mean|honestly|to\s+be\s+honest|by\s+the\s+way|of\s+course|after\s+all"
    r"|though|(?<!be )(?<!resigned )myself)(?=\s*(?:[,.!?;]|\Z))"
    r"|,\s+which\b[^,]*\Z|,\s+(?:just\s+)?like\s+you(?=[\s.!?]*\Z)|\s(?:for|about|to|of|with|on|at)\s+it(?=,?\s*(?:[.!?;]|\Z))",
    re.I,
)
#: What the speaker announces to say is the speaker's own.
_SAID_BY_ME = re.compile(
    r"(?:and\s+|but\s+)?I(?:['’](?:ll|ve)|\s+(?:will|must|can|have\s+to))?\s+(?:just\s+)?(?:say|said|tell\s+you"
    r"|told\s+you)\b(?!\s+that\b)",
    re.I,
)
_SUPPOSED_ZH = re.compile(
    r"如果|要是|假如|假设|倘若|万一|的话|除非|就好了|本来(?:想|要|打算)|差点|要不|不如|也许|可能|大概|说不定|恐怕|估计|应该"
    r"|好像|似乎"
    r"|巴不得|恨不得|宁可|哪怕|就算|即使|难道|怎么会|多希望|要么|像是?.{1,12}一样|仿佛|假装|梦见|梦到|梦里|我猜"
)
_SUPPOSED_EN = re.compile(
    r"\A\W*mine(?:'s|\s+(?:is|was|are|were))\b"  # of what, another line says
    r"|"
    r"\b(?:if|unless|would(?!\s+rather)|wouldn't|could|couldn't|might|may\s+(?:be|have|go|get)|should|shouldn't|wish|wished|maybe"
    r"|perhaps|probably"
    r"|possibly|imagine|suppose|supposing|pretend(?:ed|ing)?|as\s+though|almost|nearly|apparently|guess|seems?|seemed|hopefully"
    r"|dream(?:ed|t)\s+(?:that|about|of)|in\s+(?:my|the|a|this|that|our)\s+(?:\w+\s+)?(?:dreams?|nightmares?)|feels?\s+like|sounds?\s+like|looks?\s+like)\b"
    r"|\b(?:i|you|he|she|it|we|they|there|who|that)['’]d\b(?!\s+(?:\w+ly\s+)?(?:been|had|gone|rather|\w+ed)\b)",
    re.I,
)
_REPORTED_ZH = re.compile(
    r"(?<![听话再虽小传据会])说(?![好起来实到服明法定真走干])|听说|据说|告诉|喊着|问[我你他她]|回答|骂|嫌|念叨|嘀咕|写着"
    r"|写道|发消息|回我"
    r"|(?<!我)(?:觉得|认为|以为)|讲[，：:]"
)
_REPORTED_EN = re.compile(
    r"\b(?:said|says|say|saying|told|tells|(?<!can )(?<!could )tell|telling|asked|asks|asking|thinks|thought|claims?"
    r"|claimed|believes|believed|swears|swore"
    r"|suggest(?:s|ed)|according\s+to|wrote|writes|reckons?|reckoned|insists|insisted|mentioned|heard|replied|announced|explained"
    r"|wonder(?:ed|ing|s)?|reads?\s+that|as\s+[A-Z]\w+\s+put)\b",
    re.I,
)


#: Who found out what is not so of oneself, says that it is not.
_FOUND_OUT = re.compile(
    r"\A\W*(?:(?:well|so|and|but|oh)\W+)?(?:it\s+turn(?:s|ed)\s+out|turns\s+out|(?:the|my)\s+(?:doctors?|vet|dentist|nurse|allergist)\s+(?:says?|said|tells\s+me"
    r"|told\s+me)|the\s+(?:tests?|results?)\s+(?:shows?|showed|says?|said))\s+(?:that\s+)?"
    r"(?=I(?:\s+was\s+never|\s+am\s+not|['’]m\s+not)\b[^,;]*\b(?:at|after)\s+all\W*\Z)",
    re.I,
)


class Standing(StrEnum):
    """How a sentence stands to what is so. Only what is ``STATED`` is remembered as a fact."""

    STATED = "stated"
    ASKED = "asked"
    SUPPOSED = "supposed"
    REPORTED = "reported"
    JOKED = "joked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence: its words without directions and quotations, the clauses of it that are stated, its language."""

    text: str
    clauses: tuple[str, ...]
    standing: Standing
    language: Language


def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a message, in order. A message that plays somebody else has none."""
    text = single_spaced(text)
    spoken = single_spaced(_unquoted(_STAGE.sub(" ", text)))
    if _PLAYS.match(spoken) or _TITLE.match(spoken) or _OF_NOBODY.match(text):
        return ()
    joked = is_joke(text)
    spoken = _SLIP.sub(lambda match: match["new_en"] or match["new_zh"], spoken)
    spoken = _NAME_SLIP.sub(lambda match: match["en"] or match["zh"] or match["place"] or match["thing"], spoken)
    parts = [part.strip() for part in _SENTENCE.findall(_TITLE_DOT.sub(r"\1", spoken)) if re.search(r"\w", part)]
    taken_back = {
        number - 1
        for number, part in enumerate(parts)
        if _NOT_ALONE.fullmatch(part) or (number and _instead(parts[number - 1], part))
    }
    return tuple(_sentence(part, joked or number in taken_back) for number, part in enumerate(parts))


def _instead(before: str, part: str) -> bool:
    """Whether a sentence is said instead of the one before it."""
    match = _INSTEAD.match(part)
    opening = match and (match["en"] or match["zh"])
    return bool(opening) and before.casefold().startswith(str(opening).casefold())


def is_joke(text: str) -> bool:
    """Whether a message takes back itself, and what its speaker said right before it."""
    return _JOKE.search(text) is not None


def _unquoted(text: str) -> str:
    """``text`` with every quotation as one mark; a name that is quoted stays, without the marks."""

    def kept(match: re.Match[str]) -> str:
        inside = match[0].strip("「」『』“”\"‘’'").strip()
        is_name = len(inside) <= _MOST_NAME * (1 if language(inside) is Language.ZH else 3) and inside.count(" ") < 3
        return inside if inside and is_name and _NAMING.search(text[: match.start()]) else QUOTED

    return _QUOTES.sub(kept, text)


def _sentence(text: str, joked: bool) -> Sentence:
    tongue = language(text)
    text = told_part(_FOUND_OUT.sub("", tidied(text)) if tongue is Language.EN else text)
    standing = Standing.JOKED if joked or _IRONIC.search(text) else Standing.ASKED if _asks(text) else Standing.STATED
    clauses = _zh_clauses(text) if tongue is Language.ZH else _en_clauses(without_asides(text, tongue))
    if standing is Standing.STATED and tongue is Language.ZH and _PROPOSED.search(text):
        clauses = _before_doubt(text, clauses)
        standing = standing if clauses else Standing.SUPPOSED
    if standing is Standing.STATED:
        clauses, standing = _stated(clauses, tongue)
    return Sentence(text=_bare(text), clauses=clauses, standing=standing, language=tongue)


def _before_doubt(text: str, clauses: tuple[str, ...]) -> tuple[str, ...]:
    """What is proposed to somebody is no fact; whoever ends with a doubt has said what came before."""
    if _TO_SOMEBODY.search(text):
        return ()
    return clauses[:-1] if clauses and clauses[-1].endswith("吧") else clauses


def _asks(text: str) -> bool:
    return _ASKED.search(text) is not None or _ASKED_NE.search(text) is not None


def _bare(text: str) -> str:
    return text.strip(" \t\r\n。！？!?….~～，,；;、—-")


def _zh_clauses(text: str) -> tuple[str, ...]:
    clauses = [clause for part in re.split(r"[，,；;：:—\s]+", text) if (clause := _unparticled(_bare(part)))]
    while len(clauses) > 1 and _NO_WEIGHT.fullmatch(clauses[0]):
        clauses.pop(0)
    return tuple(telling_clauses(clauses))


#: *Lena and I broke up* is one clause.
_PARTNER = re.compile(r"(?:[^,]{2,30},\s+)?(?:[A-Z][\w'-]+|[Mm]y\s+\w+(?:\s[A-Z][\w'-]+)?)")
_PARTING = re.compile(
    r"I\s+(?:have\s+|had\s+)?(?:(?:just|finally|recently|sadly|actually)\s+)*(?:broke|split|separated|got\s+divorced"
    r"|are\s+(?:getting\s+)?divorced|parted|are\s+no\s+longer|aren't|are\s+not)\b"
)


def _unparticled(clause: str) -> str:
    """A clause without the particle at its end: 二十六啦 → 二十六了."""
    if len(clause) < 4:
        return clause
    put = _PARTICLES.sub("", clause)
    return re.sub(r"了?啦\Z", "了", put) if len(put) > 2 else clause


def _en_clauses(text: str) -> tuple[str, ...]:
    """A sentence where it goes on with a subject of its own; a supposition governs what it stands beside."""
    parts = _EN_PARTS.split(_FILLERS.sub("", _FILLERS.sub("", text)))
    clauses = [clause for part in parts if (clause := _bare(without_thanks(_bare(part))))]
    if len(clauses) > 1 and _PARTNER.fullmatch(clauses[0]) and _PARTING.match(clauses[1]):
        clauses[:2] = [f"{clauses[0]} and {clauses[1]}"]
    if any(_SUPPOSED_EN.search(clause) for clause in clauses):
        clauses = [_bare(text)] if re.search(r"\b(?:if|unless)\b", text, re.I) else clauses
    return tuple(clauses)


def _stated(clauses: tuple[str, ...], tongue: Language) -> tuple[tuple[str, ...], Standing]:
    """The clauses before the first that is supposed, reported or quotes; and why there are none, if there are none."""
    if tongue is not Language.ZH:
        return _each_stated(clauses)
    supposed, reported = (_SUPPOSED_ZH, _REPORTED_ZH)
    for number, clause in enumerate(clauses):
        standing = Standing.SUPPOSED if supposed.search(clause) else Standing.STATED
        if reported.search(clause) or QUOTED in clause:
            standing = Standing.REPORTED
        if standing is not Standing.STATED:
            # A supposition governs its whole sentence; a report only what follows.
            kept = clauses[:number] if standing is Standing.REPORTED else ()
            return kept, Standing.STATED if kept else standing
    return clauses, Standing.STATED


def _each_stated(clauses: tuple[str, ...]) -> tuple[tuple[str, ...], Standing]:
    """English clauses that are stated. What follows a report may belong to it; what follows a supposition stands alone."""
    kept: list[str] = []
    standing = Standing.STATED
    for clause in clauses:
        if _REPORTED_EN.search(clause) or QUOTED in clause:
            standing = Standing.REPORTED
            if _SAID_BY_ME.match(clause) and QUOTED not in clause:
                continue
            break
        if _SUPPOSED_EN.search(clause):
            standing = Standing.SUPPOSED
        else:
            kept.append(clause)
    return tuple(kept), Standing.STATED if kept else standing
