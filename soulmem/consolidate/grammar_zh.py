"""Facts in Chinese sentences, by pattern. Every pattern looks at one clause behind its subject."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from soulmem.consolidate.changes_zh import (
    JOB,
    PLAN,
    affirmed,
    formerly,
    is_leaving,
    is_new_job,
    not_called,
    parted,
    parted_ends,
    plan_noun,
)
from soulmem.consolidate.dates import Tense, absolute, annual, any_year, find_whens, told
from soulmem.consolidate.drafts import Draft, most_time
from soulmem.consolidate.facts import DISLIKES, ENDED, Kind, is_single
from soulmem.consolidate.people import KIN_ZH, KIN_ZH_PATTERN, OWN_ZH, Scene, kin_label, one_of
from soulmem.consolidate.sentences import Sentence
from soulmem.consolidate.voice import told_zh
from soulmem.text import _jieba
from soulmem.text._numerals import ZH_NUMERAL
from soulmem.text.language import HAN, Language
from soulmem.text.stopwords import words_of

#: A fact quotes at most so many clauses and about so many characters.
MOST_CLAUSES = 5
MOST_CHARACTERS = 70

_N = rf"(?:\d{{1,3}}|[{ZH_NUMERAL}]{{1,4}})"
_NAME = rf"(?P<name>[{HAN}]{{2,4}}|[A-Z][A-Za-z]{{1,15}})"
_LEAD = re.compile(
    r"(?:对了|(?:对|嗯+|哦+|噢|啊+|呀|诶|哎呀?|唉|咳|哈+|好的?|行|是的?|没错|不)(?=[，,、\s]|\Z)|那么|那(?=我|再|就)|不过"
    r"|但是|可是|可惜|其实|反正|还有"
    r"|另外|而且|所以|因为|然后|结果|原来|真的|说真的|说实话|话说|等等|就是|只是|但|而|哦(?=[我还对])|总之|毕竟|首先|倒是"
    r"|幸好|还好(?=[我他她它])|终于)[，,、\s]*"
)
#: Words of feeling, taste and fear; what they are about follows. ``-``: the word itself denies.
_DEGREE = (
    r"(?:最近|现在|从小|一直|一向|向来|本来就|真的?|其实|都|也|还是|还|就|最|很|特别|超级?|非常|挺|蛮|好|可|更|比较"
    r"|有点儿?|尤其|太|只|并|反而|倒|才|特|巨)*"
)
_TASTE = re.compile(
    rf"{_DEGREE}(?P<neg>不(?:太|怎么|大|是很|是特别)?|从来不|从不)?(?P<verb>喜欢|热爱|钟爱|偏爱|爱吃|爱喝|爱看|爱听|爱玩"
    rf"|爱(?![上情你我他她它人])|讨厌|厌恶|痛恨|恨(?!不)"
    r"|害怕|怕(?![是会])|受不了|忍不了|迷上了?|沉迷|痴迷|宁愿|习惯|感兴趣|对.{1,10}?(?:过敏|感兴趣|没兴趣|上瘾))(?P<object>.*)"
)
_NOT_EATEN = re.compile(
    r"(?:从来|从小|平时|基本|一直|现在|已经|都|也|是|根本|完全)*(?P<verb>不再吃|不再喝|不吃|不喝|不沾|不碰|不能吃|不能喝|不能碰|吃不了"
    r"|喝不了|吃不惯|喝不惯|吃素|吃全素|不抽|不看|不听|不玩|戒了?)(?P<object>.*)"
)
_FAVOURITE = re.compile(
    rf"(?:最喜欢|最爱|最讨厌|最怕)的?(?P<thing>[{HAN}]{{1,6}})?(?:就)?是(?P<value>.+)|的?最爱(?:就)?是(?P<value2>.+)"
)
_OTHERS = re.compile(r"[你您她它咱]|(?<![吉其])他|我|这|那(?![么])|什么|怎么|谁|哪|啥")
_CALLED = re.compile(rf"(?:的名字)?(?:就)?(?:叫|名叫|叫做|叫作|名字是|名字叫|的名字是){_NAME}\Z")
_AGED = re.compile(
    rf"(?:也|才|都|今年|现在|已经|刚满?)*(?P<value>{_N})(?:岁|周岁)(?:半)?了?\Z|(?:今年|虚岁|刚满?|都)+"
    rf"(?P<value2>{_N})(?:岁)?(?:了)?\Z"
)
_BORN = re.compile(r"(?:的)?生日(?:就)?(?:是|在)?(?P<value>.+)|(?:是)?(?P<value2>.+?)(?:出生|生的|生人)\Z")
_LIVES = re.compile(
    rf"(?:(?:跟|和|同)(?:(?![不没别都])[{HAN}]){{1,6}}?(?:一起|一块儿?|合租)?(?=住|搬))?(?:以前|之前|原来|曾经|现在|目前|一直|还|就|都|也|一个人|已经|平时|又|刚|最近"
    rf"|终于|全家)*(?:住在?"
    rf"|定居在?|从[{HAN}]{{2,6}}?搬[到去回]了?|搬到了?|搬去了?|搬来了?|搬回(?:到|去)?了?)(?P<value>(?!院|手|口|了|进|过"
    rf"|一?[阵晚夜]|一?天(?![津水台门]))[{HAN}A-Za-z0-9]{{2,14}}?)(?P<long>[{ZH_NUMERAL}\d好多几半]+(?:多|个)?(?:年|月|个月|天"
    rf"|周)(?:多)?)?(?:了|去了|来了|住)?\Z"
)
_FROM = re.compile(
    rf"(?:就|也|其实|本来)*(?:是|来自)(?P<value>[{HAN}]{{2,6}})(?:人|来的)\Z|(?:老家|家乡)(?:就)?(?:是"
    rf"|在)(?P<value2>[{HAN}]{{2,10}})\Z"
)
_TRADE = (
    r"医生|护士|老师|教师|律师|工程师|设计师|厨师|会计师?|程序员|公务员|警察|司机|演员|歌手|作家|记者|编辑|画家|导演|教授"
    r"|学生|研究生|博士生|大学生"
    r"|高中生|初中生|销售|经理|店长|老板|助理|翻译|导游|店员|服务员|收银员|快递员|外卖员|保安|农民|工人|军人|消防员|裁缝"
    r"|木匠|电工|焊工|调度|技师"
    r"|技工|兽医|药师|摄影师|理发师|化妆师|修复师|心理咨询师|分析师|建筑师|咨询师|实习生|自由职业者?|全职妈妈|主播|博主"
    r"|插画师|产品经理|运营|客服|飞行员|驾驶员|救生员|管理员|教练|会计|法官|检察官|院长|校长|牧师|船长|渔民|牙医|园丁|调酒师"
    r"|咖啡师|面点师|甜品师|潜水员|研究员|主持人|(?:村|班|队|厂|组|科|处|局|镇|社|连|排)长"
)
_WORKS = re.compile(
    rf"(?:现在|目前|以前|一直|就|也|还|都)*(?:是|当|做)(?:过(?:[{ZH_NUMERAL}\d好几半]{{1,3}}年多?)?)?(?:个|一个|一名|名|一位"
    rf"|位)?(?P<value>[{HAN}]{{0,8}}(?:{_TRADE})|[{HAN}]{{1,5}}(?:工|师|员|匠|兵))(?:了|的)?\Z"
    rf"|(?:以前|之前|原来|曾经|现在|目前|一直|就|也|还)*在(?P<value2>[{HAN}A-Za-z0-9]{{2,14}}?)(?:上班|工作|任职|实习|打工|教书|上学|读书|读研|念书"
    rf"|当(?P<value3>[{HAN}]{{2,6}}))(?:了)?\Z"
    rf"|(?:现在|目前|以前|之前|一直|就|也|还|都)*(?:是)?(?P<value4>(?:做|开|跑|搞|干|卖|教|学|修)(?!的|人"
    rf"|什么)[{HAN}A-Za-z]{{1,6}})的\Z"
    rf"|(?:干|做)(?:这|那)?(?P<line>[{HAN}]{{0,3}})行(?:已经|都)?(?P<years>{_N}年)了?\Z"
)
_SURNAME = re.compile(rf"(?:就|也|都)?姓(?P<value>(?![什啥哪甚谁不])[{HAN}]{{1,2}})\Z")
_SIGN = re.compile(r"属(?P<value>[鼠牛虎兔龙蛇马羊猴鸡狗猪])\Z")
_STANDS = re.compile(
    rf"(?:还|现在|目前|已经|一直|就|也|至今)*(?:是)?(?P<value>单身|已婚|未婚|离异|结婚了|离婚了|订婚了|怀孕了|素食主义者"
    rf"|左撇子|色盲|独生子女?|独生女|双胞胎|聋人|盲人|退休)(?:的)?(?:好[多几]年|[{ZH_NUMERAL}\d]+(?:多)?(?:年"
    rf"|个月))?(?:了)?\Z"
)
_SKILL = re.compile(
    rf"(?:一直|到现在|至今|还|都|也|根本|完全)*不会(?P<value>游泳|开车|做饭|骑车|骑自行车|唱歌|跳舞|喝酒|抽烟"
    rf"|说[{HAN}]{{1,4}}|弹[{HAN}]{{1,3}}|滑雪|滑冰"
    rf"|打[{HAN}]{{1,3}}|游水)(?:的)?\Z"
)
_ABLE = re.compile(
    rf"(?:还|也|都|以前|小时候)*(?P<value>会(?:说|讲|弹|拉|吹|打|唱|跳|游|骑|修|做|画|写|开|织|缝)(?!你|你们|不|什么"
    rf"|的)[{HAN}]{{1,6}})(?:的)?\Z"
)
_LEARNS = re.compile(
    rf"(?:现在|最近|一直|还|也|正|这阵子|这学期)*(?:在|开始)学(?:着)?(?P<value>(?!校|你|他|她"
    rf"|什么)[{HAN}A-Za-z]{{1,10}}?)(?:了)?\Z"
    rf"|(?:现在|今年|目前|在|还)*(?P<value2>(?:读|上|念)(?:小学|初中|高中|大学|大[一二三四五]|高[一二三]|初[一二三]"
    rf"|研[一二三究]+|博士?|[一二三四五六]年级)[{HAN}]{{0,3}}?)(?:了)?\Z"
    rf"|(?:本科|大学|研究生|专业)?(?:是)?学(?P<value3>(?!校|会|到|习)[{HAN}]{{1,6}}?)(?:的|专业)\Z"
)
_ILLNESS = (
    r"哮喘|糖尿病|高血压|低血压|低血糖|贫血|胃病|鼻炎|湿疹|偏头痛|关节炎|抑郁症|焦虑症|多动症|心脏病|癫痫|痛风|颈椎病"
    r"|腰椎间盘突出|腰突|失眠症|近视|散光|夜盲症|乳糖不耐受?|甲亢|甲减|慢性[{HAN}]{1,4}"
)
_AILS = re.compile(
    rf"(?:一直|从小(?:就)?|也|还|天生|查出|得了|确诊了?|患)*(?:有|得了|患有|是|查出|确诊了?)(?:点|轻度|重度|严重的?|先天性"
    rf"|一点)*(?P<value>{_ILLNESS})(?:了)?\Z".replace("{HAN}", HAN)
)
_THING = (
    r"大提琴|小提琴|钢琴|吉他|贝斯|古筝|二胡|口琴|尤克里里|鼓|车|摩托|摩托车|自行车|单车|电动车|船|房子|公寓|院子|花园|菜园"
    r"|阳台|相机|望远镜|帐篷"
    r"|缝纫机|打字机|唱片机|咖啡机|纹身|疤|胎记|驾照|店|餐厅|咖啡馆|面馆|农场|工作室|书房|博客|频道|公众号|球鞋|手办|黑胶|邮票"
)
_OWNS = re.compile(
    rf"(?:家)?(?:里|还|也|现在|一共|就|自己)*(?:有|开(?:着)?|骑(?:着)?)(?P<value>[一二两三四五六七八九十几\d好多]*(?:把|辆"
    rf"|架|台|条|间|套|栋|艘|个|家|块|顶|张|双|本)[{HAN}A-Za-z]{{1,10}})\Z"
)
_AMONG = re.compile(r"(?:是)?(?P<value>最小的?|最大的?|老大|老[二三四五]|老幺|(?:[一二三四五六七八九十两]|\d+)口人)\Z")
_HABITUAL = re.compile(
    rf"(?:(?:一般|平时|通常|经常|总是|老是|天天|每天|每周[{ZH_NUMERAL}日天\d末]?|每个?(?:周[{ZH_NUMERAL}日天末]"
    rf"|星期[{ZH_NUMERAL}日天]|月|周末|礼拜[{ZH_NUMERAL}日天]?|年|晚上|早上|早|晚)|周末都?|习惯)(?:都|会|要|得|晚上|早上)*)"
    rf"(?P<value>(?!感觉|觉得|感到|想|希望|认为|以为|担心|遇到|说|听说|有人|会?(?:感觉|觉得|想))[{HAN}A-Za-z\d]{{2,16}}?)\Z"
    rf"|(?:也|都|还|一直|平时|偶尔|爱)*(?P<value3>打呼噜|打鼾|说梦话|磨牙|抽烟|抽电子烟|喝酒|打麻将|炒股|钓鱼|下棋|下围棋"
    rf"|写诗|画画|跳广场舞|信佛|信教|集邮|收集[{HAN}]{{1,5}}|练[{HAN}]{{1,4}}|养花|种[花菜][{HAN}]{{0,2}}|踢足球|打篮球"
    rf"|打羽毛球)\Z"
    rf"|(?P<value4>从(?:小|[{ZH_NUMERAL}\d]+岁|小学|初中|高中|大学|去年|前年)(?:就|起|开始)+[{HAN}]{{2,10}}?)\Z"
    rf"|(?P<value2>在[{HAN}]{{1,6}}里?(?:弹|拉|打|吹|唱|当)[{HAN}]{{1,6}})\Z"
)
_SLEEPLESS = (
    r"睡不着|睡不好|没睡好|吃不下(?:饭)?|提不起劲|没(?:什么)?胃口|心情(?:不太好|不好|很差|很好|超好|不错|低落)|状态(?:不太好"
    r"|不好|很差)|不舒服|不太舒服"
)
_HAS = re.compile(
    rf"(?:家)?(?:里|还|也|现在|一共)*(?:有|养了?|领养了"
    rf"|收养了)(?:(?P<number>[一二两三四五六七八九十几\d]+)?(?P<measure>[个只条位名匹窝]))?(?P<adjective>[{HAN}]{{0,6}}?)(?P"
    rf"<kin>{KIN_ZH_PATTERN})"
    rf"(?:[，,]?(?:名字|名)?(?:叫|叫做)(?:做)?(?P<name>[{HAN}A-Za-z]{{1,12}}))?\Z"
)
_NAMED_IT = re.compile(
    rf"给(?P<who>[{HAN}]{{1,8}}?)(?:起|取)(?:了?个?)?(?:名字?|外号|小名)?(?:就)?叫(?:做)?(?P<name>[{HAN}A-Za-z]{{1,12}})\Z"
)
_PROMISE = re.compile(
    rf"(?:(?:都|就|已经|也|还|跟|和|给|对)?[{HAN}]{{0,5}})?(?:答应|保证|发誓|承诺|拉钩|说好)(?:了|过|你|给你)*(?P<what>.*)"
    r"|(?P<will>(?:以后|从今往后|今后|下次|到时候?|明天|一定|肯定)?(?:一定|肯定|会|来)*(?:会|来|给|帮|请|陪|替|送|带|教|等"
    r"|提醒|接|还|把[\u4e00-\u9fff]{1,8}?(?:发|寄|送|还|借|拿|带|交|传|转)?给)(?P<to>你|您)(?P<rest>.*))"
)
_UNPROMISED = re.compile(r"\A(?:我)?(?:怎么|什么时候|不|没|别|才不|可不)|答应不|不能保证|没答应|不敢保证")
_FEELS = re.compile(
    r"(?:今天|最近|这几天|这两天|这阵子|这周|老是|老|总是|总|经常|现在|今晚|昨晚|刚才|一直|又|还是|都|有点儿?|好|很|太|真"
    r"|特别|超|快要?|实在|感觉|觉得|有些|挺|也|还|真的|已经|就|只)*"
    rf"(?P<value>{_SLEEPLESS}|累(?:瘫|死|坏|趴)?|困(?:死)?|感冒|发烧|生病|头疼|头痛|头晕|胃疼|肚子疼|牙疼|嗓子疼|咳嗽|失眠"
    rf"|难过|难受|伤心|开心|高兴|郁闷|焦虑|紧张|生气|烦|压力大|压力很大|孤独|无聊|失落"
    r"|崩溃|疲惫|疲倦|兴奋|激动|害羞|想家|怀孕|受伤|骨折|过敏|中暑|住院)"
    r"(?P<end>了|得.{0,6}|极了|坏了|死了|着呢|的)*\Z"
)
_FEELING_NEEDS = re.compile(
    r"今天|最近|这几天|这两天|这阵子|老|总|不太?|现在|今晚|昨晚|刚|又|有点|好|很|太|真|特别|超|快|实在|感觉|觉得|了\Z|死|瘫"
    r"|坏|一直|还"
)
_DENIED = re.compile(
    r"没(?!了|事|收)|没有|不(?!过|久|错|少|小心|得不|仅|光|止|停|断|一会|管|知不觉|好意思|只)|未(?!来|婚)|别(?!人|的|处)"
    r"|从来|忘了|舍不得|不用"
)
_DONE = re.compile(r"(?P<verb>[\u4e00-\u9fff]+?)(?:了(?!解|不起|不得)|过(?!来|去|敏|年|夜|程|分|不)|完|到了|好了)|终于|刚刚?")
_TO_COME = re.compile(r"要|会|将|打算|准备|计划|决定|约了|约好|报了|预约|定了|去|来|考|到|开始|上班|出差|结婚|毕业|搬|举行|开|起")
_TIME_WORD = re.compile(
    r"[昨今明前后]天|[昨今明]晚|今早|今年|去年|明年|上[个周月]|下[个周月]|最近|这几天|这两天|刚才|刚刚|上次|下次|当时|那天|那时"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A clause with its subject told apart. ``subject``: canonical; ``said``: as it stands there; ``rest``: what follows it;
    ``kin``: what the subject is to the speaker, where it is a relative; ``first``: whether it is the speaker."""

    number: int
    text: str
    subject: str
    said: str
    rest: str
    first: bool
    kin: str = ""
    own_words: bool = True


