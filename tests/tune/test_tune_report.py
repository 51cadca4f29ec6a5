"""Reports: their sums, their JSON, CSV and page, what is required of them, and two of them compared."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tune_minds import AT

from soulmem.errors import FormatError, InputError
from soulmem.settings import Settings
from soulmem.tune.charts import bars, columns, heat, lines, safe
from soulmem.tune.compare import compare
from soulmem.tune.judge import Outcome
from soulmem.tune.metrics import means
from soulmem.tune.page import report_page
from soulmem.tune.questions import Case, QuestionFile, Suite
from soulmem.tune.report import (
    Report,
    Requirement,
    missed,
    parsed_requirement,
    read_report,
    report_csv,
    report_json,
    report_of,
)
from soulmem.tune.run import FileRun
from soulmem.tune.weights import Point

HOSTILE = "<script>alert('\"x\"&')</script>\x1b[31m\u202e\ud800 =1+1,\n"


def outcome(mrr: float, *ranking: str, passed: bool | None = None) -> Outcome:
    scores = {"mrr": mrr, "ndcg@10": mrr, "recall@5": mrr, "recall@10": min(1.0, mrr + 0.25)}
    return Outcome(ranking=ranking, passed=mrr > 0 if passed is None else passed, scores=scores, missing=() if mrr else ("a",))


def run(outcomes: Sequence[Sequence[Outcome]], points: Sequence[Point] = ({},), names: Sequence[str] = (), **more) -> FileRun:
    names = names or [f"kind{number % 2}-{number}" for number in range(len(outcomes[0]))]
    cases = tuple(Case(name=name, kind=name.partition("-")[0], musts=("a",), unknown=more.get("unknown", ())) for name in names)
    path = Path(more.get("path", "folder/q.json"))
    return FileRun(
        questions=QuestionFile(path=path, name=more.get("title", "q"), cases=cases, source=Path("g.json")),
        suite=Suite.FULL,
        cases=cases,
        settings=Settings(),
        points=tuple(points),
        outcomes=tuple(map(tuple, outcomes)),
        depths=(5, 10),
        embedder="hashing",
        at=AT,
    )


THREE = [outcome(1.0, "a"), outcome(0.5, "x", "a"), outcome(0.0, "x")]
SWEPT = run([THREE, [outcome(1.0, "a"), outcome(1.0, "a"), outcome(0.5, "x", "a")]], ({"damping": 0.2}, {"damping": 0.8}))


def test_a_report_adds_up():
    report = report_of([run([THREE])])
    assert (report.suite, report.cases, report.passed, report.best) == ("retrieve/full", 3, 2, {})
    assert report.metrics["mrr"] == pytest.approx(0.5) and report.counts["mrr"] == 3
    assert report.by_kind["kind0"]["mrr"] == pytest.approx(0.5) and report.by_kind["kind1"]["mrr"] == pytest.approx(0.5)
    assert [result.name for result in report.results] == ["kind0-0", "kind1-1", "kind0-2"]
    assert report.files[0].settings["damping"] == 0.65 and report.at == "2026-11-01T12:00:00Z"


def test_the_best_point_is_reported_and_all_are_there():
    report = report_of([SWEPT])
    assert report.best == {"damping": 0.8} and report.passed == 3 and report.objective == "ndcg@10"
    assert [point.weights for point in report.points] == [{"damping": 0.2}, {"damping": 0.8}]
    assert len(report.results) == 6 and {result.weights["damping"] for result in report.of_best()} == {0.8}


def test_of_equals_the_one_that_passes_more_then_the_first():
    better = [outcome(0.5, "a"), outcome(0.5, "a"), outcome(0.5, "a")]
    report = report_of([run([THREE, better, better], ({"tag": 0.1}, {"tag": 0.2}, {"tag": 0.3}))])
    assert report.best == {"tag": 0.2}


def test_the_objective_may_be_chosen_and_must_be_measured():
    assert report_of([SWEPT], "recall@5").objective == "recall@5"
    with pytest.raises(InputError, match="mrr"):
        report_of([SWEPT], "beauty")


def test_files_are_one_report_with_all_cases_alike():
    report = report_of([run([THREE], path="a.json"), run([[outcome(1.0, "a")]], path="b.json")])
    assert (report.cases, report.passed) == (4, 3)
    assert report.metrics["mrr"] == pytest.approx(2.5 / 4), "the mean over cases, not over files"
    assert [(file.file, file.cases, file.passed) for file in report.files] == [("a.json", 3, 2), ("b.json", 1, 1)]


@settings(deadline=None, max_examples=30)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_the_kinds_make_the_whole(values):
    report = report_of([run([[outcome(value, "a") for value in values]])])
    assert report.metrics == pytest.approx(means([result.scores for result in report.results])[0])
    assert sum(point.cases for point in report.points) == len(values) == report.cases


# -- JSON and CSV -------------------------------------------------------------------------------------------------------------


ODD = run([THREE], names=[HOSTILE, "k-b", "k-c"], title=HOSTILE, unknown=(HOSTILE,), path=f"f/{HOSTILE}")


@pytest.mark.parametrize("made", [run([THREE]), SWEPT, ODD])
def test_json_is_read_as_it_was_written(tmp_path, made):
    report = report_of([made])
    text = report_json(report)
    (tmp_path / "r.json").write_bytes(text.encode("utf-8"))
    again = read_report(tmp_path / "r.json")
    assert json.loads(report_json(again)) == json.loads(text)
    assert again.results == report.results and again.best == report.best


def test_json_has_what_is_promised():
    value = json.loads(report_json(report_of([SWEPT])))
    assert {"suite", "cases", "passed", "metrics", "results"} <= value.keys()
    assert {"name", "weights", "ranking", "actions", "passed"} <= value["results"][0].keys()
    assert value["results"][0]["weights"] == {"damping": 0.2} and value["results"][1]["ranking"] == ["x", "a"]


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b"[]", b"3", b"\xff", b"[" * 50_000, b'{"results": []}', b'{"results": [{"name": 3}]}', b'{"results": 1}'],
)
def test_what_is_no_report_is_said_to_be_none(tmp_path, data):
    (tmp_path / "r.json").write_bytes(data)
    with pytest.raises(FormatError) as caught:
        read_report(tmp_path / "r.json")
    assert str(tmp_path / "r.json") in str(caught.value.place)


def test_a_report_with_numbers_that_are_none_is_refused(tmp_path):
    text = report_json(report_of([run([THREE])])).replace('"mrr": 1.0', '"mrr": NaN', 1)
    (tmp_path / "r.json").write_text(text.replace('"mrr": 0.5', '"mrr": NaN'))
    with pytest.raises(FormatError):
        read_report(tmp_path / "r.json")
    with pytest.raises(InputError, match=r"nowhere\.json"):
        read_report(tmp_path / "nowhere.json")


def test_csv_has_a_row_for_every_answer():
    report = report_of([run([THREE, THREE], ({"damping": 0.2}, {"damping": 0.8}), names=["a,b", 'c"d', "e\nf"])])
    rows = list(csv.DictReader(io.StringIO(report_csv(report), newline="")))
    assert [row["name"] for row in rows] == ["a,b", 'c"d', "e\nf"] * 2
    assert [row["damping"] for row in rows] == ["0.2"] * 3 + ["0.8"] * 3
    assert json.loads(rows[1]["ranking"]) == ["x", "a"] and float(rows[1]["mrr"]) == 0.5
    assert [row["passed"] for row in rows[:3]] == ["true", "true", "false"]


# -- the page -----------------------------------------------------------------------------------------------------------------

VOID = {"meta", "br"}


class Page(HTMLParser):
    """Checks that elements nest, and collects what a browser would run or load."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.values: list[str] = []
        self.said: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.values += [value or "" for name, value in attrs if name not in ("xmlns",)]
        assert not any(name.startswith("on") or name in ("src", "href") for name, _ in attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.said.append(data)


HEAT = run([THREE] * 4, [{"damping": d, "tag": t} for d in (0.2, 0.8) for t in (0.1, 0.9)])
BLEND = run([THREE] * 2, [{"tag": 0.3, "variant": 0.7}, {"tag": 0.5, "variant": 0.5}])
MANY = run([THREE] * 60, [{"tag": n / 100, "damping": 0.1, "bm25_b": n / 200, "sem_concept": n / 300} for n in range(60)])
NOTHING = run([[Outcome(judged=False)]], names=["-"])


@pytest.mark.parametrize("made", [run([THREE]), SWEPT, HEAT, BLEND, MANY, NOTHING])
def test_the_page_is_whole_and_needs_nothing_else(made):
    text = report_page(report_of([made, run([THREE], made.points[:1], path="other.json")]))
    page = Page(text)
    assert not page.tags & {"script", "img", "link", "iframe", "object"}
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
    assert "url(" not in text and "@import" not in text
    assert "svg" in page.tags or made is NOTHING
    text.encode("utf-8")


def test_the_page_shows_charts_of_sweeps():
    assert "Measures by damping" in report_page(report_of([SWEPT]))
    assert "Measures by tag" in report_page(report_of([BLEND]))
    assert 'class="heat"' in report_page(report_of([HEAT]))
    assert "The best 50 of 60." in report_page(report_of([MANY]))


def test_text_in_the_page_is_text():
    page = Page(report_page(report_of([ODD])))
    assert "script" not in page.tags
    said = "".join([*page.said, *page.values])
    assert "<script>alert" in said and "\\x1b[31m\\u202e\\ud800" in said
    assert not set(said) & {"\x1b", "\u202e", "\ud800"}


@given(st.text())
def test_safe_text_is_text_again_without_what_steers(text):
    page = Page(f'<p title="{safe(text)}">{safe(text)}</p>')
    assert page.tags == {"p"} and "".join(page.said).replace("\r", "\n") == "".join(page.values).replace("\r", "\n")


def test_charts_of_odd_numbers():
    for chart in (
        lines({"a": [(0.5, 1.0)]}, "x", "one point"),
        lines({"a": [(0.0, 0.0), (1.0, 0.0)], "b": [(0.5, 1.0)]}, "x", "flat", mark=0.5),
        lines({"τ": [(0.0, -1.0), (1.0, 2.0)]}, "x", "outside"),
        bars([], "none"),
        bars([("a", 2.0, ""), ("b", -1.0, "")], "outside"),
        columns([], "x", "none"),
        columns([("1", 0), ("2", 0)], "x", "zeros"),
        heat([1.0], [2.0], {(1.0, 2.0): 0.5}, ("a", "b")),
        heat([1.0, 2.0], [2.0], {(1.0, 2.0): 0.5}, ("a", "b")),
    ):
        assert Page(chart).tags
        assert "nan" not in chart and "inf" not in chart


# -- what is required ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mrr>=0.8", Requirement("mrr", 0.8)),
        (" recall@10 >= 82% ", Requirement("recall@10", 0.82)),
        ("recall@10[multi-hop]>=.5", Requirement("recall@10", 0.5, "multi-hop")),
        ("must_hit[联想]>=1", Requirement("must_hit", 1.0, "联想")),
    ],
)
def test_requirements_are_read(text, expected):
    assert parsed_requirement(text) == expected


