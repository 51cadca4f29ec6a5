"""What is said in confidence: *don't tell Bo*, 别告诉小明, *keep it between us*, 这是秘密; and that it may be told now. By
pattern."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from soulmem.text.language import has_cjk
from soulmem.text.names import normal_name
from soulmem.text.stopwords import words_of

#: Whoever did not hear it.
EVERYBODY = "*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Confidence:
    """What a line asks: ``kept_from``: who must not be told (normal names; ``*``: anybody); ``told``: who may be told now.
    ``is_bare``: beside that it says nothing, so that what was said before it is meant."""

    kept_from: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    is_bare: bool = False

    def __bool__(self) -> bool:
        return bool(self.kept_from or self.told)


#: Of a long text its beginning and its end are looked at; characters.
_ENDS = 1000
#: Without one of these nothing is asked: most lines are none.
_HINT = re.compile(
    r"tell|told|secret|between|keep|hide|know|find out|hear|mention|breathe|repeat|reveal|pass|show|say|confiden|word"
    r"|ears|record|lips"
    r"|告诉|告知|秘密|保密|知道|晓得|瞒|[别要能许用必]\S{0,12}[说讲提传露]|说|讲|泄|透露|守口|发现|听|看",
    re.IGNORECASE,
)
#: A question that asks for a word only.
_AGREED = re.compile(r"\bok\b|okay|right|好吗|行吗|好不好", re.IGNORECASE)
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|「[^」]*」|『[^』]*』|《[^》]*》|(?<!\w)'[^']*'(?!\w)")
_SENTENCE = re.compile(r"[^。！？!?.…\n;；]+[。！？!?.…\n;；]*")

# English. A name is a word with a capital, or somebody's relation; and what may follow it in a list.
_EN_ONE = (
    r"(?:(?:my|your|our|his|her|their|the)\s+(?:(?:best|older|younger|elder|big|little|old|new|dear)\s+)?)?"
    r"[^\W\d_][\w'’-]{0,40}(?:\s+(?!I\b)(?-i:[A-Z])[\w'’-]{0,40}){0,3}"
)
_EN_NAMES = rf"(?P<names>{_EN_ONE}(?:(?:\s*,\s*|\s*,?\s+(?:and|or|nor)\s+){_EN_ONE}){{0,5}})"
_EN_NOT = (
    r"(?:do\s*n[o'’]t|don[’']?t|dont|never|must\s+not|mustn['’]?t|shouldn['’]?t|should\s+not|may\s+not|better\s+not|not\s+to)"
)
_EN_STATED = r"(?<!\bi )(?<!\bwe )(?<!\bthey )(?<!\bpeople )(?<!\bwho )(?<!\bif you )(?<!\bwhen you )(?<!\bwhy )"
_EN_WORD = r"(?:a\s+word|anything|this|that|it|any\s+of\s+(?:this|it)|about\s+(?:this|it|that))"
_EN_KEPT = [
    rf"{_EN_STATED}\b{_EN_NOT}\s+(?:you\s+)?(?:ever\s+|go\s+and\s+)?tell\s+(?:{_EN_WORD}\s+to\s+)?{_EN_NAMES}",
    rf"{_EN_STATED}\b{_EN_NOT}\s+(?:ever\s+)?(?:say|mention|breathe|repeat|show|reveal|pass)\s+{_EN_WORD}\s+(?:on\s+)?(?:to|in\s+front\s+of)\s+{_EN_NAMES}",
    rf"\b(?:keep|hide)\s+(?:this|that|it|all\s+(?:this|of\s+it))\s+(?:\w+\s+)?(?:away\s+|secret\s+)?from\s+{_EN_NAMES}",
    rf"{_EN_STATED}\b{_EN_NOT}\s+let\s+{_EN_NAMES}\s+(?:know|find\s+out|hear|see)\b",
    rf"\b{_EN_NAMES}\s+(?:must\s*n[o'’]t|mustn['’]?t|must\s+never|can\s*not|can['’]?t|should\s*n[o'’]t|shouldn['’]?t|may\s+not)\s+"
    r"(?:ever\s+)?(?:know|find\s+out|hear\s+(?:of|about))\b",
]
_EN_SECRET = [
    r"\bkeep\s+(?:this|that|it|all\s+this)\s+(?:just\s+|strictly\s+)?(?:between\s+(?:us|you\s+and\s+me|the\s+two\s+of\s+us)|secret|a\s+secret|"
    r"quiet|private|confidential|to\s+yourself|under\s+your\s+hat)\b",
    r"\b(?:this|that|it)(?:\s+is|['’]s)\s+(?:just\s+|strictly\s+|a\s+)?(?:between\s+(?:us|you\s+and\s+me)|(?:big\s+|our\s+)?secret|confidential|our\s+secret)\b",
    r"\b(?:just|strictly)\s+between\s+(?:us|you\s+and\s+me)\b",
    r"\bbetween\s+you\s+and\s+me\b",
    r"\bin\s+(?:strict\s+)?confidence\b",
    r"\b(?:not\s+a\s+word(?:\s+to\s+(?:any(?:one|body)|a\s+soul))?|mum['’]?s\s+the\s+word|my\s+lips\s+only|for\s+your\s+ears\s+only|off\s+the\s+record)\b",
    rf"{_EN_STATED}\b{_EN_NOT}\s+(?:ever\s+)?(?:say|mention|breathe|repeat|spread)\s+(?:a\s+word|this|that|it)\b(?!\s+(?:on\s+)?(?:to|in\s+front))",
]
_EN_TOLD = [
    rf"\byou\s+(?:can|may|could|are\s+(?:free|allowed)\s+to)\s+(?:now\s+|finally\s+)?tell\s+{_EN_NAMES}",
    rf"\b(?:it['’]?s|it\s+is)\s+(?:ok|okay|fine|all\s+right|alright)\s+to\s+tell\s+{_EN_NAMES}",
    rf"\b{_EN_NAMES}\s+(?:already\s+|finally\s+)?(?:knows?|may\s+know|can\s+know|has\s+been\s+told|was\s+told)\s+(?:now|already|about\s+it|by\s+now)\b",
]
_EN_OPEN = [
    r"\b(?:it['’]?s|it\s+is|this\s+is|that['’]?s)\s+(?:no\s+longer|not)\s+a\s+secret(?:\s+(?:any\s*more|any\s+longer|now))?\b",
    r"\b(?:no\s+need|you\s+(?:don['’]?t|do\s+not)\s+(?:need|have))\s+to\s+keep\s+(?:it|this|that)\s+(?:a\s+)?(?:secret|quiet)\b",
]

# Chinese.
_ZH_NOT = r"(?:千万|请|可|先|也)?(?:不要|别|不能|不许|不可以|不可|甭|勿)(?:再)?"
_ZH_NAMES = r"(?P<names>[^，,。！？!?；;：:\s]{1,24})"
_ZH_KEPT = [
    rf"(?<!我){_ZH_NOT}(?:去)?(?:告诉|告知){_ZH_NAMES}",
    rf"(?<!我){_ZH_NOT}(?:把(?:这|那|它)\S{{0,3}}?)?(?:跟|和|对|向|同|给)(?P<names>[^，,。！？!?；;：:\s]{{1,12}}?)(?:说|讲|提|透露|泄露)",
    rf"(?<!我){_ZH_NOT}(?:让|叫|被|给)(?P<names>[^，,。！？!?；;：:\s]{{1,12}}?)(?:知道|晓得|发现|听到|听见|看到|看见)",
    r"(?:替我|帮我|先|得|要|请)?(?:瞒着|瞒住){n}".replace("{n}", _ZH_NAMES),
    r"(?:对|跟|向)(?P<names>[^，,。！？!?；;：:\s]{1,12}?)(?:要|得|请|先)?(?:保密|守口如瓶)",
]
_ZH_SECRET = [
    r"(?:这|那|它)(?:件事|事|事儿|可)?(?:是|算)(?:个|一个|我们(?:俩|两个)?的|咱们?(?:俩)?的|咱俩的)?秘密",
    r"(?:我们(?:俩|两个)?|咱们?(?:俩)?|咱俩|你我)(?:之间)?的(?:小)?秘密",
    r"(?:替我|帮我|请|要|得|先|务必|一定要?)保密|^保密(?:哦|啊|呀|吧|哈)?[。！!]*$",
    r"(?:别|不要|不能|不许|千万别|千万不要)(?:到处)?(?:说|讲|传|泄露|透露)(?:出去|漏嘴|漏|给别人)",
    r"(?:谁|对谁|跟谁|和谁)(?:都|也)(?:别|不要|不能|不许)(?:说|讲|告诉|提)",
    r"(?:只有|就)(?:你我|我们俩|我们两个|咱俩|咱们俩|你跟我|你和我)知道",
    r"天知地知",
]
_ZH_TOLD = [
    r"(?<!不)(?:可以|能|不妨|尽管)(?:去)?(?:告诉|告知){n}".replace("{n}", _ZH_NAMES),
    r"(?<!不)(?:可以|能)(?:跟|和|对|向)(?P<names>[^，,。！？!?；;：:\s]{1,12}?)(?:说|讲)",
    r"(?:不用|不必|没必要|别)(?:再)?(?:瞒着|瞒){n}".replace("{n}", _ZH_NAMES),
    r"(?P<names>[^，,。！？!?；;：:\s]{1,8}?)(?:已经|都)知道(?:了|这)",
]
_ZH_OPEN = [r"(?:已经|早就?)?(?:不是|不算)(?:什么)?秘密(?:了|啦)", r"(?:不用|不必|没必要)(?:再)?保密"]


def _compiled(patterns: Iterable[str], flags: int = re.IGNORECASE) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, flags) for pattern in patterns)


_KEPT = {True: _compiled(_ZH_KEPT), False: _compiled(_EN_KEPT)}
_SECRET = {True: _compiled(_ZH_SECRET), False: _compiled(_EN_SECRET)}
_TOLD = {True: _compiled(_ZH_TOLD), False: _compiled(_EN_TOLD)}
_OPEN = {True: _compiled(_ZH_OPEN), False: _compiled(_EN_OPEN)}

_NOBODY = words_of("me us you it yourself yourselves lies stories jokes myself that this time apart 我 我们 咱 咱们 你 你们 自己")
_ANYBODY = words_of(
    "anyone anybody everyone everybody others people him her them someone somebody nobody who whom soul anything one a the"
    " 别人 任何人 大家 其他人 旁人 外人 人 他 她 他们 她们 它 谁 所有人 人家 第三个人"
)
_ZH_ANYBODY = re.compile(r"^(?:别人|任何人|大家|其他人|旁人|外人|他们|她们|所有人|人家|第三个人|人|他|她|它|谁)")
_EN_END = re.compile(
    r"\s+(?:that|about|this|it|what|how|why|when|where|because|until|unless|yet|now|please|but|or\s+else|anything|a\s+word|i|we|he|she|"
    r"they|though|ok|okay|right|everything|the\s+truth|to|if|for|in|at|on|so|of|yet)\b.*",
    re.IGNORECASE,
)
_EN_SPLIT = re.compile(r"\s*,\s*(?:and\s+|or\s+|nor\s+)?|\s+(?:and|or|nor)\s+", re.IGNORECASE)
_EN_OWNER = re.compile(
    r"^(?:my|your|our|his|her|their|the)\s+(?:(?:best|older|younger|elder|big|little|old|new|dear)\s+)?", re.IGNORECASE
)
_ZH_SPLIT = re.compile(r"、|和|跟|与|或者?|以及")
_ZH_KIN = re.compile(
    r"(?:我|你|他|她|咱)?(?:的)?(?:妈妈?|爸爸?|爷爷|奶奶|外公|外婆|姥姥|姥爷|哥哥?|姐姐?|弟弟?|妹妹?|老公|老婆|丈夫|妻子|男朋友|女朋友"
    r"|老师|老板|经理|同事|同学|室友|邻居|爸妈|父母|家人|叔叔|阿姨|舅舅|姑姑|表[哥姐弟妹]|堂[哥姐弟妹]|孩子|儿子|女儿|领导|上司|警察|医生)"
)
_ZH_OWNER = re.compile(r"^(?:我们|我|你|他|她|咱)的?(?=.)")
_ZH_SHORT = re.compile(
    r"[小老阿大][\u4e00-\u9fff](?:[\u4e00-\u9fff](?=$))?|[\u4e00-\u9fff]{1,2}(?:老师|先生|女士|小姐|医生|经理|总|哥|姐|叔|姨|阿姨)"
)
_LATIN = re.compile(r"[A-Za-z][\w'’-]*(?:\s+[A-Z][\w'’-]*)*")
_ZH_TAIL = re.compile(r"(?:了|吧|哦|啊|呀|哈|嘛|呢|啦|这件事|这事儿?|这个|那件事|任何事|一声|实情|真相|别的)+$")
_LEFT = re.compile(
    r"[\W_]+|\b(?:please|you|ok|okay|hey|and|but|so|by the way|btw|promise me|promise|shh+|psst|about|that|this|it)\b"
    r"|\b(?:yet|now|right)\b"
    r"|拜托|请|哦|啊|呀|嘘|记住|记得|好吗|好不好|行吗|你|这件事|这事儿?|这个|刚才|的|事|千万|了|吧|嘛",
    re.IGNORECASE,
)


def confidence(text: str, names: Iterable[str] = ()) -> Confidence:
    """What ``text`` asks to be kept or allows to be told. ``names``: those that are known, by which a name is told from what
    follows it in Chinese, where nothing else does. Whom it does not make clear counts as anybody: rather too much is kept."""
    if not _HINT.search(text):
        return Confidence()
    if len(text) > 2 * _ENDS:
        text = f"{text[:_ENDS]}\n{text[-_ENDS:]}"
    known = sorted({normal_name(name) for name in names} - {""}, key=len, reverse=True)
    kept: dict[str, None] = {}
    told: dict[str, None] = {}
    left: list[str] = []
    for sentence in _SENTENCE.findall(_QUOTED.sub(" ", text)):
        rest = _read(sentence, known, kept, told)
        left.append(sentence if rest is None else rest)
    if not kept and not told:
        return Confidence()
    return Confidence(kept_from=tuple(kept), told=tuple(told), is_bare=not _LEFT.sub("", " ".join(left)).strip())


def _read(sentence: str, known: list[str], kept: dict[str, None], told: dict[str, None]) -> str | None:
    """Put what a sentence asks into ``kept`` and ``told``; what is left of it then, ``None``: it asks nothing."""
    zh = has_cjk(sentence)
    if sentence.rstrip().endswith(("?", "？", "吗")) and not _AGREED.search(sentence):
        return None
    rest: str | None = None
    for patterns, opens, into in ((_TOLD[zh], _OPEN[zh], told), (_KEPT[zh], _SECRET[zh], kept)):
        for pattern in (*patterns, *opens):
            match = pattern.search(sentence if rest is None else rest)
            if match is None:
                continue
            found = dict.fromkeys(_people(match["names"], known, zh)) if "names" in match.groupdict() else {EVERYBODY: None}
            if found:
                into.update(found)
                rest = _without(sentence if rest is None else rest, match, found, zh)
    return rest


def _without(text: str, match: re.Match[str], found: Iterable[str], zh: bool) -> str:
    """The sentence without the request; what follows the names in it stays."""
    after = ""
    if "names" in match.groupdict():
        stated = match["names"]
        lowered = normal_name(stated)
        end = max((lowered.find(name) + len(name) for name in found if name in lowered), default=0)
        after = (stated[end:] if end else _ZH_ANYBODY.sub("", stated)) if zh else stated[end:] if end else _tail(stated)
    return f"{text[: match.start()]} {after} {text[match.end() :]}"


def _tail(stated: str) -> str:
    match = _EN_END.search(stated)
    return match[0] if match else ""


def _people(stated: str, known: list[str], zh: bool) -> Iterator[str]:
    for part in _ZH_SPLIT.split(stated) if zh else _EN_SPLIT.split(_EN_END.sub("", stated)):
        name = _zh_name(part, known) if zh else _en_name(part, known)
        if name is not None:
            yield name


def _en_name(part: str, known: list[str]) -> str | None:
    """Whom the part names; ``None``: nobody who could be kept from anything."""
    bare = _EN_OWNER.sub("", part.strip())
    name = normal_name(bare)
    if not name or name.split(" ")[0] in _NOBODY:
        return None
    return EVERYBODY if name in _ANYBODY or name.split(" ")[0] in _ANYBODY else name


def _zh_name(part: str, known: list[str]) -> str | None:
    name = normal_name(_ZH_TAIL.sub("", part))
    if not name:
        return None
    for one in known:
        if name.startswith(one):
            return one
    for pattern in (_ZH_KIN, _ZH_SHORT, _LATIN):
        if match := pattern.match(_ZH_OWNER.sub("", name) if pattern is not _LATIN else _ZH_TAIL.sub("", part).strip()):
            return normal_name(match[0])
    if any(name.startswith(one) for one in _ANYBODY):
        return EVERYBODY
    if any(name.startswith(one) for one in _NOBODY):
        return None
    return name if len(name) <= 3 else EVERYBODY