def drafts(sentence: Sentence, scene: Scene) -> Iterator[Draft]:
    """The facts of a sentence that was stated."""
    whole = {
        number: draft
        for number, text in enumerate(sentence.clauses)
        if (draft := next((found for rule in _WHOLE if (found := rule(text, scene)) is not None), None)) is not None
    }
    yield from (_on_day(draft, sentence.clauses[number + 1 :], scene) for number, draft in whole.items())
    clauses = _with_subjects(sentence.clauses, scene)
    if not clauses and not whole:
        yield from _news(sentence, scene)
    used = -1
    found_by = {clause.number: _by_rules(clause, scene, sentence) for clause in clauses if clause.number not in whole}
    own = frozenset(number for number, found in found_by.items() if found is not None and is_single(found.slot))
    for clause in clauses:
        if clause.number in whole:
            continue
        found = found_by[clause.number]
        if found is not None:
            yield found
            told = _named_clause(clause, found)
            more = _by_rules(told, scene, sentence) if told else None
            if more is not None:
                yield more
        elif clause.number > used:
            event = _event(clause, clauses, scene, sentence, own)
            if event is not None:
                used = clause.number + event.clauses - 1
                yield event


def _by_rules(clause: Clause, scene: Scene, sentence: Sentence) -> Draft | None:
    return _ended(clause, scene, sentence) or _by_plain_rules(clause, scene, sentence)