@pytest.mark.parametrize("text", ["mrr", "mrr>0.8", "mrr=>0.8", "mrr<=1", ">=1", "mrr>=x", "mrr>=nan", "mrr>=-1", "mrr[]>=1", ""])
def test_what_is_no_requirement_is_refused(text):
    with pytest.raises(InputError, match="METRIC>=VALUE"):
        parsed_requirement(text)


def required(report: Report, *texts: str) -> tuple[str, ...]:
    return missed(report, [parsed_requirement(text) for text in texts])


def test_what_is_missed_is_told_with_how_much():
    report = report_of([run([THREE])])
    assert required(report, "mrr>=0.5", "passed>=66%", "mrr[kind1]>=0.5") == ()
    found = required(report, "mrr>=0.75", "passed>=0.9", "mrr[kind0]>=0.6")
    assert found[0] == "mrr is 0.5000, and must be at least 0.75: 0.2500 too little"
    assert "passed is 0.6667" in found[1] and "mrr[kind0]" in found[2]


@pytest.mark.parametrize("text", ["beauty>=0.1", "mrr[nobody]>=0.1", "action_hit[kind0]>=0.1"])
def test_a_requirement_that_nothing_measures_is_a_mistake(text):
    with pytest.raises(InputError, match="There are"):
        required(report_of([run([THREE])]), text)


