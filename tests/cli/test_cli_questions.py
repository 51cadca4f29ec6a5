"""Questions out of files."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cli_mind import FIXTURES
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.errors import FormatError, InputError
from soulmem_cli.questions import Question, read_batch, read_structured


def written(folder: Path, text: str | bytes) -> str:
    file = folder / "questions"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(file)


def asked(folder: Path, text: str | bytes) -> list[str]:
    return [question.text for question in read_batch(written(folder, text)) if isinstance(question, Question)]


QUESTIONS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip), min_size=1, max_size=5)


@given(QUESTIONS, st.booleans())
@settings(deadline=None, max_examples=30)
def test_every_way_of_writing_questions_gives_the_same(
    tmp_path_factory: pytest.TempPathFactory, questions: list[str], escaped: bool
) -> None:
    folder = tmp_path_factory.mktemp("q")
    stripped = [question.strip() for question in questions]

    def one(value: object) -> str:
        return json.dumps(value, ensure_ascii=escaped)

    assert asked(folder, "\n".join(one(q) for q in questions)) == stripped
    assert asked(folder, "\n\n".join(one({"q": q}) for q in questions) + "\n") == stripped
    assert asked(folder, "\r\n".join(one({"text": q, "more": 1}) for q in questions)) == stripped
    assert asked(folder, one(questions)) == stripped
    assert asked(folder, b"\xef\xbb\xbf" + one({"questions": [{"q": q} for q in questions]}).encode()) == stripped


def test_evidence_files_are_asked_in_order() -> None:
    file = FIXTURES / "xiaohong" / "chat.evidence.json"
    expected = [question["q"] for question in json.loads(file.read_text(encoding="utf-8"))["questions"]]
    assert [question.text for question in read_batch(str(file))] == expected


def test_query_suites_are_asked_case_by_case() -> None:
    file = FIXTURES / "xiaohong" / "queries.json"
    cases = json.loads(file.read_text(encoding="utf-8"))["test_cases"]
    read = [question for question in read_batch(str(file)) if isinstance(question, Question)]
    assert [question.text for question in read] == [case["name"] for case in cases]
    assert [len(question.sub_queries) for question in read] == [len(case["sub_queries"]) for case in cases]


def test_a_structured_question_has_the_name_of_its_case_or_of_its_file(tmp_path: Path) -> None:
    unit = {"concept_identifier": "小白"}
    bare = read_structured(written(tmp_path, json.dumps(unit)))
    assert bare.text == str(tmp_path / "questions") and len(bare.sub_queries) == 1
    case = {"name": "猫", "sub_queries": [{"variant": {"Semantic": [unit]}}]}
    assert read_structured(written(tmp_path, json.dumps(case))).text == "猫"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('"a"\n{"q": ', "questions:2"),
        ('"a"\n\n\n3', "questions:4"),
        ('"a"\n{"question": "b"}', "questions:2"),
        ("plain words", "questions:1"),
        ('["a", {"q": null}]', "questions, question 2"),
        ('{"questions": {}}', "questions"),
        ('{"questions": [{"q": "  "}]}', "questions, question 1"),
        ('{"test_cases": [{"name": "empty", "sub_queries": []}]}', "questions"),
        ('{"test_cases": [{"sub_queries": [{"variant": {}}]}]}', "questions"),
        (b"\xff\xfe\x00", "questions"),
        ("[" * 100_000, "questions:1"),
    ],
)
def test_what_is_no_question_is_named_with_its_place(tmp_path: Path, text: str | bytes, place: str) -> None:
    try:
        found = read_batch(written(tmp_path, text))
        wrong = [one for one in found if isinstance(one, FormatError)]
        assert [one for one in found if one not in wrong] == [Question("a")]
    except FormatError as error:  # nothing in the file is a question
        wrong = [error]
    assert [str(one).startswith(f"{tmp_path / place}: ") for one in wrong] == [True]


def test_an_empty_file_asks_nothing(tmp_path: Path) -> None:
    assert read_batch(written(tmp_path, "\n")) == []


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        read_batch(str(tmp_path / "none"))
    with pytest.raises(InputError, match="cannot read"):
        read_batch(str(tmp_path))


def test_lines_may_hold_every_separator_but_a_line_feed(tmp_path: Path) -> None:
    assert read_batch(written(tmp_path, '"a\u2028b"\n"c\x85d"')) == [Question("a\u2028b"), Question("c\x85d")]


def test_a_question_may_have_a_time_of_its_own(tmp_path: Path) -> None:
    line = json.dumps({"q": "What did I eat yesterday?", "at": "2026-07-16"})
    assert [question.at for question in read_batch(written(tmp_path, line))] == [datetime(2026, 7, 16, tzinfo=UTC)]
    with pytest.raises(FormatError, match="at: not a time: never"):
        read_batch(written(tmp_path, json.dumps({"q": "What?", "at": "never"})))