def _former(clause: Clause, plain: str, scene: Scene, sentence: Sentence) -> Draft | None:
    """What the clause would say if ``plain`` followed its subject."""
    positive = replace(clause, rest=plain, text=f"{clause.said or clause.subject}{plain}")
    found = _by_plain_rules(positive, scene, sentence)
    return found if found is not None and found.slot else None


def _ended(clause: Clause, scene: Scene, sentence: Sentence) -> Draft | None:
    """我已经不在银行上班了: what was so, and is no longer."""
    plain = affirmed(clause.rest)
    former = _former(clause, plain, scene, sentence) if plain else None
    put = _finished(clause.text if clause.said else f"{clause.subject}{clause.text}", scene) if former else None
    if former is None or put is None or former.kind is Kind.PROMISE:
        return None
    taste = former.slot.startswith("taste:")
    return Draft(
        kind=former.kind,
        subject=clause.subject,
        slot=former.slot,
        value=f"{ENDED}{former.value}",
        text=put,
        rule="ended",
        names=scene.names(put),
        ends=((former.slot, "" if taste else former.value),),
    )


def _by_plain_rules(clause: Clause, scene: Scene, sentence: Sentence) -> Draft | None:
    return next((draft for rule in _RULES if (draft := rule(clause, scene, sentence)) is not None), None)


def _named_clause(clause: Clause, found: Draft) -> Clause | None:
    """我儿子小乐对鸡蛋过敏: what is said of him by whose name he is called."""
    if found.called is None or not clause.kin:
        return None
    name = found.called[0]
    rest = re.sub(r"\A[，,、]", "", clause.rest)
    if not rest.startswith(name) or len(rest) < len(name) + 2:
        return None
    rest = rest.removeprefix(name)
    return replace(clause, text=f"{name}{rest}", subject=name, said=name, rest=rest, kin="")


# -- subjects -----------------------------------------------------------------------------------------------------------------


#: 我住在上海的表弟 is who the speaker's cousin is; the speaker lives where nobody says.
_LIVING_THERE = re.compile(rf"\A我(?:那个?)?住在?[{HAN}]{{2,6}}?的(?={KIN_ZH_PATTERN})")


def _with_subjects(texts: Sequence[str], scene: Scene) -> list[Clause]:
    found: list[Clause] = []
    before: Clause | None = None
    for number, text in enumerate(texts):
        bare = _LIVING_THERE.sub("我的", _without_lead(text))
        clause = _told_subject(number, bare, scene) or _inherited(number, bare, before, scene)
        if clause is not None and not clause.rest:
            clause = None  # a name alone calls somebody: what follows is said to them
        if clause is not None:
            found.append(clause)
        before = clause
    return found


def _without_lead(text: str) -> str:
    while match := _LEAD.match(text):
        if match.end() == len(text):
            break
        text = text[match.end() :]
    return text


def _time_first(text: str, scene: Scene) -> int:
    """Where the words begin after a time at the beginning of the clause."""
    if scene.now is None:
        return 0
    whens = find_whens(text, scene.now, Language.ZH)
    begin = whens[0].end if whens and whens[0].begin == 0 else 0
    return begin + len(re.match(r"(?:一早|早上|上午|中午|下午|晚上|夜里|起)?[的，,]?", text[begin:])[0]) if begin else 0  # type: ignore[index]


#: 你出差的时候我…: when, not who.
_MEANWHILE = re.compile(r"[你您][\u4e00-\u9fff]{1,8}(?:的时候|之后|以后|之前|期间|那天)(?=我)")


def _told_subject(number: int, text: str, scene: Scene) -> Clause | None:
    meanwhile = _MEANWHILE.match(text)
    begin = meanwhile.end() if meanwhile else _time_first(text, scene)
    pattern = (
        rf"(?P<home>我们?家(?!的|隔壁|楼[上下]|附近|门口|对面|旁边|{KIN_ZH_PATTERN})(?=[{HAN}]))|(?P<pair>我们俩|咱俩|我俩|我们(?!家)|咱们)"
        rf"|(?P<kin>我(?:们?家的?|的)?(?P<role>{KIN_ZH_PATTERN})(?P<kinname>[小阿老]?[{HAN}]{{0,2}})?)"
        rf"|(?P<theirs>(?P<owner>{one_of(scene.forms)})的(?P<of>{KIN_ZH_PATTERN})(?![的们]))"
        rf"|(?P<own>{one_of(OWN_ZH)})(?![们的])|(?P<name>{one_of(scene.forms)})(?![的{HAN}]?(?:妈|爸|爷|奶))|(?P<i>我)(?!们"
        rf"|[的家])"
    )
    match = re.compile(pattern).match(text, begin)
    if match is None:
        return None
    return _clause_of(match, number, text, begin, scene)


