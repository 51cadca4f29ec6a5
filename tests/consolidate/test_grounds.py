"""What a model says of lines that do not bear it is left out, and told; what they bear is taken."""

from __future__ import annotations

import pytest
from talk import talk

from soulmem.consolidate.answers import split_of
from soulmem.consolidate.contract import Known, SplitQuestion
from soulmem.errors import ModelAnswerError
from soulmem.llm.answers import LONGEST_REPLY, read
from soulmem.llm.contract import Reply
from soulmem.llm.schemas import SplitForm

ZH = {"speaker": "小波", "other": "安娜"}


def asked(*lines: str | tuple[str, str], known: tuple[Known, ...] = ()) -> SplitQuestion:
    zh = any("\u4e00" <= character <= "\u9fff" for line in lines for character in (line if isinstance(line, str) else line[1]))
    opening = ("安娜", "嗯。") if zh else ("Ann", "Hm.")
    return SplitQuestion(messages=tuple(talk(opening, *lines, **(ZH if zh else {}))), known=known)


def said(question: SplitQuestion, subject: str, text: str, *sources: int, **more: object):
    return split_of(
        [{"content": text, "subject": subject, "category": "identity", "sources": list(sources or (2,)), **more}], question
    )


@pytest.mark.parametrize(
    ("lines", "subject", "text", "told"),
    [
        # whom it is about
        (("I live in Leeds.",), "Tom", "Tom lives in Leeds", "about whom"),
        (("I live in Leeds.",), "Ann", "Ann lives in Leeds", "about whom"),
        (("我住在杭州。",), "汤姆", "汤姆住在杭州", "about whom"),
        (("我住在杭州。",), "安娜", "安娜住在杭州", "about whom"),
        # only asked
        (("Do I live in Leeds?",), "Bo", "Bo lives in Leeds", "only ask"),
        (("Should I move to Leeds? Or to York?",), "Bo", "Bo moves to Leeds", "only ask"),
        (("我是不是该搬去杭州？",), "小波", "小波要搬去杭州", "only ask"),
        # on the other side
        (("I don't live in Leeds.",), "Bo", "Bo lives in Leeds", "deny"),
        (("I never eat mushrooms.",), "Bo", "Bo eats mushrooms", "deny"),
        (("I live in Leeds.",), "Bo", "Bo does not live in Leeds", "do not deny"),
        (("我不吃香菜。",), "小波", "小波吃香菜", "deny"),
        (("我没有搬去杭州。",), "小波", "小波搬去杭州", "deny"),
        (("我住在杭州。",), "小波", "小波不住在杭州", "do not deny"),
        # said by somebody else, supposed, joked
        (('My neighbour shouted "I live in Leeds".',), "Bo", "Bo lives in Leeds", "quoted"),
        (("Tom said he lives in Leeds.",), "Bo", "Bo lives in Leeds", "reported"),
        (("他说他住在杭州。",), "小波", "小波住在杭州", "reported"),
        (("邻居喊：“我住在杭州”。",), "小波", "小波住在杭州", "quoted"),
        (("If I lived in Leeds, I would cycle.",), "Bo", "Bo lives in Leeds", "suppose"),
        (("如果我住在杭州就好了。",), "小波", "小波住在杭州", "suppose"),
        (("I live in Leeds, just kidding.",), "Bo", "Bo lives in Leeds", "joke"),
    ],
)  # fmt: skip
def test_what_the_lines_do_not_bear_is_left_out_and_told(lines, subject, text, told):
    found = said(asked(*lines), subject, text)
    assert not found.facts and told in found.problems[0]


@pytest.mark.parametrize(
    ("lines", "subject", "text"),
    [
        (("I live in Leeds.",), "Bo", "Bo lives in Leeds"),
        ((("Ann", "You live in Leeds, I know."),), "Bo", "Bo lives in Leeds"),
        (("Tom is here. He lives in Leeds.",), "Tom", "Tom lives in Leeds"),
        (("My sister lives in Leeds.",), "Bo's sister", "Bo's sister lives in Leeds"),
        (("I moved to Leeds, remember?",), "Bo", "Bo moved to Leeds"),
        (("I can't wait to move to Leeds.",), "Bo", "Bo looks forward to moving to Leeds"),
        (("I can't stand mushrooms.",), "Bo", "Bo hates mushrooms"),
        (("I gave up smoking.",), "Bo", "Bo no longer smokes"),
        (("I hate mushrooms.",), "Bo", "Bo does not like mushrooms"),
        (("Tom said he lives in Leeds.",), "Tom", "Tom lives in Leeds"),
        (("我住在杭州。",), "小波", "小波住在杭州"),
        (("我戒烟了。",), "小波", "小波不抽烟了"),
        (("我受不了香菜。",), "小波", "小波不喜欢香菜"),
        (("我妹妹住在杭州。",), "小波的妹妹", "小波的妹妹住在杭州"),
        (("我不得不搬去杭州。",), "小波", "小波搬去杭州"),
    ],
)  # fmt: skip
def test_what_they_bear_is_taken(lines, subject, text):
    found = said(asked(*lines), subject, text)
    assert [fact.text for fact in found.facts] == [text] and not found.problems


@pytest.mark.parametrize(
    ("line", "old", "new", "is_over"),
    [
        ("I love tea.", "Bo lives in Leeds", "Bo loves tea", False),
        ("I live in York now.", "Bo lives in Leeds", "Bo lives in York", True),
        ("I hate tea now.", "Bo loves tea", "Bo hates tea", True),
        ("I hate coffee.", "Bo loves tea", "Bo hates coffee", False),
        ("我爱喝茶。", "小波住在杭州", "小波爱喝茶", False),
        ("我现在住在苏州。", "小波住在杭州", "小波住在苏州", True),
    ],
)
def test_only_what_is_said_of_the_same_thing_is_superseded(line, old, new, is_over):
    who = "小波" if "小" in old else "Bo"
    found = said(asked(line, known=(Known(id="k", person=who, text=old),)), who, new, supersedes="k")
    assert [fact.text for fact in found.facts] == [new] and bool(found.over) is is_over
    assert is_over or "something else" in found.problems[0]


def test_an_answer_longer_than_anybody_asks_for_is_none():
    text = '{"facts": [' + '{"content": "Bo", "description": "Bo lives in Leeds", "messages": [2]},' * 20_000 + "]}"
    reply = Reply(text=text, input_tokens=1, output_tokens=1, model="scripted")
    assert len(reply.text) > LONGEST_REPLY
    with pytest.raises(ModelAnswerError, match="characters"):
        read(reply, SplitForm)
