"""Files of questions: what is read from them, and what is wrong with them, by line."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tune_minds import CASES, EVIDENCE, asks, case, question_file, suite, without, written

from soulmem.errors import FormatError, InputError, SoulmemError
from soulmem.tune.questions import Suite, found_files, read_questions


def test_a_query_file_is_read(tmp_path):
    found = question_file(tmp_path)
    assert found.name == "lanterns" and found.source == tmp_path / "graph.json" and not found.evidence
    assert found.config == {"similarity_floor": 0.5, "max_results": 3} and found.ks == (1, 3) and found.points == ()
    direct, two, walk, negative = found.cases
    assert (direct.name, direct.kind, direct.musts, direct.per_query) == (
        "direct-lantern",
        "direct",
        ("sem_lantern",),
        (("sem_lantern",),),
    )
    assert len(two.queries) == 2 and two.per_query == ((), ())
    assert (walk.actions, walk.bonus, walk.negative) == (("say_wait",), ("sem_oil",), False)
    assert negative.negative and not negative.expected()


def test_only_what_the_file_states_is_asked_of_the_settings(tmp_path):
    assert question_file(tmp_path, suite(config={"max_results": 7})).config == {"max_results": 7}
    assert question_file(tmp_path, without(suite(), "config")).config == {}


def test_with_a_floor_of_nothing_a_case_that_expects_nothing_says_nothing(tmp_path):
    found = question_file(tmp_path, suite(config={"similarity_threshold": 0.0}))
    assert not any(case.negative for case in found.cases)


def test_the_blend_sweep_of_tags(tmp_path):
    found = question_file(tmp_path, suite(blend_sweep={"tag_sweep": [0.3, 0.5, 0]}))
    assert found.points == ({"tag": 0.3, "variant": 0.7}, {"tag": 0.5, "variant": 0.5}, {"tag": 0.0, "variant": 1.0})


def test_pairs_win_over_tags_and_take_any_weight(tmp_path):
    pairs = [{"tag": 0.2, "variant": 0.9}, {"damping": 0.5, "max_results": 3}]
    found = question_file(tmp_path, suite(blend_sweep={"tag_sweep": [0.3], "pairs": pairs}))
    assert list(found.points) == pairs


@pytest.mark.parametrize("sweep", [None, {}, {"tag_sweep": []}, {"pairs": [], "tag_sweep": None}])
def test_a_blend_sweep_of_nothing_is_none(tmp_path, sweep):
    assert question_file(tmp_path, suite(blend_sweep=sweep)).points == ()


@pytest.mark.parametrize(
    ("sweep", "said"),
    [
        ([], "blend_sweep: expected an object"),
        ({"tags": [0.1]}, "blend_sweep.tags"),
        ({"tag_sweep": 0.3}, "blend_sweep.tag_sweep: expected an array"),
        ({"tag_sweep": [0.3, 1.5]}, "blend_sweep.tag_sweep[1]: tag: 1.5 is out of its range"),
        ({"tag_sweep": [float("nan")]}, "blend_sweep.tag_sweep[0]: tag: 'nan' is not a number"),
        ({"pairs": [{"tag": 0.1}, {"tagg": 0.1}]}, "blend_sweep.pairs[1].tagg: there is no weight called 'tagg'"),
        ({"pairs": [3]}, "blend_sweep.pairs[0]: expected an object"),
        ({"pairs": [{}]}, "blend_sweep.pairs[0]: no weight"),
    ],
)
def test_what_is_wrong_with_a_sweep_is_said_with_its_place(tmp_path, sweep, said):
    with pytest.raises(FormatError) as caught:
        question_file(tmp_path, suite(blend_sweep=sweep))
    assert said in caught.value.what
    assert str(caught.value.place).startswith(f"{tmp_path / 'queries.json'}:")


def test_complaints_have_the_line(tmp_path):
    text = '{"name": "a", "graph_path": "g",\n "test_cases": [\n  {"name": "x", "sub_queries": []},\n  {"name": 3}\n]}'
    file = tmp_path / "q.json"
    file.write_text(text)
    with pytest.raises(FormatError) as caught:
        read_questions(file, Suite.FULL)
    assert (caught.value.place, "test_cases[1].name" in caught.value.what) == (f"{file}:4", True)
    file.write_text(text[:60])
    with pytest.raises(FormatError) as caught:
        read_questions(file, Suite.FULL)
    assert caught.value.place == f"{file}:3"


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"q": 3}, "questions[1].q: expected text"),
        ({"q": "  "}, "questions[1].q: it is empty"),
        ({"evidence": [1, "x"]}, "questions[1].evidence[1]: expected a whole number"),
        ({"evidence": [True]}, "questions[1].evidence[0]: expected a whole number"),
        ({"evidence": [-1]}, "questions[1].evidence[0]: lines are counted from 0"),
        ({"evidence": {"a": 1}}, "questions[1].evidence: expected an array"),
    ],
)
def test_complaints_about_evidence_have_the_line(tmp_path, change, line):
    questions = [EVIDENCE["questions"][0], EVIDENCE["questions"][1] | change]
    file = written(tmp_path / "e.json", EVIDENCE | {"questions": questions})
    with pytest.raises(FormatError) as caught:
        read_questions(file, Suite.EVIDENCE)
    assert line in caught.value.what
    number = int(str(caught.value.place).rsplit(":", 1)[1])
    assert file.read_text().splitlines()[number - 1].strip().startswith((f'"{next(iter(change))}"', '"x"', "true", "-1"))


def test_evidence_is_read(tmp_path):
    found = read_questions(written(tmp_path / "e.json", EVIDENCE), Suite.EVIDENCE)
    assert found.evidence and found.source == tmp_path / "chat.jsonl"
    assert [case.musts for case in found.cases] == [("3",), ("0", "1"), ()]
    assert [case.negative for case in found.cases] == [False, False, True]
    assert [case.kind for case in found.cases] == ["single", "multi", "negative"]


@pytest.mark.parametrize(("value", "suite_of"), [(suite(), Suite.EVIDENCE), (EVIDENCE, Suite.FULL)])
def test_a_file_of_another_suite_is_refused_with_advice(tmp_path, value, suite_of):
    with pytest.raises(FormatError, match="Run it with"):
        read_questions(written(tmp_path / "q.json", value), suite_of)


@pytest.mark.parametrize(("value", "suite_of"), [(suite([]), Suite.FULL), (EVIDENCE | {"questions": []}, Suite.EVIDENCE)])
def test_a_file_that_asks_nothing_is_refused(tmp_path, value, suite_of):
    with pytest.raises(InputError, match="asks nothing"):
        read_questions(written(tmp_path / "q.json", value), suite_of)


def test_files_in_folders_are_found_by_what_they_are(tmp_path):
    (tmp_path / "deep").mkdir()
    queries = [written(tmp_path / name, suite()) for name in ("b.json", "deep/a.json")]
    evidence = written(tmp_path / "e.json", EVIDENCE)
    written(tmp_path / "graph.json", [{"id": "a", "tags": ["questions", "test_cases"], "questions": 1, "test_cases": 2}])
    (tmp_path / "half.json").write_text('{"name": "questions", "test')
    assert found_files([tmp_path], Suite.FULL) == tuple(queries)
    assert found_files([tmp_path, queries[0]], Suite.FULL) == tuple(queries), "none twice"
    assert found_files([tmp_path], Suite.EVIDENCE) == (evidence,)
    with pytest.raises(InputError, match="no Evidence JSON"):
        found_files([tmp_path / "deep"], Suite.EVIDENCE)


def test_a_graph_that_is_not_where_it_is_said_may_be_beside(tmp_path):
    value = suite(graph_path="../graphs/g.json")
    assert question_file(tmp_path, value).source == tmp_path / "../graphs/g.json"
    beside = written(tmp_path / "g.json", [])
    assert question_file(tmp_path, value).source == beside


def test_what_the_mind_does_not_have_is_taken_out_of_the_truth(tmp_path):
    odd = case("x", asks("a"), musts=["k", "u"], actions=["p"], bonus_combined_ranking=["v"], per_query=[["k", "u"]])
    found = question_file(tmp_path, suite([odd])).cases[0].knowing({"k", "p"})
    assert (found.musts, found.bonus, found.actions, found.per_query) == (("k",), (), ("p",), (("k",),))
    assert found.unknown == ("u", "v") and not found.negative


@pytest.mark.parametrize("name", ["nowhere.json", "folder"])
def test_what_cannot_be_read_is_said(tmp_path, name):
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match=name):
        read_questions(tmp_path / name, Suite.FULL)


@pytest.mark.parametrize("data", [b"\xff\xfe{}", b"", b"[]", b"3", b"null", b"{}", b"[" * 100_000, b'{"test_cases": 3}'])
def test_what_is_no_query_file_is_a_format_error(tmp_path, data):
    (tmp_path / "q.json").write_bytes(data)
    with pytest.raises(FormatError):
        read_questions(tmp_path / "q.json", Suite.FULL)


values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=True) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["q", "tag", "pairs", "evidence", "name"]), inner)
    ),
    max_leaves=6,
)


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(["name", "config", "test_cases", "blend_sweep", "questions", "chat", "graph_path"]), values)
def test_no_value_anywhere_is_more_than_an_error_in_words(tmp_path_factory, member, value):
    file = tmp_path_factory.getbasetemp() / "odd.json"
    base = EVIDENCE if member in ("questions", "chat") else suite(CASES[:1])
    file.write_text(json.dumps(base | {member: value}))
    for of in (Suite.FULL, Suite.EVIDENCE):
        with suppress(SoulmemError):
            read_questions(file, of)
