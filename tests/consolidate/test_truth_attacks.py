"""Everyday phrases that only sound like news of a job, a home, a name or a day; what is taken back in the same breath; what a
model makes of lines that do not say it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from talk import AT, facts, hear, talk, texts

from soulmem.consolidate.answers import split_of
from soulmem.consolidate.contract import SplitQuestion
from soulmem.consolidate.corrections import corrected
from soulmem.consolidate.dates import find_whens
from soulmem.consolidate.figures import strange_figure
from soulmem.consolidate.merge import merge
from soulmem.consolidate.split import name_forms, split
from soulmem.text.language import Language


def other(line: str) -> str:
    return "Ann" if line.isascii() else "安娜"


def merged(*days: str):
    """What becomes of lines that are said a day apart."""
    zh = not days[0].isascii()
    names = {"speaker": "小波", "other": "安娜"} if zh else {}
    said = [
        message
        for number, line in enumerate(days)
        for message in talk(
            ("安娜", "嗯。") if zh else ("Ann", "Hm."), line, first=2 * number, sent_at=AT + timedelta(days=number), **names
        )
    ]
    drawn = split(said, name_forms(said, {}))
    return merge(drawn, {}, {message.id: "c" for message in said})


NO_END_OF_A_JOB = [
    "I left my work bag on the train.", "I left my job for lunch.", "I quit the app.", "I lost my position in the queue.",
    "I retired to my room after dinner.", "I quit my diet.", "I lost my job application.", "I quit my job in the dream.",
    "I left the work to Tom.", "I work as hard as I can.", "I work as a team with Tom.", "I'm a bit of a baker.",
    "I quit my side job.", "I was fired up yesterday.", "I resigned myself to it.", "I'm a terrible cook.",
]  # fmt: skip
NO_END_OF_A_JOB_ZH = [
    "我昨天被裁判罚下了。", "我今天被开除了群聊。", "我当过医生。", "我想辞职。", "我被学校开除了。", "我做过厨师。",
]  # fmt: skip


@pytest.mark.parametrize(
    ("job", "line"),
    [*(("I work as a baker.", line) for line in NO_END_OF_A_JOB), *(("我是老师。", line) for line in NO_END_OF_A_JOB_ZH)],
)
def test_what_only_sounds_like_the_end_of_a_job_ends_none(job, line):
    assert not merged(job, line).over


@pytest.mark.parametrize(
    ("job", "line"),
    [
        *(("I work as a baker.", line) for line in (
            "I quit my job.", "I lost my job last week.", "I finally quit the bakery.", "I got laid off.", "I retired in March.",
            "I handed in my notice.", "I left my job because of the hours.", "I was fired from my job.", "I resigned.",
        )),
        *(("我是老师。", line) for line in (
            "我辞职了。", "我终于辞职了！", "我被裁了。", "我上个月辞职了。", "我昨天被开除了。", "我失业了。",
            "我被公司裁员了。",
        )),
    ],
)  # fmt: skip
def test_the_end_of_a_job_ends_it(job, line):
    found = merged(job, line)
    (first,) = [fact for fact in found.new if fact.slot == "work"]
    assert first.note_id in {old for _, old, _, _ in found.over}


@pytest.mark.parametrize(
    ("home", "line"),
    [
        *(("I live in Leeds.", line) for line in (
            "I live in fear.", "I live in hope.", "I live in sin with Tom.", "I live in constant fear.", "I live in the moment.",
            "I moved to York and back.", "I moved to York for a week.", "I moved to York and then to Rome.", "I moved to Plan B.",
            "I live in York during the week.",
            "I live in Leeds, or so they think.", "I live in York in my dreams.",
        )),
        *(("我住在北京。", line) for line in (
            "我住在上海的表弟叫小明。", "我和小明都不住在上海。", "我住在回忆里。", "我住在酒店三天了。", "我搬到了沙发上。",
            "我搬到了上海又搬回来了。", "我住在梦里。", "我搬到了新公司。", "我搬到了二楼。",
        )),
    ],
)  # fmt: skip
def test_what_only_sounds_like_a_home_is_none(home, line):
    found = merged(home, line)
    assert not found.over and len([fact for fact in found.new if fact.slot == "lives"]) == 1


@pytest.mark.parametrize(
    ("home", "line"),
    [
        ("I live in Leeds.", "I live in York."), ("I live in Leeds.", "I moved to York."),
        ("I live in Leeds.", "I moved to York last year."),
        ("我住在北京。", "我搬到了杭州。"), ("我住在北京。", "我住在天津。"),
        ("我住在北京。", "我住在乡下。"), ("我住在北京。", "我住在海边。"),
    ],
)  # fmt: skip
def test_another_home_takes_the_place_of_the_first(home, line):
    assert len(merged(home, line).over) == 1


def test_whose_cousin_lives_there_is_told_of_the_cousin():
    assert texts("我住在上海的表弟叫小明。") == ["小波的表弟叫小明"]


@pytest.mark.parametrize(
    "lines",
    [
        ("我的生日不是五月三号。",), ("My birthday is not in May.",), ("My favourite colour is not blue.",),
        ("我最喜欢的颜色不是蓝色。",),
        (("Ann", "What's your favourite colour?"), "Depends."), (("Ann", "What's your favourite colour?"), "I don't have one."),
        (("安娜", "你生日是什么时候？"), "看情况。"), (("安娜", "你住在哪里？"), "没有。"),
        ("我家的猫叫个不停。",), ("我的狗叫了一晚上。",), ("我家的狗叫起来了。",),
        ("My sister Ina isn't my sister.",), ("I'm a doctor... in my dreams.",), ("I'm a doctor, haha, no.",),
        ("I live in Leeds, or so they think.",), ("我快三十岁了。",), ("我是医生……才怪。",),
    ],
)  # fmt: skip
def test_what_is_denied_joked_or_no_value_is_no_fact(lines):
    assert texts(*lines) == []


@pytest.mark.parametrize(
    "line", ["我快三十岁了。", "我马上三十岁了。", "I'm almost thirty.", "I'm turning thirty next week.", "I will be 30 in May."]
)
def test_nearly_an_age_is_none(line):
    assert not [fact for fact in facts(line) if fact.slot == "age"]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("我对花生过敏。", "我对花生不过敏，查过了。"), ("I'm allergic to peanuts.", "I'm not allergic to peanuts."),
        ("我怕狗。", "我不怕狗。"), ("I hate olives.", "I don't hate olives."),
    ],
)  # fmt: skip
def test_an_aversion_that_is_denied_ends_and_is_no_liking(first, then):
    found = merged(first, then)
    (new, old) = found.over[0][:2]
    one, denied = found.new
    assert (new, old) == (denied.note_id, one.note_id) and denied.slot == one.slot and denied.is_end


@pytest.mark.parametrize("first", ["I love dogs.", "我喜欢狗。"])
def test_an_aversion_that_is_denied_ends_no_liking(first):
    assert not merged(first, "I'm not afraid of dogs." if first.isascii() else "我不怕狗。").over


def test_who_died_is_not_said_again_to_be_there():
    found = facts("My cat is called Tom.", "My cat Tom died yesterday.")
    assert [fact.text for fact in found] == ["Bo's cat is Tom", "Bo's cat Tom died 2026-03-07"]
    found = facts("我的猫叫小白。", "我的猫小白昨天死了。")
    assert [fact.rule for fact in found] == ["kin", "event"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("I live in Leeds. No wait, I live in York.", "Bo lives in York"),
        ("I'm a nurse. No, wait, I'm a doctor.", "Bo is a doctor"),
        ("My brother is called Tom, no, Tim.", "Bo's brother is Tim"),
        ("I'm a nurse, I mean, a teacher.", "Bo is a teacher"),
        ("我哥哥叫小明，不，小亮。", "小波的哥哥叫小亮"),
        ("我住在北京。不对，我住在天津。", "小波住在天津"),
    ],
)
def test_a_slip_of_the_tongue_gives_way_to_what_is_said_instead(line, told):
    assert texts(line) == [told]


@pytest.mark.parametrize(
    ("plan", "asked", "answer", "moves"),
    [
        ("I'm flying to Oslo on Friday.", "What day is it today?", "Actually it's Tuesday.", 0),
        ("I'm flying to Oslo on Friday.", "Is it Monday today?", "Actually it's Tuesday.", 0),
        ("I'm flying to Oslo on Friday.", "Friday, you said?", "Actually it's Tuesday.", 1),
        ("我周四去看牙医。", "今天星期几？", "我记错了，是周二。", 0),
        ("我周四去看牙医。", "周四吗？", "我记错了，是周二。", 1),
    ],
)
def test_what_day_it_is_today_moves_no_appointment(plan, asked, answer, moves):
    speaker, another = ("Bo", "Ann") if plan.isascii() else ("小波", "安娜")
    lines = talk(plan, (another, asked), answer, speaker=speaker, other=another)
    forms = name_forms(lines, {})
    assert len(corrected(split(lines, forms), lines, forms).over) == moves


@pytest.mark.parametrize(("month", "year"), [(3, 2026), (7, 2027)])
def test_a_wedding_that_is_coming_lies_ahead(month, year):
    said_at = datetime(2026, month, 8, tzinfo=UTC)
    for line in ("I'm getting married in June.", "I'm getting married to Tom in June."):
        (when,) = find_whens(line, said_at, Language.EN)
        assert (when.start.year, when.start.month) == (year, 6)
    (past,) = find_whens("I got married in June.", said_at, Language.EN)
    assert past.start <= said_at


@pytest.mark.parametrize(
    ("plan", "news", "ends"),
    [
        ("My interview is on Friday.", "The interview on Friday was cancelled.", True),
        ("I have an interview on Friday.", "My interview on Friday was moved to Monday.", True),
        ("I have a meeting tomorrow.", "My meeting on Monday got cancelled.", True),
        ("My interview is on Friday.", "The interview on Monday was cancelled.", False),
        ("我周五有面试。", "周五的面试取消了。", True),
        ("我周五有面试。", "周五的面试改到下周一了。", True),
        ("我周五有面试。", "周一的面试取消了。", False),
    ],
)
def test_a_plan_that_is_cancelled_is_that_of_its_day(plan, news, ends):
    found = merged(plan, news)
    assert bool([old for _, old, _, _ in found.over if old == found.new[0].note_id]) is ends


def test_what_nobody_dated_did_not_hold_before_it_was_known_where_something_else_did(mind):
    soul = mind()
    lines = ("I live in Leeds.", "I moved to York.", "In 1999 I moved to Paris.")
    for number, line in enumerate(lines):
        hear(soul, talk(line, first=number, sent_at=AT + timedelta(days=number)))
        soul.consolidate(at=AT + timedelta(days=number))
    found = soul.recall("Where did Bo live in 2001?", at=AT + timedelta(days=9), chat=None)
    told = [memory.text for memory in found.memories if memory.key.startswith("fact_")]
    assert told == ["In 1999 Bo moved to Paris to live there (1999-01-01 to 2026-03-08)"]
    now = soul.recall("Where does Bo live?", at=AT + timedelta(days=9), chat=None)
    assert [memory.text for memory in now.memories if memory.key.startswith("fact_")] == ["Bo moved to York and lives there"]


# -- what a model makes of it -------------------------------------------------------------------------------------------------


def proposed(line: str, subject: str, text: str, *more: str | tuple[str, str], sources: tuple[int, ...] = (2,)):
    names = {"speaker": "小波", "other": "安娜"} if not text.isascii() else {}
    opening = (other(text), "嗯。" if names else "Hm.")
    question = SplitQuestion(messages=tuple(talk(opening, line, *more, **names)))
    return split_of([{"content": text, "subject": subject, "category": "identity", "sources": list(sources)}], question)


TWO = "My brother Tom lives in Leeds and I live in York."
TWO_ZH = "我弟弟小明住在杭州，我住在苏州。"


@pytest.mark.parametrize(
    ("line", "subject", "text"),
    [
        # quoted, reported
        ("Jane said Tom lives in Leeds.", "Tom", "Tom lives in Leeds"),
        ("Jane told me that Tom lives in Leeds.", "Tom", "Tom lives in Leeds"),
        ('Jane said: "Tom lives in Leeds."', "Tom", "Tom lives in Leeds"),
        ("小李说小明住在杭州。", "小明", "小明住在杭州"),
        ("小李说：“小明住在杭州。”", "小明", "小明住在杭州"),
        # supposed
        ("Maybe Tom lives in Leeds.", "Tom", "Tom lives in Leeds"),
        ("If Tom moves to Leeds I will cry.", "Tom", "Tom moves to Leeds"),
        ("要是小明住在杭州就好了。", "小明", "小明住在杭州"),
        # of whom
        ("Ann, I am a doctor.", "Ann", "Ann is a doctor"),
        ("I am a doctor, Ann.", "Ann", "Ann is a doctor"),
        ("安娜，我是医生。", "安娜", "安娜是医生"),
        (TWO, "Tom", "Tom lives in York"),
        (TWO, "Bo", "Bo lives in Leeds"),
        (TWO_ZH, "小明", "小明住在苏州"),
        (TWO_ZH, "小波", "小波住在杭州"),
        # denied, wanted, over
        ("Tom has never lived in Leeds.", "Tom", "Tom lives in Leeds"),
        ("I failed to move to Leeds.", "Bo", "Bo moved to Leeds"),
        ("I refused to move to Leeds.", "Bo", "Bo moved to Leeds"),
        ("I stopped drinking coffee.", "Bo", "Bo drinks coffee"),
        ("Tom wants to live in Leeds.", "Tom", "Tom lives in Leeds"),
        ("我拒绝搬去杭州。", "小波", "小波搬去杭州"),
        ("我想去杭州。", "小波", "小波去了杭州"),
        # numbers and days
        ("I have two cats.", "Bo", "Bo has seven cats"),
        ("I have two cats.", "Bo", "Bo has 7 cats"),
        ("我有两只猫。", "小波", "小波有七只猫"),
        ("My exam is on May 3.", "Bo", "Bo has an exam on 2026-06-09"),
        ("我的考试在五月三号。", "小波", "小波2026-06-09考试"),
    ],
)
def test_what_a_line_does_not_say_is_not_taken_from_a_model(line, subject, text):
    found = proposed(line, subject, text)
    assert not found.facts and found.problems


@pytest.mark.parametrize(
    ("line", "answer", "subject", "text"),
    [
        ("I am allergic to nuts.", ("Ann", "Oh dear."), "Ann", "Ann is allergic to nuts"),
        ("我对花生过敏。", ("安娜", "天哪。"), "安娜", "安娜对花生过敏"),
    ],
)
def test_what_one_says_of_oneself_is_not_so_of_who_answers(line, answer, subject, text):
    assert not proposed(line, subject, text, answer, sources=(2, 3)).facts


@pytest.mark.parametrize(
    ("line", "subject", "text"),
    [
        (TWO, "Tom", "Tom lives in Leeds"),
        (TWO, "Bo", "Bo lives in York"),
        (TWO_ZH, "小波", "小波住在苏州"),
        ("I told you Tom lives in Leeds.", "Tom", "Tom lives in Leeds"),
        ("Tom said he lives in Leeds.", "Tom", "Tom lives in Leeds"),
        ("Ann, I am a doctor.", "Bo", "Bo is a doctor"),
        ("Ann, you are a doctor.", "Ann", "Ann is a doctor"),
        ("I want to move to Leeds.", "Bo", "Bo wants to move to Leeds"),
        ("I stopped drinking coffee.", "Bo", "Bo no longer drinks coffee"),
        ("我想去杭州。", "小波", "小波想去杭州"),
        ("I have two cats.", "Bo", "Bo has 2 cats"),
        ("我有两只猫。", "小波", "小波有2只猫"),
        ("My exam is on May 3.", "Bo", "Bo has an exam on 2026-05-03"),
        ("My grandmother is seventy-four.", "Bo's grandmother", "Bo's grandmother is 74"),
        ("We leave tomorrow at seven in the evening.", "Bo", "Bo leaves on 2026-03-09 at 19:00"),
    ],
)
def test_what_a_line_says_is_taken_from_a_model(line, subject, text):
    found = proposed(line, subject, text)
    assert [fact.text for fact in found.facts] == [text] and not found.problems


def test_a_number_is_strange_where_no_line_says_it():
    line, near = talk("I have two cats and a dog."), talk("Seven! I saw nine gulls.")
    assert strange_figure("Bo has three dogs", line, near) == "3"
    assert strange_figure("Bo has seven cats", line, near) == "7"
    assert strange_figure("Bo saw nine gulls", line, near) == ""
    assert strange_figure("Bo has two cats", line, ()) == ""
