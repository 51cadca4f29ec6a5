"""JSON out of answers: whatever is around it, and wherever it was cut off."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.errors import AnswerTrouble, ModelAnswerError
from soulmem.llm.extract import Extracted, extracted

LAWS = settings(deadline=None, max_examples=60)

TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)
NUMBERS = st.lists(st.integers(0, 99), max_size=3)
NOTE = st.fixed_dictionaries({"narrative": TEXTS, "tags": st.lists(TEXTS, max_size=3), "messages": NUMBERS})
NOTES = st.lists(NOTE, min_size=1, max_size=4)
AROUND = st.sampled_from(
    [
        ("", ""),
        ("```json\n", "\n```"),
        ("Sure! Here is the JSON you asked for:\n\n", "\n\nLet me know if you need more."),
        ("好的，结果如下：\n```\n", "\n```\n希望有帮助。"),
        ('<think>The user wants {"facts": []}. Hmm [1].</think>\n', ""),
        ("thinking without a beginning {\n</think>", ""),
        ("\ufeff  \n", "  \n"),
        ("As said in [1] and {above}: ", ""),
    ]
)


def read(text: str) -> Extracted | AnswerTrouble:
    try:
        return extracted(text)
    except ModelAnswerError as error:
        return error.trouble


def trouble(text: str) -> AnswerTrouble:
    with pytest.raises(ModelAnswerError) as caught:
        extracted(text)
    return caught.value.trouble


@LAWS
@given(NOTES, AROUND)
def test_what_stands_around_does_not_matter(notes: list[Any], around: tuple[str, str]) -> None:
    value = {"situations": notes}
    found = extracted(around[0] + json.dumps(value, ensure_ascii=False) + around[1])
    assert (found.value, found.cut_off) == (value, False)


@LAWS
@given(NOTES, st.data())
def test_of_what_is_cut_off_only_whole_notes_are_left(notes: list[Any], data: st.DataObject) -> None:
    whole = json.dumps({"situations": notes}, ensure_ascii=False)
    text = whole[: data.draw(st.integers(1, len(whole) - 1))]
    found = read(text)
    if isinstance(found, AnswerTrouble):
        assert found is AnswerTrouble.CUT_OFF
        return
    assert found.cut_off
    kept = found.value["situations"]
    assert kept == notes[: len(kept)]


@LAWS
@given(NOTES)
def test_trailing_commas_are_mended(notes: list[Any]) -> None:
    text = json.dumps({"situations": notes}, ensure_ascii=False, indent=1).replace("\n ]", ",\n ]").replace("\n}", ",\n}")
    assert extracted(text).value == {"situations": notes}


@LAWS
@given(st.text())
def test_any_text_gives_json_or_a_reason(text: str) -> None:
    found = read(text)
    assert isinstance(found, AnswerTrouble) or isinstance(found.value, dict | list)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'summary': 'she left'}", {"summary": "she left"}),
        ('{"summary": "她说"好"就走了"}', None),
        ("{“summary”: “她走了”}", {"summary": "她走了"}),
        ('{"a": 1, // a comment\n "b": True, "c": None}', {"a": 1, "b": True, "c": None}),
        ('{"summary": "line one\nline two"}', {"summary": "line one\nline two"}),
        ('[1] says so. {"summary": "x"}', {"summary": "x"}),
    ],
)
def test_json_of_small_models(text: str, value: Any) -> None:
    found = extracted(text).value
    assert found == value if value is not None else "summary" in found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", AnswerTrouble.EMPTY),
        (" \n\t", AnswerTrouble.EMPTY),
        ("<think>I should answer with JSON</think>", AnswerTrouble.EMPTY),
        ('<think>I should answer with {"a": 1} but then it was', AnswerTrouble.EMPTY),
        ("I'm sorry, but I can't help with that request.", AnswerTrouble.REFUSAL),
        ("抱歉，我无法处理这个请求。", AnswerTrouble.REFUSAL),
        ("As an AI language model, I cannot have memories.", AnswerTrouble.REFUSAL),
        ("She went home.", AnswerTrouble.NOT_JSON),
        ("{name}", AnswerTrouble.NOT_JSON),
        ('{"summary": "She went to the', AnswerTrouble.CUT_OFF),
        ("null", AnswerTrouble.NOT_JSON),
        ("[" * 5000, AnswerTrouble.CUT_OFF),
    ],
)
def test_what_is_no_answer_is_refused(text: str, expected: AnswerTrouble) -> None:
    assert trouble(text) is expected