# -- two reports --------------------------------------------------------------------------------------------------------------


def test_a_report_against_itself_differs_nowhere():
    report = report_of([run([THREE])])
    found = compare(report, report)
    assert (found.common, found.cases, found.only_a, found.only_b) == (3, (), (), ())
    assert all((one.difference, one.low, one.high, one.sure) == (0.0, 0.0, 0.0, False) for one in found.metrics)


def test_differences_are_paired_by_case_and_signed():
    before = report_of([run([THREE], path="/here/minds/q.json")])
    after = report_of([run([list(reversed(THREE))], names=["kind0-2", "kind1-1", "kind0-0"], path="/there/minds/q.json")])
    assert compare(before, after).cases == (), "the same answers in another order and another folder"
    better = report_of([run([[outcome(1.0, "a")] * 3], path="/there/minds/q.json")])
    found = compare(before, better)
    by_metric = {one.metric: one for one in found.metrics}
    assert by_metric["mrr"].difference == pytest.approx(0.5) and by_metric["mrr"].before == pytest.approx(0.5)
    assert by_metric["passed"].difference == pytest.approx(1 / 3)
    assert [(case.name, case.passed_before, case.passed_after, case.gained, case.lost) for case in found.cases] == [
        ("kind1-1", True, True, (), ("x",)),
        ("kind0-2", False, True, ("a",), ("x",)),
    ]
    backwards = {one.metric: one for one in compare(better, before).metrics}
    assert backwards["mrr"].difference == pytest.approx(-by_metric["mrr"].difference)


def test_a_difference_is_sure_when_every_case_tells_it():
    before = report_of([run([[outcome(0.2, "a")] * 5])])
    after = report_of([run([[outcome(0.9, "a")] * 5])])
    mrr = next(one for one in compare(before, after).metrics if one.metric == "mrr")
    assert mrr.sure and mrr.low == pytest.approx(0.7) and mrr.high == pytest.approx(0.7)


def test_names_that_come_again_are_told_apart_and_others_are_listed():
    before = report_of([run([THREE], names=["x", "x", "only before"])])
    after = report_of([run([THREE], names=["x", "x", "only after"])])
    found = compare(before, after)
    assert (found.common, found.cases, found.only_a, found.only_b) == (2, (), ("only before",), ("only after",))
    with pytest.raises(InputError, match="no case in common"):
        compare(before, report_of([run([[outcome(1.0)]], names=["other"])]))


def test_the_best_points_are_compared():
    found = compare(report_of([SWEPT]), report_of([run([THREE])]))
    assert next(one for one in found.metrics if one.metric == "mrr").before == pytest.approx(2.5 / 3)