def _clause_of(match: re.Match[str], number: int, text: str, begin: int, scene: Scene) -> Clause | None:
    rest = text[match.end() :]
    speaker = scene.speaker

    def clause(
        subject: str | None, *, first: bool = False, kin: str = "", rest: str = rest, said: str = match[0]
    ) -> Clause | None:
        if subject is None or (rest.startswith("的") and not first):
            return None
        return Clause(number=number, text=text, subject=subject, said=said, rest=rest, first=first, kin=kin)

    if match["i"] or match["pair"]:
        return clause(speaker, first=True, rest=rest[_time_first(rest, scene) :] if _is_given(rest, scene) else rest)
    if match["home"]:
        return clause(speaker, first=True, rest=re.sub(r"\A我(?=[最是])", "", rest))
    if match["kin"] is not None:
        name = match["kinname"] or ""
        end = match.end() if name in scene.forms else match.end() - len(name)
        label = kin_label(speaker, match["role"])
        return clause(label, kin=match["role"], rest=text[end:], said=text[match.start() : end])
    if match["theirs"]:
        owner = scene.forms[match["owner"]]
        return clause(kin_label(owner, match["of"]), kin=match["of"] if owner == speaker else "")
    if match["own"]:
        label = kin_label(speaker, match["own"])
        return Clause(
            number=number, text=text[:begin] + label + rest, subject=label, said=label, rest=rest, first=False, kin=match["own"]
        )
    name = scene.forms[match["name"]]
    return clause(name, first=name == speaker)


def _is_given(rest: str, scene: Scene) -> bool:
    """我周日给你打电话: whether a time stands between the speaker and what is done for another."""
    return re.match(r"(?:会|要|再|就|去|来)*(?:给|帮|请|陪|替|送|带|教|还|接|把)", rest[_time_first(rest, scene) :]) is not None


def _inherited(number: int, text: str, before: Clause | None, scene: Scene) -> Clause | None:
    """A clause without a subject has that of the clause before it; the first of a message, when it answers or begins with what
    only the speaker can feel or do, has the speaker."""
    own_day = before is None and number == 0 and not scene.of_another and not scene.among_others and text.startswith("生日")
    if not own_day and not _begins_with_predicate(text, _time_first(text, scene)):
        return None
    rest = text[_time_first(text, scene) :]
    if before is not None and not _names_another(before, scene):
        return Clause(
            number=number,
            text=text,
            subject=before.subject,
            said="",
            rest=rest,
            first=before.first,
            kin=before.kin,
            own_words=False,
        )
    if before is None and number == 0 and (scene.asked or own_day or _is_own(rest) or _is_own_act(text, rest, scene)):
        return Clause(number=number, text=text, subject=scene.speaker, said="", rest=rest, first=True, own_words=False)
    return None


def _names_another(clause: Clause, scene: Scene) -> bool:
    """Whether a clause names somebody besides its subject, who may be the subject of the next."""
    if _FROM.match(clause.rest):
        return False
    return re.search(r"我|[你您他她]", clause.rest) is not None or any(
        name != clause.subject for name in scene.names(clause.rest) if not _is_place(name)
    )


def _is_place(name: str) -> bool:
    return all(tag in ("ns", "nt", "nz") for _, tag in _jieba.tagged(name))


def _begins_with_predicate(text: str, begin: int) -> bool:
    words = _jieba.tagged(text[begin:])
    patterns = (_TASTE, _NOT_EATEN, _WORKS, _LEARNS, _LIVES)
    if words and (
        any(pattern.match(text, begin) for pattern in patterns)
        or re.search(rf"(?:{_SLEEPLESS})\Z", text)
        or _LOST.match(text, begin)
    ):
        return True
    while words and (words[0][1] == "t" or words[0][0] in _NOWADAYS):
        words = words[1:]
    return (
        bool(words)
        and (words[0][1][0] in "vdpaz" or words[0][0].startswith(_ACTS))
        and words[0][0] not in ("是", "有", "说", "像", "在")
    )


_NOWADAYS = ("现在", "目前", "最近", "以前", "之前", "平时", "后来", "这阵子")
#: What people do, so that it is the speaker who does it where nobody is named.
_ACTS = tuple(
    words_of(
        """
买 卖 领养 收养 辞职 搬 考 面试 交 报名 报了 预约 约了 订
去 飞 看了 学 换 退 租 签 办 请了 做了 写 终于 刚
要 打算 准备 回 出差 跑 参加 升职 毕业 结婚 离婚 分手 摔 丢了
弄丢 养
"""
    )
)
#: What is a plan where the day is to come.
_TRIPS = ("去", "飞", "回", "出差", "考", "面试", "搬", "结婚", "毕业", "参加", "看病", "看牙")
_NOT_ACTS = re.compile(
    r"(?:终于|刚|要|准备|又|打算)*(?:下雨|下雪|刮风|打雷|停电|停水|地震|放假|降温|是|有|说|像|回复|去世|看[^病牙医]|考虑"
    r"|要是|要不|要么|学校|回头|换句|做人|去年|跑题|写作|交通)"
)
_LOST = re.compile(
    r"(?:在[\u4e00-\u9fff]{1,8})?(?:又|不小心)*把[\u4e00-\u9fff]{1,6}?(?:给)?(?:弄|搞)?(?:丢|卖|摔|坏|修好|退|戒|扔|寄|忘"
    r"|落)[\u4e00-\u9fff]{0,4}了?"
)
_DONE_ACT = re.compile(r"了|要|打算|准备|终于|刚")


def _is_own_act(text: str, rest: str, scene: Scene) -> bool:
    """昨天领养了一只猫, 六月要搬去厦门: an act at a time, told where nobody else is spoken of."""
    is_act = rest.startswith(_ACTS) or _LOST.match(rest) is not None
    if scene.of_another or scene.among_others or _OTHERS.search(text) or _NOT_ACTS.match(rest) or not is_act:
        return False
    begin = _time_first(text, scene)
    dated = begin > 0 or text.startswith(_NOWADAYS)
    when = most_time(text[:begin], scene, Language.ZH) if begin else None
    ahead = when is not None and scene.now is not None and when[0] > scene.now and rest.startswith(_TRIPS)
    return dated and (ahead or _DONE_ACT.search(rest) is not None) and not re.search(r"(?:吧|别|就好|再说|一下)\Z", rest)


def _is_own(rest: str) -> bool:
    """What is said without a subject and without a question before it, and still can only be of the speaker."""
    taste = _TASTE.match(rest)
    return bool(_FEELS.match(rest) and _FEELING_NEEDS.search(rest)) or bool(
        taste and (taste["neg"] or taste["verb"] in ("怕", "喜欢", "讨厌", "受不了", "忍不了", "迷上了", "迷上"))
    )


# -- rules --------------------------------------------------------------------------------------------------------------------


def _draft(
    clause: Clause,
    scene: Scene,
    kind: Kind,
    rule: str,
    *,
    slot: str = "",
    value: str = "",
    text: str | None = None,
    put: str | None = None,
    aliases: tuple[str, ...] = (),
) -> Draft | None:
    """A draft of what the clause says, in its own words unless others are given; ``put``: in words that are finished already."""
    words = clause.text if text is None else text
    if text is None and not clause.said:
        words = f"{clause.subject}{clause.text}"
    put = _finished(words, scene, Tense.FUTURE if kind is Kind.PROMISE else None) if put is None else put
    if put is None or _points_outside(value):
        return None
    return Draft(
        kind=kind, subject=clause.subject, slot=slot, value=value, text=put, rule=rule, names=scene.names(put), aliases=aliases
    )


def _points_outside(value: str) -> bool:
    return re.search(r"[你您她它]|(?<![吉其])他|我", value) is not None


def _finished(words: str, scene: Scene, meant: Tense | None = None) -> str | None:
    """``words`` with its times absolute and its pronouns put as names."""
    if scene.now is None:
        return None if _TIME_WORD.search(words) else told_zh(words, scene)
    dated, _ = absolute(words, scene.now, Language.ZH, meant)
    return told_zh(dated, scene)


_CALLED_INSTEAD = re.compile(rf"(?:而?是|应该)?(?:叫|名叫){_NAME}\Z")


