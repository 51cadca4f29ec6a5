"""``soulmem tune`` on the command line."""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from tune_minds import CASES, EVIDENCE, GRAPH, asks, case, chat, suite, written

from soulmem_cli.app import app
from soulmem_cli.commands import tune

Run = Callable[..., Result]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file of questions, and the graph and chat they are about."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "queries.json", suite())
    written(tmp_path / "graph.json", GRAPH)
    written(tmp_path / "evidence.json", EVIDENCE)
    (tmp_path / "chat.jsonl").write_text(chat())
    return tmp_path


@pytest.fixture
def environment(mind_file: Path, tmp_path: Path) -> dict[str, str | None]:
    """A home with one mind."""
    minds = tmp_path / "home" / "minds"
    minds.mkdir(parents=True)
    shutil.copy(mind_file, minds / "lin.mind")
    return {
        "SOULMEM_HOME": str(tmp_path / "home"),
        "SOULMEM_MIND": None,
        "COLUMNS": None,
        "XDG_STATE_HOME": str(tmp_path / "state"),
    }


@pytest.fixture
def run(here: Path, environment: dict[str, str | None]) -> Run:
    def run_it(*arguments: str, **more: str | None) -> Result:
        return CliRunner(env=environment | more).invoke(app, ["tune", *arguments])

    return run_it


def parsed(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


FULL = ("run", "retrieve/full", "queries.json", "--at", "2026-11-01T12:00:00Z")


@pytest.mark.parametrize("name", ["run", "profile", "compare", "replay"])
def test_every_subcommand_has_help_with_an_example_and_explains_its_options(name: str) -> None:
    result = CliRunner().invoke(app, ["tune", name, "--help"])
    assert result.exit_code == 0 and f"soulmem tune {name}" in result.output.partition("\n")[2]
    assert isinstance(tune.command, click.Group)
    command = tune.command.commands[name]
    assert all(option.help for option in command.params if isinstance(option, click.Option))


def test_help_imports_nothing_heavy() -> None:
    told = "import sys; sys.stderr.write(' '.join(sys.modules))"
    code = f"from soulmem_cli.main import main; assert main(['tune', 'run', '--help']) == 0\n{told}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert not {"kuzu", "numpy", "rich", "soulmem.soul", "soulmem.tune.run"} & set(done.stderr.split())


def test_json_has_what_is_promised(run: Run) -> None:
    value = parsed(run(*FULL, "--json"))
    assert (value["suite"], value["cases"], value["passed"]) == ("retrieve/full", len(CASES), len(CASES))
    assert [result["name"] for result in value["results"]] == [one["name"] for one in CASES]
    walk = value["results"][2]
    assert "sit_harbour" in walk["ranking"] and walk["actions"] == ["say_wait"]
    assert walk["passed"] is True and walk["weights"] == {}
    assert value["metrics"]["must_hit"] == 1.0 and value["files"][0]["settings"]["max_results"] == 3


def test_the_table_says_the_same(run: Run) -> None:
    result = run(*FULL)
    assert result.exit_code == 0 and result.stdout.startswith("retrieve/full: 4 of 4 cases passed, embedder hashing")
    lines = {line.split()[0]: line.split()[1:] for line in result.stdout.splitlines() if len(line.split()) > 2}
    assert lines["must_hit"] == ["1.0000", "3"] and lines["negatives_empty"] == ["1.0000", "1"]
    failed = run("run", "retrieve/similarity", *FULL[2:])
    assert failed.exit_code == 0 and "3 of 4 cases passed" in failed.stdout
    assert any(line.split() == ["walk-harbour", "sit_harbour"] for line in failed.stdout.splitlines())


def test_files_are_written_beside(run: Run, here: Path) -> None:
    result = run(*FULL, "--set", "damping=0.5", "-o", "r.json", "--csv", "r.csv", "--html", "r.html", "--json")
    assert json.loads((here / "r.json").read_text()) == parsed(result)
    with (here / "r.csv").open(newline="") as file:
        assert [(row["name"], row["damping"]) for row in csv.DictReader(file)] == [(one["name"], "0.5") for one in CASES]
    assert (here / "r.html").read_text().startswith("<!doctype html>")


@pytest.mark.parametrize("name", ["missing/r.json", "."])
def test_where_nothing_can_be_written_nothing_is_begun(run: Run, name: str) -> None:
    for option in ("-o", "--csv", "--html"):
        result = run(*FULL, option, name)
        assert result.exit_code == 1 and f"cannot write {name}" in result.stderr


def test_sweeps_try_all_and_say_which_is_best(run: Run) -> None:
    value = parsed(run(*FULL, "--sweep", "max_results=1:3:1", "--sweep", "damping=0.2,0.8", "--json", "--by", "mrr"))
    assert len(value["points"]) == 6 and len(value["results"]) == 24 and value["objective"] == "mrr"
    best = max(value["points"], key=lambda point: (point["metrics"]["mrr"], point["passed"]))
    assert best["weights"] == value["best"] and best["metrics"] == value["metrics"]
    table = run(*FULL, "--sweep", "max_results=1:3:1")
    assert table.stdout.count("max_results=") == 3


def test_the_sweep_of_the_file_is_run(run: Run, here: Path) -> None:
    written(here / "queries.json", suite(blend_sweep={"tag_sweep": [0.3, 0.5]}))
    value = parsed(run(*FULL, "--json"))
    assert [point["weights"] for point in value["points"]] == [{"tag": 0.3, "variant": 0.7}, {"tag": 0.5, "variant": 0.5}]
    assert {tuple(result["weights"].items()) for result in value["results"]} == {
        (("tag", 0.3), ("variant", 0.7)),
        (("tag", 0.5), ("variant", 0.5)),
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--set", "dampning=0.5"], "Perhaps damping"),
        (["--set", "damping=nan"], "'nan' is not a number"),
        (["--set", "damping=0.5", "--set", "damping=0.6"], "given twice"),
        (["--set", "damping=0.5", "--sweep", "damping=0.1,0.2"], "not both"),
        (["--sweep", "damping=0:0.9999:0.0001"], "10000 combinations of weights are more than 1000"),
        (["--sweep", "damping=0:0.9:0.1", "--most", "5"], "--most 10"),
        (["--require", "mrr"], "METRIC>=VALUE"),
        (["--fresh", "--save-profile"], "--save-profile needs a mind"),
        (["other.json"], "--batch"),
        (["--jobs", "0"], "--jobs"),
    ],
)
def test_what_is_not_understood_is_exit_code_2(run: Run, arguments: list[str], said: str) -> None:
    result = run(*FULL, *arguments)
    assert result.exit_code == 2 and said in result.stderr and result.stdout == ""


