"""What holds no longer, and what became of a plan, in Chinese clauses (pure patterns; the grammar uses them)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from soulmem.consolidate.people import one_of
from soulmem.text.language import HAN

#: Whom one breaks up with.
PARTNERS_ZH = ("女朋友", "男朋友", "女友", "男友", "老婆", "老公", "妻子", "丈夫", "媳妇", "未婚妻", "未婚夫")
#: What is given up with a job.
JOB = (("work", ""), ("workplace", ""))
#: What a plan may be.
PLAN = (
    r"婚礼|旅行|考试|面试|会议?|聚会|演出|比赛|手术|航班|火车|约会|活动|体检|答辩|婚期|行程|出差|讲座|课|开学|毕业典礼|聚餐"
    r"|面谈|搬家|展览|复查|培训|论文|申请|签证|合同|房子|驾照"
)

_LATELY = r"(?:现在|已经|早就|早已|早|也|都|后来|如今|目前|终于|我|又|真的|最近)*"
_AFFIRMED = re.compile(rf"{_LATELY}(?:不再(?P<again>.+?)了?|不(?!过|如|得不|知|想|要|用|敢|错|行|好|对劲)(?P<now>.+?)了)\Z")
_ONCE = re.compile(r"(?:以前|之前|原来|曾经|过去)(?:一直|都|就|也)*(?P<rest>.+)\Z")
_QUIT = re.compile(
    r"(?:已经|刚|终于|就|也|又|真的|最近|正式|主动|今天|昨天|前天|前几天|前阵子|上周[一二三四五六日天]?|这周|上个?月|这个月|今年|去年|前年|年初|年底"
    r"|[\d一二三四五六七八九十]+月份?)*(?:从[\u4e00-\u9fff]{2,8})?"
    r"(?:辞职|离职|(?:辞|丢)掉?了?(?:工作|那份工作)|失业|下岗|退休"
    r"|被(?:公司|老板|单位|厂里|工厂|店里|领导)?(?:裁员?|辞退|开除|解雇|炒(?:了|掉)?鱿鱼|炒))(?:掉)?(?:了|不干了)?(?:[一二两三四五六七八九十几\d半多]+个?[年月周天])?(?:了)?\Z"
)
_NEW_JOB = re.compile(r"现在|换了|跳槽|入职|新工作|开始|改行|转行")
_WHEN = r"(?:已经|刚|昨天|今天|前天|上周|上个?月|最近|终于|前阵子|去年|前几天|还是|正式|\d+月|.{0,4}[天月号年]前?){0,5}"
_DONE = r"(?:分手|离婚|分开|掰|吹|散|一拍两散|不在一起)"
_PARTED = (
    r"(?:我(?:已经|刚刚?)?(?:和|跟|与)(?P<a>(?:我?(?:的)?KIN)|NAMES)|(?:(?:我(?:的|家)?)?(?P<k>KIN)|(?P<b>NAMES))(?:和|跟|与)我"
    rf"|(?:跟|和|与)(?:我)?(?P<c>KIN)|我们俩?|我俩|我)(?P<when>{_WHEN}){_DONE}了(?P<more>.*)\Z"
)
_DENIED_NAME = re.compile(rf"不叫(?P<name>[{HAN}A-Za-z]{{1,12}})\Z")


def affirmed(rest: str) -> str | None:
    """What was so, of what is no longer: 已经不在银行上班了 → 在银行上班. ``rest``: what follows the subject."""
    match = _AFFIRMED.match(rest)
    return (match["again"] or match["now"]) if match else None


def formerly(rest: str) -> str | None:
    """What was so once: 以前住在杭州 → 住在杭州."""
    match = _ONCE.match(rest)
    return match["rest"] if match else None


def is_leaving(rest: str) -> bool:
    """Whether somebody gives up a job: 辞职了."""
    return _QUIT.match(rest) is not None


def is_new_job(rest: str) -> bool:
    """Whether what somebody works as is said to be new."""
    return _NEW_JOB.search(rest) is not None


def parted(text: str, forms: Iterable[str]) -> tuple[str, str, str] | None:
    """Who broke up with the speaker, as (name, relation, when in words): 我和小雅上周分手了; any may be empty.

    ``forms``: the names that are known."""
    kin = one_of(PARTNERS_ZH)
    match = re.match(_PARTED.replace("KIN", kin).replace("NAMES", one_of(forms)), text)
    if match is None or (match["more"] and not re.match(r"[，,。]", match["more"])):
        return None
    who = match["a"] or match["b"] or match["c"] or match["k"] or ""
    is_kin = re.fullmatch(rf"我?的?{kin}", who) is not None
    return ("", who.removeprefix("我").removeprefix("的"), match["when"]) if is_kin else (who, "", match["when"])


def parted_ends(name: str, kin: str) -> tuple[tuple[str, str], ...]:
    """What ends when somebody parts from ``name``, who was ``kin``; where the name is not told, from that relation; where neither
    is, from any."""
    kins = (kin,) if kin and not name else PARTNERS_ZH
    return (*((f"{one}:", name) for one in kins), ("marital", ""))


def plan_noun(what: str) -> str:
    """What a plan is called for short: 钢琴考试 → 考试; empty where it is none."""
    found = re.findall(PLAN, what)
    if found and found[-1] == "会":
        return what.strip()  # 演唱会 and 运动会 are two
    return found[-1] if found else ""


def not_called(rest: str) -> str:
    """How somebody is not called: 不叫咪咪 → 咪咪."""
    match = _DENIED_NAME.match(rest)
    return match["name"] if match else ""