def _renaming(clause: Clause, scene: Scene, sentence: Sentence) -> Draft | None:
    """我家的猫不叫咪咪，叫米粒."""
    wrong = not_called(clause.rest)
    after = sentence.clauses[clause.number + 1 : clause.number + 2]
    match = _CALLED_INSTEAD.match(after[0]) if wrong and clause.kin and after else None
    draft = _kin(clause, scene, clause.kin, match["name"]) if match else None
    return replace(draft, ends=((f"{clause.kin}:{wrong}", ""),)) if draft else None


#: 叫个不停, 叫了一晚上: a voice, and no name.
_NO_NAME = re.compile(
    r"\A(?:[了着过得个起醒喊完很太好]|一[晚夜整直]|半天|几声|[两三]声|整[晚夜天]|声)|不停|不休|没完|一[晚夜天整]|半夜|[了着过]\Z"
)


def _naming(clause: Clause, scene: Scene, sentence: Sentence) -> Draft | None:
    called = _CALLED.match(clause.rest)
    if called is None or not _may_be_called(clause, called["name"]):
        return None
    name = called["name"]
    if clause.kin and not clause.first and not clause.own_words:
        return None  # 我弟弟养了只狗，叫旺财: whoever came last is called so
    if clause.kin:
        return _kin(clause, scene, clause.kin, name)
    if (clause.first and not clause.own_words) or name == clause.subject:
        return None
    return _draft(clause, scene, Kind.IDENTITY, "called", slot="name", value=name, aliases=(name,))


def _kin(clause: Clause, scene: Scene, kin: str, name: str) -> Draft | None:
    label = kin_label(scene.speaker, kin)
    return Draft(
        kind=Kind.RELATION,
        subject=scene.speaker,
        slot=f"{kin}:{name}",
        value=name,
        text=f"{label}叫{name}",
        rule="kin",
        names=tuple(dict.fromkeys((scene.speaker, name))),
        aliases=(),
        called=(name, label),
    )


#: Who died, or is denied to be who they are called, is not said again to be so.
_IS_GONE = re.compile(rf"死了|去世|过世|离世|病逝|没了\Z|不在了\Z|(?:不是|才不是|不再是)我?(?:们?家)?的?{KIN_ZH_PATTERN}")


def _kin_name(clause: Clause, scene: Scene, sentence: Sentence) -> Draft | None:
    """我徒弟小侯天天抽我背: the name stands right behind the relative."""
    if not clause.kin or not clause.said.startswith("我"):
        return None
    match = re.match(rf"[，,]?(?P<name>[小阿老][{HAN}]|[{HAN}]{{2,3}})", clause.rest)
    name = next(
        (form for form in sorted(scene.forms, key=len, reverse=True) if clause.rest.startswith(form) and "的" not in form),
        None,
    )
    if name is None and match and match["name"][0] in "小阿老" and _is_name(match["name"]):
        name = match["name"]
    if name is not None and _IS_GONE.search(clause.rest.removeprefix("，").removeprefix(name)):
        return None
    own = name is None or scene.forms.get(name, name) == scene.speaker
    return None if own or name is None else _kin(clause, scene, clause.kin, name)


def _is_name(word: str) -> bool:
    return all(tag[0] in "nxezji" or tag in ("nr", "a", "v") for _, tag in _jieba.tagged(word)) and not re.search(
        r"[了的着过我你他她什么]", word
    )


def _may_be_called(clause: Clause, word: str) -> bool:
    """Whether ``word`` is a name here. 朵朵: a syllable said twice is one where it is said of a relative; 叫妈妈起床 calls."""
    if _NO_NAME.search(word) or _CALLS_KIN.match(word):
        return False
    is_animal = clause.kin != "" and KIN_ZH.get(clause.kin) == "n"
    is_twice = clause.kin != "" and re.fullmatch(r"([^什谁啥])\1", word) is not None
    return _is_name(word) or is_twice or (is_animal and not _OTHERS.search(word))


_CALLS_KIN = re.compile(rf"(?:{'|'.join(kin for kin, gender in KIN_ZH.items() if len(kin) > 1 and gender != 'n')})")


def _age(clause: Clause, scene: Scene, sentence: Sentence) -> Draft | None:
    match = _AGED.match(clause.rest)
    if match is None:
        return None
    value = match["value"] or match["value2"]
    return _as_of(_draft(clause, scene, Kind.IDENTITY, "age", slot="age", value=value, text=f"{clause.subject}{value}岁"), scene)


def _identity(clause: Clause, scene: Scene, sentence: Sentence) -> Draft | None:
    if clause.rest.startswith("以前") and not re.search(r"是|住|在", clause.rest):
        return None
    rest = clause.rest[_time_first(clause.rest, scene) :]
    for slot, pattern in _IDENTITIES:
        match = pattern.match(rest if "搬" in rest and slot == "lives" else clause.rest)
        if match is None or _points_outside(match.groupdict().get("value") or "") or _OF_OTHERS.search(clause.rest):
            continue
        found = match.groupdict()
        value = next((found[name] for name in ("value3", "value", "value2", "value4", "years") if found.get(name)), "")
        if slot == "owns" and not re.search(rf"\A[^{_MEASURED}]?[{_MEASURED}]|(?:{_THING})\Z", value):
            continue
        if slot == "lives":
            return _home(clause, scene, value)
        return _identified(clause, scene, sentence, _slot(slot, match, clause, value), value)
    return None


def _slot(slot: str, match: re.Match[str], clause: Clause, value: str) -> str:
    """The slot of what was found: a trade and a place of work are two things, and one is married and vegetarian at once."""
    found = match.groupdict()
    if found.get("years"):
        return "years"
    if _FORMERLY.match(clause.rest) or (slot == "work" and re.search("[是当做]过", match[0])):
        return f"used:{value}"
    if slot == "work":
        return "workplace" if found.get("value2") and not found.get("value3") else "work"
    if slot == "studies" and found.get("value2"):
        return "school"
    if slot == "stands":
        return _stands_slot(value)
    return f"{slot}:{value}" if slot in _MANY else slot


def _stands_slot(value: str) -> str:
    if re.search(r"婚|单身|离异", value):
        return "marital"
    return "diet" if "素食" in value else "work" if value == "退休" else f"is:{value}"


def _identified(clause: Clause, scene: Scene, sentence: Sentence, slot: str, value: str) -> Draft | None:
    rule = slot.partition(":")[0]
    draft = _draft(clause, scene, Kind.IDENTITY, rule, slot=slot, value=value)
    if draft is None:
        return None
    past = formerly(clause.rest) if rule == "used" else None
    former = _former(clause, past, scene, sentence) if past else None
    ends: tuple[tuple[str, str], ...] = ((former.slot, former.value),) if former else ()
    if slot in _JOB_SLOTS and is_new_job(clause.rest):
        ends = tuple(one for one in JOB if one[0] != slot)
    # 我也是护士 is so beside what else somebody is
    is_beside = slot in _JOB_SLOTS and _BESIDE.match(clause.rest) is not None
    return replace(draft, ends=() if is_beside else ends, also=is_beside)


_BESIDE = re.compile(r"(?:现在|目前|一直|其实)?也")
_JOB_SLOTS = tuple(slot for slot, _ in JOB)
_MOVED = re.compile(r"搬[到去来回]")


#: What is no place to live in, or is a place for a night; and who came back did not stay.
_NO_HOME = re.compile(
    r"[的叫又和跟是在再过不没]|回[来去]|酒店|宾馆|旅馆|旅店|民宿|青旅|招待所|医院|病房|帐篷|沙发|床|心[里中上]|梦|回忆|记忆|过去|幻想|童话|故事"
    r"|公司|办公室|工位|座位|部门|[一二三四五六七八九十\d]+[楼层排组]|恐惧|痛苦|阴影|黑暗|幸福|希望"
)
_PLACE_WITHIN = re.compile(
    r"(?:城|乡|山|村|镇|市|县|岛|湖|江|海|河|郊|国|省|区|园|院|巷|胡同|街|楼|路|校|河边|校园|宿舍|家|学校)(?:里|上|中|下|边|内|外|底下)\Z"
)
_A_WHILE = re.compile(rf"[{ZH_NUMERAL}\d好多几半]+(?:多|个)?(?:天|周|星期|晚)(?:了)?\Z")


def _is_home(value: str, rest: str) -> bool:
    """Whether somebody who lives there, by these words, has a home there: 杭州, and not 回忆里, nor 酒店."""
    inside = re.search(r"[里上中下内]\Z", value) is not None
    return not (_NO_HOME.search(value) or _A_WHILE.search(rest) or (inside and not _PLACE_WITHIN.search(value)))