def test_a_suite_that_is_not_there_is_exit_code_2(run: Run) -> None:
    assert run("run", "retrieve/all", "queries.json").exit_code == 2


def test_a_large_sweep_is_run_when_it_is_allowed(run: Run) -> None:
    result = run(*FULL, "--sweep", "damping=0:0.9:0.1", "--most", "10", "--json")
    assert len(parsed(result)["points"]) == 10


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"test_cases": [\n {"name": 3}]}', "broken.json:2: test_cases[0].name: expected text"),
        ('{"test_cases": [', "broken.json:1: not JSON"),
        ('{"test_cases": []}', "asks nothing"),
        ("[]", "broken.json:1: the file: expected an object"),
    ],
)
def test_a_broken_file_is_exit_code_1_with_its_line(run: Run, here: Path, content: str, said: str) -> None:
    (here / "broken.json").write_text(content)
    result = run("run", "retrieve/full", "broken.json")
    assert result.exit_code == 1 and said in result.stderr and "Traceback" not in result.stderr and result.stdout == ""


def test_what_the_mind_does_not_have_is_said(run: Run, here: Path) -> None:
    written(here / "queries.json", suite([*CASES, case("odd", asks("paper lantern"), musts=["sem_lantern", "sem_nowhere"])]))
    result = run(*FULL, "--json")
    value = json.loads(result.stdout)
    assert value["files"][0]["unknown"] == {"sem_nowhere": ["odd"]} and value["passed"] == 5
    assert "1 key of its truth not in the mind" in result.stderr and "sem_nowhere (in odd)" in result.stderr


