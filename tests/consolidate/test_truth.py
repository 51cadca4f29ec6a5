"""What was so and is not any more: told as it is now, and as it was then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from talk import AT, facts, hear, talk, texts
from truth_scripts import NOW, Script, problems, scripts
from truth_scripts import hear as hear_scripts

from soulmem.consolidate.corrections import corrected
from soulmem.consolidate.dates import find_whens
from soulmem.consolidate.entries import Ground, fact_entries
from soulmem.consolidate.merge import merge
from soulmem.consolidate.split import name_forms, split
from soulmem.model.changes import Change, Superseding
from soulmem.soul import Soul
from soulmem.store.validity import Validity, with_validity
from soulmem.text.language import Language

EN, ZH = scripts("en"), scripts("zh")


@pytest.fixture(scope="module")
def minds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Soul]]:
    """A mind for each language, that has heard all its scripts."""
    made: dict[str, Soul] = {}

    def mind(tongue: str) -> Soul:
        if tongue not in made:
            path = tmp_path_factory.mktemp("truth") / f"{tongue}.mind"
            name = "Wren" if tongue == "en" else "小红"
            made[tongue] = Soul.create(path, embedder="hashing", name=name, clock=lambda: NOW)
            hear_scripts(made[tongue], EN if tongue == "en" else ZH, tongue)
        return made[tongue]

    yield mind
    for soul in made.values():
        soul.close()


@pytest.mark.parametrize("script", EN, ids=lambda script: script["name"])
def test_english_now_the_new_and_then_the_old(minds, script: Script):
    assert list(problems(minds("en"), script)) == []


@pytest.mark.parametrize("script", ZH, ids=lambda script: script["name"])
def test_chinese_now_the_new_and_then_the_old(minds, script: Script):
    assert list(problems(minds("zh"), script)) == []


def test_a_mind_that_has_heard_all_of_it_is_sound(minds):
    assert minds("en").check() == () and minds("zh").check() == ()


# -- laws ---------------------------------------------------------------------------------------------------------------------

moves = st.lists(
    st.tuples(
        st.sampled_from(["Leeds", "York", "Rome", "Oslo"]), st.sampled_from(["", " in 1999", " in 2010", " ten years ago"])
    ),
    min_size=1,
    max_size=5,
)


@settings(max_examples=25, deadline=None)
@given(moves)
def test_whatever_is_told_of_moves_one_home_holds_and_every_other_one_ends(told):
    drawn = facts(*(f"I moved to {place}{when}." for place, when in told))
    merged = merge(drawn, {}, {source: "c" for fact in drawn for source in fact.sources})
    gone = {old for _, old, _, _ in merged.over}
    assert len([fact for fact in merged.new if fact.note_id not in gone]) == 1 and not merged.undecided
    assert all(new != old for new, old, _, _ in merged.over)
    begins = {fact.note_id: fact.since for fact in merged.new}
    for _, old, at, _ in merged.over:
        assert at is not None and (begins[old] is None or begins[old] <= at)


@settings(max_examples=25, deadline=None)
@given(moves)
def test_every_plan_of_moves_can_be_written(told):
    drawn = facts(*(f"I moved to {place}{when}." for place, when in told))
    merged = merge(drawn, {}, {source: "c" for fact in drawn for source in fact.sources})
    ground = Ground(at=AT + timedelta(days=1), messages={}, names={}, old={})
    parts = [entry.parts for entry in fact_entries(merged, {}, ground)]
    change = Change(
        command="consolidate",
        what="",
        at=ground.at,
        notes=tuple(note for part in parts for note in part.notes),
        supersedes=tuple(one for part in parts for one in part.supersedes),
    )
    written = with_validity(change, {})
    for note in written.notes:
        assert note.body.valid_from is None or note.body.valid_until is None or note.body.valid_from <= note.body.valid_until


def test_what_was_said_wrong_never_held():
    wrong, right = facts("I live in Leeds.")[0], facts("I live in York.")[0]
    change = Change(
        command="c", what="", at=AT, supersedes=(Superseding(new=right.note_id, old=wrong.note_id, at=AT, corrects=True),)
    )
    (update,) = with_validity(change, {right.note_id: Validity(), wrong.note_id: Validity()}).updates
    assert (update.note, update.values) == (wrong.note_id, {"valid_from": AT, "valid_until": AT})


# -- what is no longer so -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "ends"),
    [
        ("I don't live in Ghent any more.", ("lives", "Ghent")),
        ("I no longer live in Ghent.", ("lives", "Ghent")),
        ("I used to live in Ghent.", ("lives", "Ghent")),
        ("I'm not vegan anymore.", ("diet", "vegan")),
        ("I'm no longer afraid of dogs.", ("taste:dogs", "")),
        ("I quit my job.", ("work", "")),
        ("I got fired yesterday.", ("work", "")),
        ("我不住在杭州了。", ("lives", "杭州")),
        ("我早就不在银行上班了。", ("workplace", "银行")),
        ("我以前住在杭州。", ("lives", "杭州")),
        ("我已经不怕狗了。", ("taste:狗", "")),
        ("我不再是护士了。", ("work", "护士")),
        ("我上周辞职了。", ("work", "")),
    ],
)
def test_what_is_no_longer_so_ends(line, ends):
    (fact,) = facts(line)
    assert ends in fact.ends


def test_what_never_was_known_to_be_so_ends_nothing_else():
    drawn = facts("I live in Leeds.", "I don't live in Paris any more.")
    merged = merge(drawn, {}, {source: "c" for fact in drawn for source in fact.sources})
    assert not merged.over and len(merged.new) == 2


@pytest.mark.parametrize(
    "lines",
    [
        ("I'm married.", "I'm vegan."),
        ("I'm a nurse.", "I work at the harbour office."),
        ("I live in Leeds.", "I live with my sister."),
        ("I love tea leaves.", "I hate tea."),
        ("My exam is on Monday.", "I have an exam on Friday."),
        ("我结婚了。", "我是素食主义者。"),
        ("我是护士。", "我在医院上班。"),
    ],
)
def test_what_does_not_contradict_stays(lines):
    drawn = facts(*lines)
    merged = merge(drawn, {}, {source: "c" for fact in drawn for source in fact.sources})
    assert len(merged.new) == 2 and not merged.over and not merged.undecided


@pytest.mark.parametrize(
    ("lines", "ended"),
    [
        (("My boyfriend Marco cooks.", "My husband and I got divorced in 2019."), 0),
        (("I'm married.", "My first husband and I got divorced in 2019."), 0),
        (("My boyfriend Marco cooks.", "Marco and I broke up last week."), 1),
        (("我老公叫阿强。", "我和老公离婚了。"), 1),
        (("我男朋友叫阿强。", "我和老公去年离婚了。"), 0),
    ],
)
def test_who_parts_from_one_has_not_parted_from_another(lines, ended):
    drawn = facts(*lines)
    merged = merge(drawn, {}, {source: "c" for fact in drawn for source in fact.sources})
    assert len(merged.over) == ended


def test_an_appointment_that_was_kept_is_not_the_next_one():
    first, second = facts("My exam is on Monday."), facts("My exam is on Friday.")
    later = [fact.__class__(**{**_fields(fact), "said_at": AT + timedelta(days=3), "place": 9}) for fact in second]
    merged = merge([*first, *later], {}, {})
    assert len(merged.new) == 2 and not merged.over


def _fields(fact):
    return {name: getattr(fact, name) for name in fact.__dataclass_fields__}


# -- corrections --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "better", "text"),
    [
        ("I'm flying to Oslo on Friday.", "Actually it's Tuesday.", "Bo is flying to Oslo on Tuesday (2026-03-10)"),
        ("I'm flying to Oslo on Friday.", "Sorry, I meant Tuesday.", "Bo is flying to Oslo on Tuesday (2026-03-10)"),
        ("I'm flying to Oslo on Friday.", "Not Friday, it's Saturday.", "Bo is flying to Oslo on Saturday (2026-03-14)"),
        ("I bought six books yesterday.", "Correction: seven books.", "Bo bought seven books 2026-03-07"),
        ("I live in Leeds.", "Oops, I meant York.", "Bo lives in York"),
        ("我周四去看牙医。", "我记错了，是周二。", "小波周二（2026-03-10）去看牙医"),
        ("我昨天买了三瓶酒。", "说错了，是两瓶。", "小波2026-03-07买了两瓶酒"),
        ("我妹妹叫小安。", "打错了，是小涵。", "小波的妹妹叫小涵"),
    ],
)
def test_what_was_said_wrong_is_drawn_again_some_lines_later(said, better, text):
    zh = not said.isascii()
    between = ("嗯。", "好的。") if zh else ("Hm.", "All right.")
    other, own = ("安娜", "小波") if zh else ("Ann", "Bo")
    lines = talk((other, between[0]), said, (other, between[1]), (own, between[0]), better, speaker=own, other=other)
    forms = name_forms(lines, {})
    found = corrected(split(lines, forms), lines, forms)
    right = next(fact for fact in found.facts if fact.text == text)
    assert right.note_id in {new for new, _, _ in found.over} and right.sources == (lines[1].id, lines[4].id)


@pytest.mark.parametrize("better", ["Actually it's raining.", "Sorry, I meant no harm.", "Actually it's Tuesday.", "No, wait."])
def test_a_correction_of_nothing_of_its_kind_is_nothing(better):
    lines = talk("I live in Leeds.", ("Ann", "Hm."), better)
    forms = name_forms(lines, {})
    assert not corrected(split(lines, forms), lines, forms).over


def test_nobody_is_corrected_by_what_another_says_of_themselves():
    lines = talk("I'm flying to Oslo on Friday.", ("Ann", "Actually it's Tuesday."))
    forms = name_forms(lines, {})
    assert not corrected(split(lines, forms), lines, forms).over


# -- times --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "days"),
    [
        ("I start on Friday.", ["2026-03-13"]),
        ("School begins on Monday.", ["2026-03-09"]),
        ("I fly on Monday and come back on Thursday.", ["2026-03-09", "2026-03-12"]),
        ("I flew in on Friday.", ["2026-03-06"]),
        ("我下周一去北京，周四回来。", ["2026-03-09", "2026-03-12"]),
    ],
)
def test_days_are_those_that_are_meant(line, days):
    tongue = Language.EN if line.isascii() else Language.ZH
    assert [f"{one.start:%Y-%m-%d}" for one in find_whens(line, AT, tongue)] == days


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("My birthday is on the third of October.", "Bo's birthday is on the third of October (10-03)"),
        ("My birthday is tomorrow.", "Bo's birthday is 03-09"),
        ("I was born on the third of October.", "Bo was born on the third of October (10-03)"),
        ("我的生日是十月二十号。", "小波的生日是十月二十号（10-20）"),
        ("十月二十号是我的生日。", "十月二十号（10-20）是小波的生日"),
    ],
)
def test_a_birthday_is_in_every_year(line, text):
    (fact,) = [fact for fact in facts(line) if fact.slot == "birthday"]
    assert fact.text == text


# -- two lines, and what is nobody's ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "answer", "text"),
    [
        ("What's your dog's name?", "Biscuit.", "Bo's dog is Biscuit"),
        ("So where do you live?", "Leeds.", "Bo lives in Leeds"),
        ("How old are you?", "34", "Bo is 34 (2026-03-08)"),
        ("When is your birthday?", "The third of May.", "Bo's birthday is the third of May (05-03)"),
        ("Do you like coriander?", "Nope, it tastes like soap.", "Bo doesn't like coriander, it tastes like soap"),
        ("Are you allergic to cats?", "Yes.", "Bo is allergic to cats"),
        ("你家的狗叫什么？", "饼干。", "小波的狗叫饼干"),
        ("你住在哪里？", "杭州。", "小波住在杭州"),
        ("你多大了？", "三十。", "小波三十岁（2026-03-08）"),
        ("你喜欢香菜吗？", "不喜欢。", "小波不喜欢香菜"),
    ],
)
def test_a_question_and_its_answer_are_a_fact(asked, answer, text):
    other = "Ann" if asked.isascii() else "安娜"
    assert texts((other, asked), answer) == [text]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("What's your dog's name?", "Guess!"),
        ("What's your dog's name?", "I don't know."),
        ("Where do you live?", "Here."),
        ("Where does your sister live?", "Leeds."),
        ("Are you vegan?", "Yes... not!"),
        ("你家的狗叫什么？", "不告诉你。"),
        ("你住在哪里？", "保密。"),
        ("你多大了？", "秘密。"),
    ],
)
def test_what_is_no_answer_is_none(asked, answer):
    assert texts(("Ann" if asked.isascii() else "安娜", asked), answer) == []


def test_among_three_an_answer_may_be_anybodys():
    lines = talk(("Cy", "Hi."), ("Ann", "Where do you live?"), "Leeds.")
    assert split(lines, name_forms(lines, {})) == ()


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (("We got a dog! His name is Rusty.",), "Bo's dog is Rusty"),
        (("My friend Tom is here.", "Tom's sister Ina is a nurse."), "Tom's sister is Ina"),
        (("My friend Tom is here.", "Tom's sister Ina is a nurse."), "Ina is a nurse"),
        (("I'll bake you a cake, Dan.",), "Bo will bake Dan a cake"),
        (("I hate coriander, it tastes like soap.",), "Bo hates coriander, it tastes like soap"),
        (("Let's meet at six on Friday.",), "Bo suggested to meet at six on Friday (2026-03-13)"),
        (("我的猫叫咪咪。",), "小波的猫叫咪咪"),
        (("我家养了一只狗。它叫旺财。",), "小波的狗叫旺财"),
    ],
)
def test_what_was_missed_is_drawn(lines, wanted):
    assert wanted in texts(*lines)


NOBODYS = [
    '"I live in Leeds," she said.', "Tom told me he moved to Leeds.", "*moves to Leeds and gets a dog called Rex*",
    "If I moved to Leeds I'd get a dog.", "Did I tell you I moved to Leeds?", "I wish I lived in Leeds.",
    "I love Mondays. NOT.", "I live in Leeds... not!", "[System] I live in Leeds.", "System: I live in Leeds.",
    "♪ I live in a yellow submarine ♪", "What if Lena and I broke up?", "I dreamt that Lena and I broke up.",
    "Imagine I no longer loved tea.", "You don't live in Leeds any more, do you?", "My boss thinks I quit.",
    "【系统】我住在杭州。", "系统提示：我住在杭州。", "“我住在杭州”，她说。", "他说他搬到了杭州。",
    "*搬到杭州，养了一只叫旺财的狗*", "（搬到杭州）",
    "我和小雅要是分手了怎么办？", "你不住杭州了吧？", "我再也不想住杭州了，才怪。", "歌里唱：我住在杭州。",
    "我妈以为我辞职了。",
]  # fmt: skip


@pytest.mark.parametrize("line", NOBODYS)
def test_what_nobody_says_of_themselves_is_nobodys(line):
    assert texts(line) == []


# -- what nobody can decide ---------------------------------------------------------------------------------------------------


def test_what_nobody_can_decide_is_told_side_by_side_with_who_said_it(mind):
    soul = mind()
    hear(soul, talk("I live in Leeds.", ("Ann", "Bo lives in Hell."), "Ha."))
    report = soul.consolidate(at=AT)
    (entry,) = [entry for entry in report.entries if entry.kind == "contradiction"]
    assert entry.text == "Bo lives in Leeds  ≠  Bo lives in Hell"
    found = soul.recall("Where does Bo live?", at=AT, chat=None)
    both = {memory.key: memory for memory in found.memories if memory.contradicts}
    assert {memory.text for memory in both.values()} == {"Bo lives in Leeds", "Bo lives in Hell"}
    assert all(set(memory.contradicts) == both.keys() - {key} for key, memory in both.items())
    (line,) = [line for line in found.rendered.splitlines() if line.startswith("- Undecided")]
    assert "Bo lives in Leeds (Bo, 2026-03-08)" in line and "Bo lives in Hell (Ann, 2026-03-08)" in line
    # Once Bo says it again, only that is so.
    hear(soul, talk("I live in York.", first=5))
    soul.consolidate(at=AT + timedelta(hours=1))
    found = soul.recall("Where does Bo live?", at=AT + timedelta(hours=2), chat=None)
    assert "Bo lives in York" in found.rendered and "Undecided" not in found.rendered


def test_who_looks_at_the_plan_first_switches_consolidation_off(mind):
    soul = mind()
    soul.set_values({"idle_consolidate": 0})
    for number in range(25):
        soul.observe(f"I bought {number + 2} books yesterday.", speaker="Bo", at=AT + timedelta(minutes=number))
    assert soul.idle(AT + timedelta(days=1), forced=True).consolidation is None
    assert soul.consolidate(at=AT + timedelta(days=1), dry_run=True).messages == 25
    soul.set_values({"idle_consolidate": 1})
    assert soul.idle(AT + timedelta(days=1), forced=True).consolidation is not None


def test_scripts_are_twenty_of_each_language():
    assert len(EN) == len(ZH) == 20 and Path(__file__).with_name("truth_en.json").is_file()
