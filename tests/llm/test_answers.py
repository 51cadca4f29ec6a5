"""Structured answers of a model that fails in every way: mended or refused, never passed on as content."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.errors import AnswerTrouble, CallTrouble, ModelAnswerError, ModelCallError, ModelError
from soulmem.llm.answers import REPAIRS, ask, read, schema_of, spoken
from soulmem.llm.contract import Prompt, Reply, Side
from soulmem.llm.prompting import rendered
from soulmem.llm.schemas import LinksForm, QueriesForm, SplitForm, SummaryForm
from soulmem.llm.scripted import Answer, ScriptedModel

LAWS = settings(deadline=None, max_examples=60)

SUMMARY = {"summary": "林晚答应周五带阿哲去看船，阿哲说他怕黑，两个人约好了六点在码头见面。"}
GOOD = json.dumps(SUMMARY, ensure_ascii=False)
PROMPT = rendered(
    "summary", "zh", {"character": "林晚", "summary": "", "messages": ["[0] 阿哲: 周五带我去看船吧", "[1] 林晚: 好，六点码头见"]}
)


def reply(text: str) -> Reply:
    return Reply(text=text, input_tokens=1, output_tokens=1, model="m")


def asked(*answers: str | Exception | Answer) -> tuple[Any, ScriptedModel]:
    model = ScriptedModel(answers)
    return ask(model, PROMPT, SummaryForm), model


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"<think>先想一想 {{}}</think>\n{GOOD}",
        f"```json\n{GOOD}\n```",
        f"好的，这是摘要：\n{GOOD}\n希望对你有帮助！",
        GOOD.replace("}", ",}"),
        json.dumps(SUMMARY),
        json.dumps([SUMMARY], ensure_ascii=False),
        json.dumps({"answer": SUMMARY}, ensure_ascii=False),
        json.dumps({**SUMMARY, "note": "extra"}, ensure_ascii=False),
        GOOD.replace('"', "'"),
    ],
)
def test_what_can_be_mended_is_mended_at_once(text: str) -> None:
    answered, model = asked(text)
    assert answered.value.summary == SUMMARY["summary"]
    assert answered.repairs == 0 and len(model.prompts) == 1


BAD: dict[str, tuple[str, AnswerTrouble]] = {
    "nothing": ("", AnswerTrouble.EMPTY),
    "thoughts only": ("<think>我应该写摘要", AnswerTrouble.EMPTY),
    "prose": ("他们约好了周五去看船。", AnswerTrouble.NOT_JSON),
    "cut off": (GOOD[:30], AnswerTrouble.CUT_OFF),
    "refusal": ("抱歉，我无法处理这个请求。", AnswerTrouble.REFUSAL),
    "refusal in the form": ('{"summary": "I\'m sorry, but I can\'t assist with that request."}', AnswerTrouble.REFUSAL),
    "another language": ('{"summary": "She promised to take him to see the boats on Friday at six."}', AnswerTrouble.LANGUAGE),
    "stuck": (json.dumps({"summary": "他们都看到你那个茶，" + "你看到他们的茶是高良良的茶，" * 12}), AnswerTrouble.REPETITION),
    "stuck and cut off": ('{"summary": "' + "你看到他们的茶是高良良的茶，" * 12, AnswerTrouble.CUT_OFF),
    "the instructions": ('{"summary": "只写说过的，不编造，不评论。"}', AnswerTrouble.ECHO),
    "no member": ('{"text": "a"}', AnswerTrouble.NOT_AS_ASKED),
    "an announcement": ('{"summary": "新的摘要："}', AnswerTrouble.NOT_AS_ASKED),
    "a placeholder": ('{"summary": "未知"}', AnswerTrouble.NOT_AS_ASKED),
    "the shape itself": ('{"summary": "…"}', AnswerTrouble.NOT_AS_ASKED),
    "the schema": (json.dumps(schema_of(SummaryForm)), AnswerTrouble.NOT_AS_ASKED),
    "another type": ('{"summary": ["a", "b"]}', AnswerTrouble.NOT_AS_ASKED),
    "endless": (json.dumps({"summary": "啊" * 5000}), AnswerTrouble.NOT_AS_ASKED),
}


@pytest.mark.parametrize("kind", BAD)
def test_what_cannot_be_used_is_asked_again_with_the_reason(kind: str) -> None:
    text, _ = BAD[kind]
    answered, model = asked(text, GOOD)
    assert answered.value.summary == SUMMARY["summary"] and answered.repairs == 1
    first, second = model.prompts
    assert second.messages[: len(first.messages)] == first.messages and second.schema == first.schema
    assert second.messages[-1].side is Side.USER and "不能用" in second.messages[-1].text


@pytest.mark.parametrize("kind", ["stuck", "cut off", "the instructions"])
def test_a_model_is_not_shown_what_led_it_astray(kind: str) -> None:
    _, model = asked(BAD[kind][0], GOOD)
    assert [said.side for said in model.prompts[1].messages] == [Side.USER] * 2
    _, model = asked(BAD["prose"][0], GOOD)
    assert model.prompts[1].messages[1].text == BAD["prose"][0]


@pytest.mark.parametrize("kind", BAD)
def test_what_stays_so_is_refused_with_its_reason(kind: str) -> None:
    text, trouble = BAD[kind]
    model = ScriptedModel([Answer(text=text, repeat=True)])
    with pytest.raises(ModelAnswerError, match="summary") as caught:
        ask(model, PROMPT, SummaryForm)
    assert caught.value.trouble is trouble
    assert len(model.prompts) == REPAIRS + 1


@pytest.mark.parametrize("error", [CallTrouble.BUSY, CallTrouble.TIMEOUT])
def test_a_call_that_fails_is_no_answer(error: CallTrouble) -> None:
    with pytest.raises(ModelCallError):
        asked(ModelCallError("no", trouble=error, passing=True), GOOD)
    with pytest.raises(ModelCallError):
        asked("Error 429: Too Many Requests", GOOD)


@LAWS
@given(st.text())
def test_no_text_at_all_becomes_a_memory_by_accident(text: str) -> None:
    for form in (SplitForm, LinksForm, QueriesForm, SummaryForm):
        try:
            answered = read(reply(text), form)
        except ModelError:
            continue
        assert not any(answered.value.model_dump().values())


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["facts", "content", "messages", "situations", "narrative", "links", "source", "name"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@LAWS
@given(JSON)
def test_any_json_is_read_or_refused(value: Any) -> None:
    for form in (SplitForm, LinksForm, QueriesForm):
        try:
            read(reply(json.dumps(value)), form)
        except ModelAnswerError as error:
            assert error.what  # noqa: PT017 - either way is right


def test_of_a_list_what_is_wrong_is_dropped_and_named() -> None:
    value = {
        "facts": [{"content": "", "messages": [1]}, {"content": "灯塔", "messages": ["[2]", "4-6", 9.0]}, {"description": "x"}]
    }
    answered = read(reply(json.dumps(value)), SplitForm)
    assert [(fact.content, fact.messages) for fact in answered.value.facts] == [("灯塔", [2, 4, 5, 6, 9])]
    assert len(answered.dropped) == 2 and answered.dropped[0].startswith("facts.0.content")
    with pytest.raises(ModelAnswerError, match="not as asked"):
        read(reply('{"facts": [{"content": "不详"}]}'), SplitForm)


def test_one_list_may_come_alone() -> None:
    answered = read(reply('[{"source": "n1", "target": "o1"}]'), LinksForm)
    assert answered.value.links[0].source == "n1"


def test_nothing_to_note_is_an_answer() -> None:
    answered = read(reply('{"facts": [], "situations": [], "procedures": null}'), SplitForm)
    assert not answered.value.facts


def streamed(text: str) -> tuple[list[str], str]:
    pieces = spoken(ScriptedModel([text]).stream(PROMPT))
    seen: list[str] = []
    while True:
        try:
            seen.append(next(pieces))
        except StopIteration as end:
            return seen, end.value.text


TALK = "那我们周五见。记得带伞，码头上风大，上次你的帽子就是在那里被吹走的，害我笑了半天。"


def test_talk_streams_without_its_thinking() -> None:
    for text in (
        TALK,
        f"[7] 2026-03-08 12:15 林晚: {TALK}",
        f"2026-03-08 12:15 林晚：{TALK}",
        f"<think>他想去看船。</think>\n\n{TALK}",
        f"{TALK} \n",
    ):
        seen, whole = streamed(text)
        assert "".join(seen) == whole == TALK
        assert len(seen) > 1


@LAWS
@given(st.text(st.characters(exclude_categories=["Cs"])), st.booleans())
def test_what_was_streamed_is_what_is_kept(text: str, thinking: bool) -> None:
    try:
        seen, whole = streamed(f"<think>{text}</think>{text}" if thinking else text)
    except ModelError:
        return
    assert "".join(seen).strip() == whole


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<think>hm",
        "好，" * 60,
        "<memories>\n\n</memories>\n\nRewrite the sentence.",
        "Error 503: overloaded",
        "As an AI language model, I have no memories of that. Sorry.",
    ],
)
def test_nothing_of_what_is_refused_was_said(text: str) -> None:
    pieces = spoken(ScriptedModel([text]).stream(PROMPT))
    with pytest.raises(ModelError):
        next(pieces)


def test_schemas_hold_no_references_and_no_lengths() -> None:
    for form in (SplitForm, SummaryForm, LinksForm, QueriesForm):
        told = json.dumps(schema_of(form))
        assert "$ref" not in told and "$defs" not in told and "maxLength" not in told


def test_a_prompt_says_its_schema() -> None:
    model = ScriptedModel([GOOD])
    ask(model, PROMPT, SummaryForm)
    asked_for: Prompt = model.prompts[0]
    assert asked_for.schema is not None and "summary" in asked_for.schema["properties"]
