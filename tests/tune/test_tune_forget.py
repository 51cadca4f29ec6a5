"""The suite ``forget``: that it passes on the shipped files, that it can fail, and what it makes of broken files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.embed.hashing import HashingEmbedder
from soulmem.errors import FormatError, InputError
from soulmem.settings import Settings
from soulmem.tune.excitation import DOSES, HORIZON_HOURS, SCHEDULES, course, excite
from soulmem.tune.forget_cases import read_forget
from soulmem.tune.forget_page import forget_page
from soulmem.tune.forgetting import ForgetSuiteReport, run_forget
from soulmem_cli.app import app

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
KINDS = ["T1", "T2", "T3", "T4", "T5", "E1", "E2", "E3", "E4", "E5", "E6"]
DEFAULT = Settings()


def written(path: Path, *cases: dict[str, Any], **more: Any) -> Path:
    path.write_text(json.dumps({"name": "n", "test_cases": list(cases), **more}, ensure_ascii=False), encoding="utf-8")
    return path


def run(path: Path, mind: Settings = DEFAULT) -> ForgetSuiteReport:
    return run_forget([read_forget(path)], HashingEmbedder(), mind)


@pytest.mark.parametrize("who", ["wren", "xiaohong"])
def test_the_shipped_files_have_all_kinds_and_pass(who: str) -> None:
    report = run(FIXTURES / who / "forget.json")
    assert [result for result in report.results if not result.passed] == []
    assert list(report.metrics) == ["passed", *KINDS] and set(report.metrics.values()) == {1.0}
    assert len(report.curves) == len(DOSES) * len(SCHEDULES)


TEXT = "The starboard engine stopped in the fog, and Jonah rowed ahead with a lantern."
WRONG = [
    ({"kind": "magnitude", "time_offset_hours": 24, "expected_missing_degree": 0.6}, "T3"),
    ({"kind": "T3", "time_offset_hours": 24, "expected_missing_degree": 0.502, "tolerance": 0.001}, "T3"),
    ({"kind": "branch", "time_offsets_hours": [24], "expected_branches": ["NoAction"]}, "T4"),
    ({"kind": "effect", "text": TEXT, "time_offset_hours": 48, "expected": {"should_forget": False}}, "T5"),
    ({"kind": "effect", "text": TEXT, "time_offset_hours": 0, "expected": {"should_forget": True}}, "T5"),
    (
        {"kind": "effect", "text": TEXT, "time_offset_hours": 4, "expected": {"should_forget": True, "min_action": "Revised"}},
        "T5",
    ),
]


@pytest.mark.parametrize(("case", "kind"), WRONG)
def test_what_is_not_so_fails(case: dict[str, Any], kind: str, tmp_path: Path) -> None:
    report = run(written(tmp_path / "forget.json", {"name": "x", **case}))
    failed = [result for result in report.results if not result.passed]
    assert [result.kind for result in failed] == [kind] and report.metrics[kind] == 0.0
    assert report.passed == report.cases - 1


def test_the_curve_is_that_of_the_file(tmp_path: Path) -> None:
    case = {"name": "x", "kind": "magnitude", "time_offset_hours": 10, "activation_count": 9, "expected_missing_degree": 0.5}
    path = written(
        tmp_path / "forget.json", case, config={"base_half_life_hours": 5, "active_factor": 0.5, "max_activation_cap": 2}
    )
    assert run(path).metrics["T3"] == 1.0
    fact = {"name": "x", "kind": "T3", "mem_kind": "semantic", "category": "state", "time_offset_hours": 12}
    path = written(path, fact | {"expected_missing_degree": 0.5}, config={"base_half_life_hours": 5})
    assert run(path).metrics["T3"] == 1.0  # by its category


def test_the_doses_of_early_recalls_give_the_check_values() -> None:
    missing = [round(course("early", dose, DEFAULT).missing, 3) for dose in DOSES]
    assert missing == [0.875, 0.849, 0.798, 0.646, 0.405, 0.293, 0.293]


@settings(deadline=None, max_examples=20)
@given(st.sampled_from(sorted(SCHEDULES)), st.integers(0, 120), st.floats(0.5, 2000.0))
def test_sweeps_change_no_course(schedule: str, dose: int, base: float) -> None:
    mind = DEFAULT.with_values(half_life_episode_hours=base)
    plain, swept = course(schedule, dose, mind), course(schedule, dose, mind, swept=True)
    assert len(plain.points) == HORIZON_HOURS + 1 and plain == course(schedule, dose, mind)
    for (_, one), (_, two) in zip(plain.points, swept.points, strict=True):
        assert one == pytest.approx(two, abs=1e-9) and 0.0 <= one <= 1.0


@pytest.mark.parametrize(
    ("values", "failing"),
    [
        ({"recall_boost": 0.0, "recall_count_factor": 0.0}, {"E1"}),  # recalls do nothing
        ({"recall_count_cap": 1_000}, set()),
    ],
)
def test_a_memory_that_does_not_behave_is_found_out(values: dict[str, Any], failing: set[str]) -> None:
    _, findings = excite(DEFAULT.with_values(**values))
    assert {finding.id for finding in findings if not finding.passed} == failing


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "not JSON"),
        ("[]", "the file"),
        ("{}", "test_cases"),
        ('{"test_cases": []}', "test_cases"),
        ('{"test_cases": [{"name": "x", "kind": "T9"}]}', "test_cases.0"),
        (
            '{"test_cases": [{"name": "x", "kind": "T3", "time_offset_hours": -1, "expected_missing_degree": 1}]}',
            "time_offset_hours",
        ),
        ('{"test_cases": [{"name": "x", "kind": "T3", "time_offset_hours": 1e300, "expected_missing_degree": 1}]}', "hours"),
        (
            '{"test_cases": [{"name": "x", "kind": "T3", "time_offset_hours": 1, "expected_missing_degree": NaN}]}',
            "missing_degree",
        ),
        ('{"test_cases": [{"name": "x", "kind": "T4", "time_offsets_hours": [1], "expected_branches": []}]}', "one for each"),
        ('{"config": {"base_half_life_hours": 0}, "test_cases": [{"name": "x", "kind": "T9"}]}', "base_half_life_hours"),
    ],
)
def test_a_broken_file_is_refused_with_its_place(content: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "forget.json"
    path.write_text(content)
    with pytest.raises(FormatError, match=said) as caught:
        read_forget(path)
    assert caught.value.place == str(path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        read_forget(tmp_path / "none.json")


def test_the_page_holds_the_curves_and_escapes(tmp_path: Path) -> None:
    case = {"name": "<script>", "kind": "magnitude", "time_offset_hours": 24, "expected_missing_degree": 0.1}
    page = forget_page(run(written(tmp_path / "forget.json", case)))
    assert page.count("<svg") == len(SCHEDULES) and "<script" not in page and "&lt;script&gt;" in page


def soulmem(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["tune", "run", "forget", *arguments, "--embedder", "hashing"])


def test_on_the_command_line(tmp_path: Path) -> None:
    page, output = tmp_path / "r.html", tmp_path / "r.json"
    done = soulmem(str(FIXTURES), "--batch", "--html", str(page), "-o", str(output), "--require", "passed>=1", "--json")
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert {"suite", "cases", "passed", "metrics", "results"} <= report.keys() and report == json.loads(output.read_text())
    assert report["suite"] == "forget" and report["passed"] == report["cases"] == len(report["results"])
    assert page.read_text().startswith("<!doctype html>")


def test_requirements_and_wrong_options_are_told(tmp_path: Path) -> None:
    path = written(tmp_path / "forget.json", {"name": "x", **WRONG[0][0]})
    failed = soulmem(str(path), "--require", "T3>=1")
    assert failed.exit_code == 1 and "T3 is 0.0000, and must be at least 1" in failed.stderr and "0.6 ± 0.001" in failed.stdout
    assert soulmem(str(path), "--require", "T1>=1").exit_code == 1
    for wrong in (["--csv", "x.csv"], ["--set", "damping=0.5"], ["--fresh"], ["--model", "scripted:x"]):
        assert soulmem(str(path), *wrong).exit_code == 2
    assert soulmem(str(tmp_path)).exit_code == 2 and soulmem(str(tmp_path / "none.json")).exit_code == 1
    assert soulmem(str(path), "--html", str(path)).exit_code == 1  # over its own input
