"""Confidences in Chinese: patterns, and whom they name. Of text in plain script."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from soulmem.text.callings import PAIRS, callings
from soulmem.text.language import has_cjk
from soulmem.text.names import normal_name
from soulmem.text.stopwords import words_of

_NOT = (
    r"(?:千万|请|可|先|也|绝对|一定|永远)?"
    r"(?:不要|别|(?<!能)不能|不许|不准|不得|(?<!可)不可以|(?<!可)不可|不该|不应该|甭|勿|莫|休要|休得|切勿|能不|可以不)(?:再|先|去|轻易|随便)?"
)
#: What requests not to do something begin with, and what a sentence with one of them has.
FORBIDDEN = _NOT
FORBIDDING = {FORBIDDEN: re.compile("[不别甭勿莫休]")}
_CHAR = r"(?:[^，,。！？!?；;：:\s]|(?<=[A-Za-z.])\s(?=[A-Za-z]))"
_NAMES = rf"(?P<names>{_CHAR}{{1,24}})"
_BETWEEN = rf"(?P<names>{_CHAR}{{1,12}}?)"
_SAY = r"(?:说|讲|提|透露|泄露|聊|谈)"
_LEARN = r"(?:知道|晓得|发现|听到|听见|看到|看见|得知|察觉)"
KEPT = (
    rf"{FORBIDDEN}(?:去)?(?:告诉|告知){_NAMES}",
    rf"(?:^|[，,])(?:请|切|千万)?[勿莫]告(?![诉知急]){_NAMES}",
    rf"(?:^|[，,]|你|请|求你|你[要得])(?:答应我?|[向跟对]我保证)(?:绝|永远|一定)?不(?:会)?(?:去)?(?:告诉|告知){_NAMES}",
    rf"(?:^|[，,])(?:就)?(?:让|把){_BETWEEN}蒙在鼓里",
    rf"(?P<before>{_CHAR}{{1,12}}?)(?:还|并|都|现在){{1,3}}不(?:知道|晓得)(?:呢|吧|啊)?[，,]\s*(?:先|千万|你)?(?:别|不要)(?:说|提|讲)(?=[。！!了啊哦哈呀出漏]|$)",
    rf"{FORBIDDEN}把{_CHAR}{{1,14}}?(?:告诉|告知|透露给|泄露给|说给|讲给|传给){_NAMES}",
    rf"{FORBIDDEN}(?:把{_CHAR}{{1,14}}?)?(?:跟|和|对|向|同|给){_BETWEEN}{_SAY}",
    rf"{FORBIDDEN}(?:当着|在|当){_BETWEEN}(?:的面|面前|跟前|那儿|那里|那边){_CHAR}{{0,6}}?{_SAY}",
    rf"{FORBIDDEN}(?:让|叫|被|给|使){_BETWEEN}{_LEARN}",
    rf"(?:不想|不希望|不愿意?|不打算|没打算|不准备|不乐意)(?:让|叫|被|给)?{_BETWEEN}{_LEARN}",
    rf"(?:不想|不愿意?|不打算|没打算|不准备)(?:让你|叫你|你)?(?:告诉|告知){_NAMES}",
    rf"(?:替我|帮我|先|得|要|请)?(?:瞒着|瞒住){_NAMES}",
    rf"{FORBIDDEN}(?:透露|泄露|泄漏)(?:给|予){_NAMES}",
    rf"(?:以免|免得|省得){_BETWEEN}{_LEARN}",
    rf"(?:对|向){_BETWEEN}隐瞒",
    rf"(?:当着|在|当)?{_BETWEEN}的?面前?(?:千万|可)?(?:别|不要|不能){_SAY}(?!多)",
    rf"不(?:要)?告诉{_BETWEEN}(?:好吗|好不好|行吗|可以吗)",
    rf"(?:对|跟|向){_BETWEEN}(?:要|得|请|先)?(?:保密|守口如瓶|保守秘密)",
    rf"(?P<before>{_CHAR}{{1,12}}?)(?:绝对|绝|千万|可|决|永远|还|也|都){{0,4}}(?:不能|不可以|不许|不准|不该|不应该|不可)(?:让他|让她)?{_LEARN}",
    rf"(?P<before>{_CHAR}{{1,12}}?)(?:要是|如果|若是|万一|一旦)?(?:追问|问)(?:起来?|到|你|这事|的话){{0,3}}[，,]?你?就(?:说|讲|回)(?:你|自己)?"
    r"(?:什么都?)?(?:不知道|不晓得|没听说|没听过|没见过|没看见|不清楚)",
)
_ONLY_US = r"(?:你我|我们俩|我们两个|咱俩|咱们俩|咱们两个|你跟我|你和我|我和你|我跟你|你一个人)"
SECRET = (
    r"(?:这|那|它)(?:件事|事|事儿|可)?(?:是|算)(?:个|一个|我的|我们(?:俩|两个)?的|咱们?(?:俩)?的|咱俩的)?秘密",
    r"(?:我们(?:俩|两个)?|咱们?(?:俩)?|咱俩|你我)(?:之间)?的(?:小)?秘密",
    r"(?:替我|帮我|请|要|得|先|务必|一定要?|给我|千万)保密|(?:^|[，,])保密(?:哦|啊|呀|吧|哈)?(?=[，,。！!：:]|$)",
    r"(?:^|[，,])(?:我)?(?:偷偷|悄悄)?(?:跟|和|对|告诉)你(?:说|讲)?(?:一)?个(?:小)?秘密(?=[，,。：:！!吧啊哦]|$)",
    r"^\s*(?:小)?秘密[，,：:]",
    r"(?:^|[，,])(?:我)?(?:悄悄|偷偷)(?:地)?(?:告诉你|跟你说|和你说|对你说)",
    r"^\s*嘘+[，,！!~…]+(?!.{0,8}(?:安静|[出吱小轻大]声|声音|听|睡|吵|闹|轻点|有人|来了|说话))",
    r"(?:保守|守住|守好|守)(?:好|住)?(?:这个|那个|我的|我们的|咱们的)?(?:小)?秘密",
    rf"{FORBIDDEN}(?:到处|往外|对外|向外|乱|随便|四处)?(?:说|讲|传|泄露|透露)(?:出去|漏嘴|漏|给别人)",
    rf"{FORBIDDEN}(?:到处|往外|对外|向外|乱|四处)(?:说|讲|传|泄露|透露|提)",
    rf"{FORBIDDEN}外[传泄]",
    rf"{FORBIDDEN}(?:去)?(?:告诉|告知)\s*(?:\W|$)",
    r"(?:这|那)(?:件)?事儿?只有你(?:一个人)?(?:知道|晓得)",
    rf"{FORBIDDEN}提(?:起)?(?:这|那)(?:件)?事",
    r"(?:谁|对谁|跟谁|和谁|任何人)(?:都|也)?(?:别|不要|不能|不许|不准|不可以)(?:说|讲|告诉|提|知道|晓得)",
    r"(?:没有?人|没谁)(?:可以|能|该|应该)知道",
    rf"(?:只有|就){_ONLY_US}知道",
    r"只(?:告诉|跟|和|对)你(?:一个人)?(?:说|讲|了|一个|[，,。！!]|$)",
    rf"{FORBIDDEN}(?:透露|泄露|泄漏|声张)(?![给予])",
    r"(?:千万|绝对|打死(?:也|都)?|一定)(?:别|不要|不能)(?:说|讲|提)(?!话|起来|谎)",
    r"绝密|(?:这是|属于|算是)(?:最高)?机密|(?:^|[，,])私下里?(?:跟|和|对|告诉)你(?:说|讲)?",
    r"天知地知|你知我知|守口如瓶|烂在(?:你的?)?肚子里",
)
#: Whatever asks for something has, without spaces and signs, both of one of these pairs.
HINTS = (
    (
        r"告诉|告知|勿告|莫告|瞒|密|蒙在鼓|泄|外传|透露|守口|肚子里|嘘|悄悄|偷偷|私下|声张|天知地知|你知我知|只有你|只跟你|只和你|只对你"
        r"|已经知道|都知道|早就?知道|你我知道|俩知道|两个知道|跟我知道|和我知道|和你知道|跟你知道|一个人知道|没有?人[可能该应]|没谁[可能该应]",
        "",
    ),
    (
        "不[要能许准得可该应想希愿打乐]|别|甭|勿|莫|休[要得]|能不|以不|没打算|没准备|免得|以免|省得|能去?[跟和对向]|以去?[跟和对向]",
        "说|讲|提|聊|谈|传|知道|晓得|发现|听到|听见|看到|看见|得知|察觉",
    ),
    ("问", "不知道|不晓得|没听|没见|没看|不清楚"),
)

_LEAD = r"(?:(?:好了?|好吧|好的|行了?|那么?|现在|嗯|哦|对了|没事|没关系|其实|你们?|您|已经)[，,、\s]*){0,5}"
TOLD = (
    rf"{_LEAD}(?:可以|能|不妨|尽管)(?:去|直接|放心)?(?:告诉|告知)(?P<names>.+)",
    rf"{_LEAD}(?:可以|能)(?:去)?(?:跟|和|对|向){_BETWEEN}(?:说|讲|提)(?P<about>.*)",
    rf"{_LEAD}(?:不用|不必|没必要|不需要|别再)(?:再)?瞒着?(?P<names>.+)",
    rf"{_LEAD}(?P<before>.{{1,12}}?)(?:已经|都|早就?)+知道(?:了(?P<about>.*)|(?P<this>(?:这|.{{1,20}}的).*))",
)
OPEN = (
    rf"{_LEAD}(?P<about>.{{0,20}}?)(?:(?:已经|早就?)(?:不是|不算)(?:什么)?秘密[了啦]?|(?:不是|不算)(?:什么)?秘密[了啦]|不再是秘密[了啦]?)",
    rf"{_LEAD}(?:不用|不必|没必要|不需要)(?:再)?(?:替我|帮我)?保密[了啦]?",
)
DOUBT = re.compile(
    r"要是|如果|假如|等|才|以后|之后|的时候|除非|不|别|没|明天|后天|下周|就好|只|但|可是|再|吗|可能|也许|大概|应该|希望|觉得|难道"
)
#: What follows the name of whom it may be told, and says nothing of what.
_PARTICLES = r"[了吧哦啊呀哈嘛呢啦咯，,。！!\s]*"
NEUTRAL = re.compile(rf"(?:这件事情?|这事儿?|这个(?:秘密)?|那件事|这|它|真相|实情|一切|所有的?事)?{_PARTICLES}")
#: What is known, not what somebody can: 聚会的事, not 怎么开车.
MATTER = re.compile(rf".{{1,20}}的(?:事情?|事儿|消息|秘密|计划){_PARTICLES}")
_AGREED = re.compile(r"(?:好吗|行吗|好不好|行不行|可以吗|成吗|好嘛|能不能|可不可以|可否|答应|能别|可以不(?!可)|可以别|能不)")
_WHY = re.compile(r"为什么|为何|为啥|怎么|干嘛|干吗|凭什么|是不是|有没有|谁说")


def is_asking(sentence: str) -> bool:
    """Whether a question wants to know something, and asks for no silence."""
    return not _AGREED.search(sentence) and (_WHY.search(sentence) is not None or "吗" in sentence)


_NOBODY = words_of("我 我们 咱 咱们 你 您 你们 自己")
_EVERYBODY = words_of("别人 任何人 大家 其他人 所有人 谁")
_ANYBODY = _EVERYBODY | words_of("旁人 外人 人 他 她 他们 她们 它 人家 第三个人 家人 家里人 朋友 朋友们 别的人")
_STARTS_ANYBODY = re.compile(
    r"^(?:别人|任何人|大家|其他人|旁人|外人|他们|她们|所有人|人家|第三个人|家里人|家人|朋友们?|别的人|人|他|她|它|谁)"
)
SPLIT = re.compile(r"、|还有|和|跟|与|或者?|以及|\s+(?:and|or)\s+")
_KIN = re.compile(
    r"(?:我|你|他|她|咱)?(?:的)?(?:爸妈|父母|爹妈|爹娘|老[妈爸]|妈咪|妈妈?|爸爸?|母亲|父亲|爷爷|奶奶|外公|外婆|姥姥|姥爷|哥哥?|姐姐?|弟弟?|妹妹?"
    r"|老公|老婆|丈夫|妻子|男朋友|女朋友|男友|女友|老师|老板|经理|同事|同学|室友|邻居|叔叔|阿姨|舅舅|姑姑|表[哥姐弟妹]|堂[哥姐弟妹]|孩子|儿子|女儿"
    r"|领导|上司|警察|医生)"
)
_OWNER = re.compile(r"^(?:我们|我|你|他|她|咱)的?(?=.)")
_SHORT = re.compile(
    r"[小老阿大][\u4e00-\u9fff](?:[\u4e00-\u9fff](?=$))?|[\u4e00-\u9fff]{1,2}(?:老师|先生|女士|小姐|医生|经理|总|哥|姐|叔|姨|阿姨)"
)
_LATIN = re.compile(r"(?!\d+(?![A-Za-z0-9_]))[A-Za-z0-9À-ɏ][A-Za-z0-9À-ɏ_'’.-]*(?:\s+[A-ZÀ-Þ][A-Za-z0-9À-ɏ_'’-]*)*")
_TAIL = re.compile(r"(?:了|吧|哦|啊|呀|哈|嘛|呢|啦|这件事|这事儿?|这个|那件事|任何事|一声|实情|真相|别的)+$")
#: Signs at a name: (小明, -小明-.
_EDGES = re.compile(r"\A[^\w{<$#]*_*|[\W_]+\Z")
#: A sign that may be a name itself.
_SIGN = re.compile(r"[^\w\s\x00-\x7f\u2010-\u2027\u3000-\u303f\uff00-\uff65]")
_UNREADABLE = re.compile(r"\d+(?![A-Za-z0-9_])|[\W\d_]+\Z|[^\w]|.*\{\{")
_FAMILY = {"妈": "妈妈", "老妈": "妈妈", "爸": "爸爸", "老爸": "爸爸"}


def person(part: str, known: Sequence[str], *, certain: bool) -> tuple[str, ...]:
    """Whom the part begins with, ``*``: anybody; nothing: nobody who could be kept from anything, or, ``certain``, nobody is
    sure."""
    stated = _TAIL.sub("", part)
    name = normal_name(_EDGES.sub("", stated))
    is_signed = _SIGN.match(stated) is not None and any(name.startswith(one) for one in _NOBODY)
    if not certain and stated.strip() and (not name or is_signed or _UNREADABLE.match(name)):
        return ("*",)
    if not name:
        return ()
    if found := next((one for one in known if _is_whole(name, 0, one)), None):
        return (found,)
    for pattern in (_KIN, _SHORT, _LATIN):
        if match := pattern.match(_OWNER.sub("", name) if pattern is not _LATIN else _EDGES.sub("", stated)):
            return _family(normal_name(match[0]))
    return _other(name, certain)


def person_before(part: str, known: Sequence[str], *, certain: bool) -> tuple[str, ...]:
    """Whom the part ends with, ``certain``: whom it names and nothing else; as :func:`person`."""
    name = normal_name(part)
    if found := next((one for one in known if name == one or (_ends_so(name, one) and not certain)), None):
        return (found,)
    for begin in range(1 if certain else len(name)):
        rest = name[begin:]
        if any(match and match.end() == len(rest) for match in (pattern.match(rest) for pattern in (_KIN, _SHORT, _LATIN))):
            return _family(_OWNER.sub("", rest))
    for begin in range(len(name)):
        if name[begin:] in _NOBODY:
            return ()
    return _other(name, certain)


def _is_whole(text: str, begin: int, name: str) -> bool:
    """Whether ``name`` stands there, and not as a part of a longer word: Bo of Bob."""
    around = text[max(begin - 1, 0) : begin], text[begin + len(name) :][:1]
    return text.startswith(name, begin) and not any(_LATIN.match(one) for one in around if not has_cjk(name))


def _ends_so(text: str, name: str) -> bool:
    return text.endswith(name) and _is_whole(text, len(text) - len(name), name)


def _family(name: str) -> tuple[str, ...]:
    return PAIRS.get(name, (_FAMILY.get(name, name),))


def _other(name: str, certain: bool) -> tuple[str, ...]:
    if any(name.startswith(one) for one in _NOBODY):
        return ()
    if any(name.startswith(one) for one in (_EVERYBODY if certain else _ANYBODY)):
        return ("*",)
    if len(name) <= 3 and not (certain and any(name.startswith(one) for one in _ANYBODY)):
        return (name,)
    return () if certain else ("*",)


def after(stated: str, found: Iterable[str]) -> str:
    """What follows the names that were ``found`` in what was ``stated``."""
    lowered = normal_name(stated)
    forms = {form for name in found for form in callings(name)}
    end = max((lowered.find(form) + len(form) for form in forms if form in lowered), default=0)
    return stated[end:] if end else _STARTS_ANYBODY.sub("", stated)