def _home(clause: Clause, scene: Scene, value: str) -> Draft | None:
    """Where somebody lives or moved to; with since when, if that is told."""
    if _FORMERLY.match(clause.rest):
        draft = _draft(clause, scene, Kind.IDENTITY, "lives", slot=f"used:{value}", value=value)
        return replace(draft, ends=(("lives", value),)) if draft else None
    if not _is_home(value, clause.rest):
        return None
    draft = _draft(clause, scene, Kind.IDENTITY, "lives", slot="lives", value=re.sub(r"(?<=[\u4e00-\u9fff]{2})市\Z", "", value))
    if draft is None or not _MOVED.search(clause.rest):
        return replace(draft, also="也" in clause.rest) if draft else None
    began = most_time(clause.text, scene, Language.ZH)
    return replace(draft, text=f"{draft.text}，住在那里", when=began, began=began)


_OF_OTHERS = re.compile(r"[你您她它]|(?<![吉其])他")
#: Things that are counted by these are owned.
_MEASURED = "辆艘栋套"
_FORMERLY = re.compile(r"(?:以前|之前|原来|曾经)")
_IDENTITIES = (
    ("lives", _LIVES),
    ("from", _FROM),
    ("work", _WORKS),
    ("sign", _SIGN),
    ("surname", _SURNAME),
    ("stands", _STANDS),
    ("cannot", _SKILL),
    ("can", _ABLE),
    ("studies", _LEARNS),
    ("health", _AILS),
    ("owns", _OWNS),
    ("among", _AMONG),
    ("habit", _HABITUAL),
)
#: Of these one has any number.
_MANY = ("cannot", "can", "studies", "health", "owns", "habit", "used")


def _as_of(draft: Draft | None, scene: Scene) -> Draft | None:
    """The draft with the day it was said, if it names none."""
    if draft is None or scene.now is None or re.search(r"\d{4}-\d\d", draft.text):
        return draft
    return replace(draft, text=f"{draft.text}（{scene.now:%Y-%m-%d}）")


def _birthday(clause: Clause, scene: Scene, sentence: Sentence) -> Draft | None:
    match = _BORN.match(clause.rest)
    value = (match["value"] or match["value2"] or "") if match else ""
    now = scene.now or any_year(value)
    if now is None or _DENIED.search(value):
        return None
    whens = find_whens(value, now, Language.ZH)
    if not whens or whens[0].stop - whens[0].start > _DAY:
        return None
    dated = annual(clause.text if clause.said else f"{clause.subject}{clause.text}", now, Language.ZH)
    return _draft(
        clause, scene, Kind.DATE, "birthday", slot="birthday", value=f"{whens[0].start:%m-%d}", put=told_zh(dated, scene)
    )


def _taste(clause: Clause, scene: Scene, sentence: Sentence) -> Draft | None:
    favourite = _FAVOURITE.match(clause.rest)
    if favourite:
        value = favourite["value"] or favourite["value2"]
        thing = favourite["thing"] or ""
        return (
            None
            if _OTHERS.search(value) or re.search(r"[不没非]\Z", thing)
            else _draft(clause, scene, Kind.PREFERENCE, "favourite", slot=f"favourite:{thing}", value=value)
        )
    match = _TASTE.match(clause.rest) or _NOT_EATEN.match(clause.rest)
    if match is None:
        return None
    if match["verb"] in ("吃素", "吃全素") and not match["object"].strip("的了"):
        return _draft(clause, scene, Kind.PREFERENCE, "taste", slot="taste:素", value="吃素")
    verb, about = match["verb"], re.sub(r"(?<=.)了\Z", "", match["object"].strip())
    denied = "不" if match.groupdict().get("neg") else ""
    if verb.startswith("对"):
        about, verb, denied = _toward(verb)
    refused = _refused_object(about) or (verb == "习惯" and not match.groupdict().get("neg"))
    if refused:
        return None
    if not about:
        return _elliptic_taste(clause, scene, sentence, verb)
    if not _is_thing(about):
        return None
    text = f"{clause.said or clause.subject}{clause.rest}"
    if denied and _AVERSION.match(verb):
        averse = _draft(clause, scene, Kind.PREFERENCE, "taste", slot=f"taste:{about}", value=f"{ENDED}{verb}", text=text)
        return replace(averse, ends=((f"taste:{about}", DISLIKES),)) if averse else None
    return _draft(clause, scene, Kind.PREFERENCE, "taste", slot=f"taste:{about}", value=denied + verb, text=text)


#: Who is *not* that has nothing against the thing, and need not like it.
_AVERSION = re.compile(r"过敏|害怕|怕|讨厌|厌恶|痛恨|恨")


def _toward(verb: str) -> tuple[str, str, str]:
    """对花生并不过敏 → what it is about, the word of feeling, and what denies it."""
    about = re.sub(r"\A对|(?:过敏|感兴趣|没兴趣|上瘾)\Z", "", verb)
    bare = re.sub(r"(?:并|也|都|又|已经|现在)*(?:不(?:再|太|怎么|会|是)?|没有?)\Z", "", about)
    word = "没兴趣" if verb.endswith("没兴趣") else verb[-3:] if verb.endswith("感兴趣") else verb[-2:]
    return bare, word, "不" if bare != about and re.search(r"[不没]", about.removeprefix(bare)) else ""


def _refused_object(about: str) -> bool:
    return _OTHERS.search(about) is not None or re.match(r"[了过着上]|不(?!锈)|不|死|的(?:人|事|是)", about) is not None


def _is_thing(about: str) -> bool:
    """Whether it is short enough to be one thing, and is not a thing that somebody does at this moment."""
    return len(about) <= 16


def _elliptic_taste(clause: Clause, scene: Scene, sentence: Sentence, verb: str) -> Draft | None:
    """…芒果糯米饭打折，可惜我吃不了: what it is about stands in the clause before, so both are kept."""
    if not re.search(r"吃|喝|碰|沾|过敏", verb) or clause.number == 0:
        return None
    before = _without_lead(sentence.clauses[clause.number - 1])
    about = next(
        (word for word, tag in _jieba.tagged(before) if tag[0] == "n" and len(word) > 1 and not re.search(r"[上下里]", word)), ""
    )
    if not about:
        return None
    return _draft(clause, scene, Kind.PREFERENCE, "taste", slot=f"taste:{about}", value=verb, text=f"{before}，{clause.text}")


def _possession(clause: Clause, scene: Scene, sentence: Sentence) -> Draft | None:
    rest = clause.rest + "".join(
        "，" + _without_lead(text)
        for text in sentence.clauses[clause.number + 1 : clause.number + 2]
        if re.match(r"(?:名字|名)?叫", _without_lead(text))
    )
    match = _HAS.match(rest.replace("，", "")) or _HAS.match(clause.rest)
    if match is None or not clause.first:
        return None
    kin, name = match["kin"], match["name"]
    if name and _is_name(name):
        return _kin(clause, scene, kin, name)
    if match["number"] is None and KIN_ZH[kin] != "n":
        return None
    return _draft(clause, scene, Kind.RELATION, "has", slot=f"has:{kin}", value=match["number"] or "")


def _gave_name(clause: Clause, scene: Scene, sentence: Sentence) -> Draft | None:
    match = _NAMED_IT.search(clause.rest)
    if match is None or _DENIED.search(clause.rest):
        return None
    who = match["who"]
    whom = "" if who in ("它", "他", "她") else f"给{who}"
    put = told_zh(f"{clause.subject}{whom}起名叫{match['name']}", scene)
    if put is None:
        return None
    names = tuple(dict.fromkeys((*scene.names(put), match["name"])))
    return Draft(
        kind=Kind.RELATION,
        subject=clause.subject,
        slot=f"named:{match['name']}",
        value=match["name"],
        text=put,
        rule="naming",
        names=names,
    )


def _promise(clause: Clause, scene: Scene, sentence: Sentence) -> Draft | None:
    match = _PROMISE.match(clause.rest)
    if match is None or not clause.first or _UNPROMISED.search(clause.rest):
        return None
    what = match["what"] if match["will"] is None else match["rest"]
    lead = _lead_in(clause, sentence)
    tail = _tail(clause, sentence, scene)
    if (len(what or "") < 2 and not lead and not tail and "把" not in clause.rest) or (
        match["will"] is not None and re.search(r"了\Z|过|[了]", clause.rest)
    ):
        return None
    text = "，".join([*lead, f"{clause.text if clause.said else clause.subject + clause.text}", *_tail(clause, sentence, scene)])
    return _draft(clause, scene, Kind.PROMISE, "promise", text=text)