def test_requirements(run: Run) -> None:
    met = run(*FULL, "--require", "mrr>=0.4", "--require", "passed>=100%", "--require", "must_hit[walk]>=1")
    assert met.exit_code == 0 and met.stderr == ""
    missed = run("run", "retrieve/similarity", *FULL[2:], "--require", "must_hit>=0.9", "--require", "mrr>=0.1", "--save-profile")
    assert missed.exit_code == 1 and "4 cases passed" in missed.stdout
    assert "required: must_hit is 0.6667, and must be at least 0.9: 0.2333 too little" in missed.stderr
    assert "mrr" not in missed.stderr and "No profile was saved." in missed.stderr
    assert parsed(run("profile", "--json"))["weights"] == {}
    unknown = run(*FULL, "--require", "beauty>=1")
    assert unknown.exit_code == 1 and "nothing measures it" in unknown.stderr


def test_the_best_weights_are_kept_shown_used_and_taken_away(run: Run) -> None:
    assert "no profile" in run("profile").stdout
    saved = run(*FULL, "--sweep", "max_results=1,2", "--set", "association_top_k=2", "--save-profile", "--json")
    best = json.loads(saved.stdout)["best"]
    assert saved.exit_code == 0 and "Saved as the profile" in saved.stderr
    assert parsed(run("profile", "--json"))["weights"] == best and "association_top_k" in run("profile").stdout
    value = parsed(run(*FULL, "--json"))
    assert {name: value["files"][0]["settings"][name] for name in best} == best
    more = run(*FULL, "--set", "damping=0.5", "--save-profile")
    assert more.exit_code == 0 and parsed(run("profile", "--json"))["weights"] == best | {"damping": 0.5}
    assert run("profile", "--remove").stderr == "The profile was removed.\n"
    assert run("profile", "--remove").stderr == "This mind has no profile.\n"
    assert parsed(run("profile", "--json"))["weights"] == {}


def test_reports_are_compared(run: Run, here: Path) -> None:
    assert run(*FULL, "-o", "a.json").exit_code == 0
    assert run("run", "retrieve/similarity", *FULL[2:], "-o", "b.json").exit_code == 0
    value = parsed(run("compare", "a.json", "b.json", "--json", "--seed", "7"))
    assert value["common"] == 4 and value["seed"] == 7
    assert [one["name"] for one in value["cases"] if one["passed_before"] != one["passed_after"]] == ["walk-harbour"]
    assert value == parsed(run("compare", "a.json", "b.json", "--json", "--seed", "7"))
    table = run("compare", "a.json", "b.json")
    assert table.exit_code == 0 and "walk-harbour" in table.stdout and "The suites differ" in table.stderr
    assert "0 of 4 cases differ" in run("compare", "a.json", "a.json").stdout
    assert run("compare", "a.json", "queries.json").exit_code == run("compare", "a.json", "nowhere").exit_code == 1


def test_recalls_are_replayed(run: Run, environment: dict[str, str | None]) -> None:
    assert "no recorded recalls" in run("replay").stdout
    for text in ("paper lantern", "rye bread"):
        assert CliRunner(env=environment).invoke(app, ["ask", text, "--at", "2026-11-01T12:00:00Z"]).exit_code == 0
    value = parsed(run("replay", "--json", "--set", "association_top_k=1"))
    assert (value["recorded"], value["replayed"], value["weights"]) == (2, 2, {"association_top_k": 1})
    assert value["metrics"]["overlap@5"] <= value["metrics"]["overlap@5_now"] == 1.0
    table = run("replay")
    assert "2 of 2 recorded recalls asked again" in table.stdout and "rank_correlation" in table.stdout
    assert run("replay", "--set", "dampning=1").exit_code == 2


# -- fresh minds and batches --------------------------------------------------------------------------------------------------