def _lead_in(clause: Clause, sentence: Sentence) -> list[str]:
    """A clause of time right before: 以后每周日晚上九点，我提醒你."""
    kept: list[str] = []
    for text in reversed(sentence.clauses[max(0, clause.number - 2) : clause.number]):
        if len(text) > 16 or _OTHERS.search(text) or not re.search(r"以后|每|[点号日天]|明|下", text):
            break
        kept.insert(0, _without_lead(text))
    return kept


def _tail(clause: Clause, sentence: Sentence, scene: Scene, own: Collection[int] = ()) -> list[str]:
    """What follows in the sentence and has no subject of its own."""
    kept: list[str] = []
    length = len(clause.text)
    for number, text in enumerate(sentence.clauses[clause.number + 1 : clause.number + MOST_CLAUSES], clause.number + 1):
        length += len(text)
        if number in own or length > MOST_CHARACTERS or _OTHERS.search(text) or _begins_anew(_without_lead(text), scene):
            break
        kept.append(text)
    return kept


def _begins_anew(text: str, scene: Scene) -> bool:
    """Whether a clause has a subject of its own, and says something of it."""
    clause = _told_subject(0, text, scene)
    return clause is not None and any(tag[0] in "vd" for _, tag in _jieba.tagged(clause.rest))


def _state(clause: Clause, scene: Scene, sentence: Sentence) -> Draft | None:
    match = _FEELS.match(clause.text if not clause.said else clause.rest)
    if match is None or not _FEELING_NEEDS.search(match[0]) or not (clause.first or clause.kin):
        return None
    whole = f"{clause.said or clause.subject}{clause.rest}" if clause.said else f"{clause.subject}{clause.text}"
    return _as_of(_draft(clause, scene, Kind.STATE, "state", slot="feels", value=match["value"], text=whole), scene)


_DAY = timedelta(days=1)
Rule = Callable[[Clause, Scene, Sentence], Draft | None]
_RULES: tuple[Rule, ...] = (
    _renaming, _naming, _kin_name, _age, _birthday, _possession, _gave_name, _identity, _taste, _promise, _state,
)  # fmt: skip


# -- events -------------------------------------------------------------------------------------------------------------------


def _event(clause: Clause, clauses: Sequence[Clause], scene: Scene, sentence: Sentence, own: Collection[int]) -> Draft | None:
    """What happened or will: a clause with a verb that is done, or with a time and a verb to come; and what belongs to it, but
    for clauses that say something of their ``own``."""
    led = clause.said or any(one.said and one.number < clause.number for one in clauses)
    if not led and not _is_dated(clause.text, scene):
        return None
    tail = _tail(clause, sentence, scene, own)
    words = clause.text if clause.said else f"{clause.subject}{clause.text}"
    whole = "，".join((words, *tail))
    if not _happens(clause, whole, scene) or not (
        is_leaving(clause.rest) or len(clause.rest) > 5 or _is_dated(whole, scene) or _has_object(clause.rest, tail)
    ):
        return None
    put = _finished(whole, scene)
    if put is None:
        return None
    when = most_time(whole, scene, Language.ZH)
    what = plan_noun(clause.rest) if when else ""
    return Draft(
        kind=Kind.EVENT,
        subject=clause.subject,
        slot=f"when:{what}" if what and when else "",
        value=told(*when) if what and when else "",
        text=put,
        rule="event",
        names=scene.names(put),
        when=when,
        clauses=1 + len(tail),
        ends=JOB if is_leaving(clause.rest) else (),
        also=bool(what),
    )


def _has_object(rest: str, tail: Sequence[str]) -> bool:
    """Whether it says enough to be told apart from anything else: something with a name, beside the verb."""
    return any((tag[0] in "nsrxe" and len(word) > 1) or tag == "n" for word, tag in _jieba.tagged(rest + "，" + "，".join(tail)))


_NEWS = re.compile(
    rf"(?P<what>[{HAN}]{{2,8}}?)(?:已经|终于|都|总算)?(?:交|做|修|写|考|搬|买|卖|找|寄|收|换|装|订|还|丢|坏|办|取|发|补|洗"
    rf"|印|签|结|谈|批)(?:完|好|到|下来|成)?了"
)


def _news(sentence: Sentence, scene: Scene) -> Iterator[Draft]:
    """标本册交了: what became of a thing, told by the speaker, who need not be the one who did it."""
    text = _without_lead(sentence.clauses[0]) if sentence.clauses else ""
    match = _NEWS.fullmatch(text)
    if match is None or not all(tag[0] in "nq" for _, tag in _jieba.tagged(match["what"])) or len(sentence.clauses) > 2:
        return
    put = told_zh(f"{scene.speaker}说{text}", scene)
    if put is not None:
        yield Draft(kind=Kind.EVENT, subject=scene.speaker, text=put, rule="news", names=scene.names(put))


_CALLS = re.compile(
    rf"(?:大家|同学|朋友|同事|家里人|身边人)(?:们)?(?:都|一般|平时|一直)*(?:叫|喊|管)我(?!{KIN_ZH_PATTERN}|的|们|家)(?:叫)?(?P<name>[{HAN}A-Za-z]{{2,5}})\Z"
)
_TOPIC = re.compile(
    rf"(?P<topic>[{HAN}A-Za-z]{{1,8}})我(?P<rest>(?:从来|一直|最|真的|实在|特别|都|很|超|从小)*(?:不看|不吃|不喝|不碰|不听"
    rf"|不玩|不喜欢|不爱吃|受不了|最爱|喜欢|最怕|讨厌|爱吃|很爱吃|怕))\Z"
)
_PART = r"头|脖子|肩膀|背|腰|胳膊|手|手腕|手指|膝盖|腿|脚|脚踝|脚腕|胃|肚子|牙|牙齿|嗓子|喉咙|耳朵|眼睛|胸口|颈椎"
_HURTS = re.compile(
    rf"(?:我)?(?:的)?(?P<when>今天|这周|上周|这阵子|最近|这几天|昨天|昨晚|这两天|早上|现在)?(?:我)?(?:左"
    rf"|右)?(?P<part>{_PART})(?:今天|最近|这几天|这两天|昨天|又|还|一直|有点儿?|还是|老|好|很|特别|真的?|开始)*(?P<how>疼|痛"
    rf"|酸|肿|麻|扭了|崴了|摔断|骨折|抽筋|发炎)(?:了|死了|得[{HAN}]{{1,5}})?\Z"
)
_INJURED = re.compile(
    rf"[{HAN}]{{0,6}}把(?:左|右)?(?:{_PART}|自己)(?:给)?(?:摔|扭|崴|弄|划|烫|砸|撞|切|磕)(?:断|伤|破|肿|了|到)[{HAN}]{{0,2}}\Z"
)
_BECAME = re.compile(
    rf"(?:我们?的?|我)?(?P<what>[{HAN}\d]{{0,6}}(?:{PLAN}))(?:已经|终于|又|被|也|都|临时|总算)*(?:(?:改|推迟|提前|延期|延|定"
    rf"|挪|调)(?:到|在|了)[{HAN}\d:：]{{0,12}}|取消|延期|推迟|提前|过|挂|通过|泡汤|批下来|下来|黄|定下来|签好)(?:了)?\Z"
)
_COMING = re.compile(rf"(?:又)?(?:要|有|就|得|去)*(?P<what>[{HAN}]{{0,4}}(?:{PLAN}))\Z")


def _of_speaker(scene: Scene, kind: Kind, text: str, rule: str, slot: str = "", value: str = "") -> Draft | None:
    """A draft about the speaker in words that are already whole."""
    put = _finished(text, scene)
    if put is None:
        return None
    return Draft(
        kind=kind,
        subject=scene.speaker,
        slot=slot,
        value=value,
        text=put,
        rule=rule,
        names=scene.names(put),
        when=most_time(text, scene, Language.ZH) if kind is Kind.EVENT else None,
    )