def test_a_fresh_mind_is_made_of_what_the_file_is_about(run: Run, here: Path) -> None:
    result = run(*FULL, "--fresh", "--embedder", "hashing", "--json")
    assert json.loads(result.stdout)["passed"] == 4 and f"made of {Path('graph.json')}" in result.stderr
    lines = run("run", "evidence", "evidence.json", "--fresh", "--embedder", "hashing", "--json")
    value = json.loads(lines.stdout)
    assert value["results"][0]["ranking"][0] == "3" and "recall@25" in value["metrics"]
    (here / "graph.json").write_text("{")
    broken = run(*FULL, "--fresh", "--embedder", "hashing")
    assert broken.exit_code == 1 and "graph.json" in broken.stderr
    (here / "graph.json").unlink()
    assert "--mind" in run(*FULL, "--fresh", "--embedder", "hashing").stderr


def test_without_a_mind_a_fresh_one_is_asked(run: Run, tmp_path: Path) -> None:
    result = run(*FULL, "--embedder", "hashing", "--json", SOULMEM_HOME=str(tmp_path / "nobody"))
    assert json.loads(result.stdout)["passed"] == 4 and "made of" in result.stderr
    assert "no mind" in run("profile", SOULMEM_HOME=str(tmp_path / "nobody")).stderr


def test_a_batch_is_one_report(run: Run, here: Path) -> None:
    (here / "more").mkdir()
    written(here / "more" / "q.json", suite(CASES[:1], name="more"))
    assert run("run", "retrieve/full", ".").exit_code == 2
    value = parsed(run("run", "retrieve/full", ".", "--batch", "--json"))
    assert (value["cases"], [file["cases"] for file in value["files"]]) == (5, [1, 4])
    assert run("run", "evidence", "more", "--batch").exit_code == 1


# -- processes ----------------------------------------------------------------------------------------------------------------


def test_two_processes_print_what_one_prints(run: Run) -> None:
    one, two = (run(*FULL, "--json", "--jobs", jobs) for jobs in ("1", "2"))
    assert one.exit_code == 0 and one.stdout == two.stdout and two.stderr == ""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_all_processes_and_leaves_nothing(
    here: Path, environment: dict[str, str | None], number: signal.Signals, code: int
) -> None:
    folder = here / "temporary"
    folder.mkdir()
    variables = {name: value for name, value in (dict(os.environ) | environment).items() if value is not None}
    variables["TMPDIR"] = str(folder)
    many = [case(f"many-{number}", asks(f"paper lantern {number}"), musts=["sem_lantern"]) for number in range(400)]
    written(here / "queries.json", suite(many))
    arguments = [sys.executable, "-m", "soulmem_cli", "tune", *FULL, "--jobs", "2", "--sweep", "damping=0:0.99:0.001"]
    # A session of its own: the signal goes to the whole group, as from a terminal.
    running = subprocess.Popen(
        arguments, env=variables, cwd=here, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    try:
        workers = _workers(running, 2)
        os.killpg(running.pid, number) if number is signal.SIGINT else running.send_signal(number)
        told, wrong = running.communicate(timeout=60)
    finally:
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
    assert (running.returncode, told, list(folder.iterdir())) == (code, b"", []), wrong
    deadline = time.monotonic() + 20
    while any(worker.exists() for worker in workers):
        assert time.monotonic() < deadline, "workers are left"
        time.sleep(0.05)


def _workers(running: subprocess.Popen[bytes], number: int) -> list[Path]:
    """The workers in /proc, once so many have begun: they are of the session, below the process that guards it."""
    if not Path("/proc/self/stat").exists():
        pytest.skip("no /proc to see processes in")
    begun: list[Path] = []
    deadline = time.monotonic() + 120
    while len(begun) < number:
        assert running.poll() is None, running.communicate()
        assert time.monotonic() < deadline, "the workers do not begin"
        begun = [process for process in Path("/proc").glob("[0-9]*") if _is_of(process, running.pid) and _is_worker(process)]
        time.sleep(0.02)
    return begun


def _is_of(process: Path, session: int) -> bool:
    try:
        return os.getsid(int(process.name)) == session
    except ProcessLookupError:
        return False


def _is_worker(process: Path) -> bool:
    try:
        return b"spawn_main" in (process / "cmdline").read_bytes()
    except OSError:  # it has just ended
        return False