def _called(text: str, scene: Scene) -> Draft | None:
    """大家都叫我阿波."""
    match = _CALLS.match(_without_lead(text))
    put = f"{scene.speaker}被叫作{match['name']}" if match else ""
    draft = _of_speaker(scene, Kind.IDENTITY, put, "called", "name", match["name"]) if match else None
    return replace(draft, aliases=(draft.value,)) if draft else None


def _topic_first(text: str, scene: Scene) -> Draft | None:
    """恐怖片我从来不看: what it is about stands first."""
    match = _TOPIC.match(_without_lead(text))
    if (
        match is None
        or _OTHERS.search(match["topic"])
        or not all(tag[0] in "nvajlizxe" for _, tag in _jieba.tagged(match["topic"]))
    ):
        return None
    return _of_speaker(scene, Kind.PREFERENCE, _without_lead(text), "taste", f"taste:{match['topic']}", match["rest"])


def _ailing(text: str, scene: Scene) -> Draft | None:
    """膝盖今天有点疼, 滑雪把手腕摔断了: the body that is spoken of is one's own, where nobody else is."""
    bare = _without_lead(text)
    hurts, injured = _HURTS.match(bare), _INJURED.match(bare)
    if (hurts is None and injured is None) or ("我" not in bare and (scene.of_another or scene.among_others)):
        return None
    owned = bare if "我" in bare else f"我{bare}"
    draft = _of_speaker(
        scene, Kind.STATE, owned, "ailing", f"ails:{hurts['part'] if hurts else '伤'}", hurts["how"] if hurts else "伤"
    )
    return _as_of(draft, scene)


def _became(text: str, scene: Scene) -> Draft | None:
    """婚礼改到五月了, 19号考试: what became of a plan, when it is; told by the speaker, whose it need not be."""
    bare = _without_lead(text)
    if scene.of_another or scene.among_others or _OTHERS.search(bare.removeprefix("我")) or _DENIED.search(bare):
        return None
    begin = _time_first(bare.removeprefix("我"), scene)
    coming = _COMING.match(bare.removeprefix("我"), begin) if begin > 0 else None
    became = None if coming else _BECAME.match(bare)
    match = coming or became
    if match is None:
        return None
    after = match.end("what") + len(bare) - len(match.string)
    change = None if coming else _REPLANNED.search(bare, after)
    noun = plan_noun(match["what"]) if coming or change else ""
    meant = Tense.FUTURE if coming or change else None
    whens = find_whens(bare, scene.now, Language.ZH, meant) if scene.now else ()
    of_plan = next((one for one in whens if change and one.end <= after and scene.now and one.stop > scene.now), None)
    anew = next((one for one in whens if not change or one.begin >= after), None)
    when = anew or next(iter(whens), None)
    value = anew.told() if anew else change[0] if change else "取消"
    ends = ((f"when:{noun}", f"{of_plan.start:%Y-%m-%d}"),) if of_plan and noun else ()
    text = bare if bare.startswith("我") else f"{scene.speaker}说{bare}"
    put = _finished(text, scene, meant)
    if put is None:
        return None
    return Draft(
        kind=Kind.EVENT,
        subject=scene.speaker,
        slot=f"when:{noun}" if noun else "",
        value=value if noun else "",
        text=put,
        rule="became",
        names=scene.names(put),
        when=(when.start, when.stop) if when else None,
        ends=ends,
        also=coming is not None or bool(ends),
    )


#: What changes when a plan is, or whether it is at all.
_REPLANNED = re.compile(r"改|推迟|提前|延期|定|挪|调|取消|泡汤")


def _on_day(draft: Draft, after: Sequence[str], scene: Scene) -> Draft:
    """聚会定在南门，十月三号上午九点: a plan with the time that stands alone in the clause behind it."""
    whens = find_whens(after[0], scene.now, Language.ZH, Tense.FUTURE) if draft.rule == "became" and after and scene.now else ()
    if len(whens) != 1 or after[0][: whens[0].begin].strip("在于 ") or after[0][whens[0].end :].strip("吧呢 "):
        return draft
    assert scene.now is not None
    dated, _ = absolute(after[0], scene.now, Language.ZH, Tense.FUTURE)
    when = whens[0]
    value = when.told() if draft.slot else draft.value
    return replace(draft, text=f"{draft.text}，{dated}", value=value, when=(when.start, when.stop))


def _parted(text: str, scene: Scene) -> Draft | None:
    """我和小雅分手了: whoever it was is the speaker's no longer."""
    bare = _without_lead(text)
    found = parted(bare, (form for form, name in scene.forms.items() if name != scene.speaker))
    if found is None:
        return None
    name, kin, when = found
    name = scene.forms.get(name, name)
    whens = find_whens(when, scene.now, Language.ZH) if scene.now and when else ()
    other = name or (f"{scene.speaker}的{kin}" if kin else "对象")
    put = f"{scene.speaker}和{other}{whens[0].told(Language.ZH) if whens else ''}{'离婚' if '离婚' in bare else '分手'}了"
    draft = _of_speaker(scene, Kind.RELATION, put, "parted", "partner", f"{ENDED}{name or kin}")
    began = (whens[0].start, whens[0].stop) if whens else None
    return replace(draft, ends=parted_ends(name, kin), when=began, began=began) if draft else None


_OWN_BIRTHDAY = re.compile(r"我的?生日(?:是|在)?(?P<value>[^，,]+)\Z|(?P<value2>[^，,]+)是我的?(?:[^，,]{0,4})?生日\Z")


def _own_birthday(text: str, scene: Scene) -> Draft | None:
    """我的生日是十月二十号, 十月二十号是我生日: a day of every year."""
    bare = _without_lead(text)
    match = _OWN_BIRTHDAY.match(bare)
    value = (match["value"] or match["value2"]) if match else ""
    now = scene.now or any_year(value)
    if now is None or _DENIED.search(value):
        return None
    whens = find_whens(value, now, Language.ZH)
    if not whens or whens[0].stop - whens[0].start > _DAY:
        return None
    put = told_zh(annual(bare, now, Language.ZH), scene)
    if put is None:
        return None
    return Draft(
        kind=Kind.DATE,
        subject=scene.speaker,
        slot="birthday",
        value=f"{whens[0].start:%m-%d}",
        text=put,
        rule="birthday",
        names=scene.names(put),
        when=(whens[0].start, whens[0].stop) if scene.now else None,
    )


_HOME_IS = re.compile(rf"我家(?:现在|还|就|一直|都)*(?:住)?在(?P<value>[{HAN}]{{2,6}}?)(?:市)?\Z")


def _home_is(text: str, scene: Scene) -> Draft | None:
    """我家在杭州."""
    match = _HOME_IS.match(_without_lead(text))
    if match is None or not _is_place(match["value"]):
        return None
    return _of_speaker(scene, Kind.IDENTITY, f"{scene.speaker}家在{match['value']}，住在那里", "lives", "lives", match["value"])


_WHOLE: tuple[Callable[[str, Scene], Draft | None], ...] = (
    _called, _topic_first, _ailing, _became, _parted, _home_is, _own_birthday,
)  # fmt: skip


_WORDS_OF_MIND = re.compile(
    r"\A(?:都|也|还|就|真的?|已经)*(?:知道|晓得|觉得|认为|恭喜|祝|以为|想起?|记得|懂|明白|忘|看见|听见|发现|说|猜|希望|当|算"
    r"|信|是|感谢|谢谢|可以|能|能够|愿意|很?想(?!起)|不得不|需要|得(?!到|知))"
)


#: What happens, tagged a noun.
_ACT_NOUN = re.compile(r"开学|毕业|结婚|考试|面试|手术|比赛|演出|出差|搬家|高考|答辩|体检|复查")


def _is_dated(text: str, scene: Scene) -> bool:
    return scene.now is not None and bool(find_whens(text, scene.now, Language.ZH))


def _happens(clause: Clause, whole: str, scene: Scene) -> bool:
    if _DENIED.search(clause.rest) or _WORDS_OF_MIND.match(clause.rest) or re.search(r"[你您]\Z", clause.rest):
        return False
    dated = _is_dated(whole, scene)
    has_verb = any(tag[0] == "v" for _, tag in _jieba.tagged(clause.rest)) or _ACT_NOUN.search(clause.rest) is not None
    return bool(_DONE.search(clause.rest)) or (has_verb and dated and bool(_TO_COME.search(whole)))
