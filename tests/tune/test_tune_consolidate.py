"""The suite ``consolidate``: chats heard line by line, with a model and without; and the shipped scripts of good answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from soulmem.consolidate.answers import split_of
from soulmem.consolidate.by_model import ModelSplitter
from soulmem.consolidate.contract import Known, SplitQuestion
from soulmem.consolidate.entries import fact_note
from soulmem.ingest.formats import read
from soulmem.ingest.plan_chat import plan_chat
from soulmem.llm.scripted import ScriptedModel, read_script
from soulmem.model.messages import Message
from soulmem.text.tokens import normal_form
from soulmem.tune.consolidation import WINDOW
from soulmem.tune.gold import Formed, is_forbidden, is_formed, is_misattributed, read_gold
from soulmem_cli.app import app

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
AT = datetime(2026, 7, 1, tzinfo=UTC)


# -- the shipped scripts ------------------------------------------------------------------------------------------------------


def windows(chat: Path) -> list[list[Message]]:
    data = chat.read_bytes()
    said = plan_chat(read(data, AT, None), file=str(chat), sha256="x", at=AT, known=()).new
    return [[one for one in said[first : first + WINDOW] if not one.hidden] for first in range(0, len(said), WINDOW)]


def drawn(model: ScriptedModel, said: list[Message]) -> Iterator[Formed]:
    """The facts that the next answer of the script gives for these lines; all of it must be of use."""
    known = tuple(Known(id=f"k{number}", person="", text=" ".join(one.text for one in said)) for number in range(1, 31))
    question = SplitQuestion(messages=tuple(said), known=known)
    answer = ModelSplitter(model, "", AT).split(question)
    found = split_of(answer, question)
    assert answer["problems"] == [] and found.problems == ()
    lines = {one.id: one for one in said}
    for fact in found.facts:
        note = fact_note(fact, AT)
        yield Formed(
            key=note.key,
            text=fact.text,
            about=normal_form(fact.subject),
            labels=frozenset((*note.tags, fact.kind.category.value)),
            lines=frozenset(lines[source].line for source in fact.sources),
            speakers=frozenset(lines[source].speaker for source in fact.sources),
        )


@pytest.mark.parametrize("name", ["wren", "xiaohong"])
def test_what_a_careful_model_would_answer_is_taken_whole_and_holds_the_gold(name: str) -> None:
    gold = read_gold(FIXTURES / name / "chat.gold.json")
    model = ScriptedModel.from_file(FIXTURES / name / "chat.script.json")
    notes = [note for said in windows(gold.chat) for note in drawn(model, said)]
    assert model.left == len([answer for answer in read_script(FIXTURES / name / "chat.script.json") if answer.repeat])
    found = [one for one in gold.memories if any(is_formed(one, note) for note in notes)]
    assert len(found) >= 0.95 * len(gold.memories)
    assert not [one.id for one in gold.memories for note in notes if is_misattributed(one, note)]
    # What was so once, and was said to have changed, is superseded in the mind.
    assert not [one.id for one in gold.forbidden if not one.current for note in notes if is_forbidden(one, note)]


# -- the command --------------------------------------------------------------------------------------------------------------

HEADER = {"user_name": "Bo", "character_name": "Ann", "create_date": "2026-03-08T12:00:00.000Z"}
SAID = [("Ann", "Hello there."), ("Bo", "I live in Bergen."), ("Bo", "The boat was sold last week."), ("Ann", "I love old maps.")]


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    """Gold of a chat with a header, and a hidden line among the others."""
    lines = [HEADER]
    lines += [{"name": name, "is_user": name == "Bo", "is_system": False, "mes": text} for name, text in SAID]
    lines.insert(2, {"name": "System", "is_user": False, "is_system": True, "mes": "I live in a castle."})
    for number, one in enumerate(lines[1:]):
        one["send_date"] = f"2026-03-08T12:{number:02}:00.000Z"
    (tmp_path / "chat.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    memories = [
        {"id": "home", "person": "Bo", "any_of": [["Bergen"]], "lines": [4]},
        {"id": "boat", "person": "Bo", "any_of": [["no longer owns"], ["boat"]], "lines": [5]},
    ]
    forbidden = [{"id": "castle", "any_of": [["castle"]]}]
    path = tmp_path / "chat.gold.json"
    path.write_text(json.dumps({"chat": "chat.jsonl", "memories": memories, "forbidden": forbidden}), encoding="utf-8")
    return path


@pytest.fixture
def model(tmp_path: Path) -> str:
    facts = [
        {"content": "Bo", "description": "Bo lives in Bergen", "category": "identity", "messages": [2]},
        {"content": "Bo", "description": "Bo no longer owns the boat", "category": "event", "messages": [3]},
        {"content": "Bo", "description": "Bo lives in a castle", "category": "identity", "messages": [9]},
    ]
    path = tmp_path / "answers.json"
    path.write_text(json.dumps([{"for": "split", "json": {"facts": facts}}, {"for": "link", "json": {"links": []}}]))
    return f"scripted:{path}"


def tune(tmp_path: Path, *arguments: str, **more: str) -> Result:
    runner = CliRunner(env={"SOULMEM_HOME": str(tmp_path / "home"), "SOULMEM_MIND": None, **more})
    return runner.invoke(app, ["tune", "run", *arguments, "--embedder", "hashing"])


def test_with_a_model_and_without_and_never_with_the_one_that_is_only_configured(tmp_path: Path, gold: Path, model: str) -> None:
    plain = tune(tmp_path, "consolidate", str(gold), "--json", SOULMEM_MODEL_NAME=model)
    assert plain.exit_code == 0, plain.output
    report = json.loads(plain.stdout)
    assert (report["model"], report["problems"], report["metrics"]["found"]) == ("", [], 0.5)
    assert report["files"][0]["messages"] == 5 and report["metrics"]["forbidden_absent"] == 1.0
    asked = tune(tmp_path, "consolidate", str(gold), "--json", "--model", model)
    report = json.loads(asked.stdout)
    assert (report["model"], report["metrics"]["found"], report["metrics"]["provenance"]) == (model, 1.0, 1.0)
    assert len(report["problems"]) == 1 and "castle" in report["problems"][0]
    assert "2 calls" in asked.stderr
    shown = tune(tmp_path, "consolidate", str(gold), "--model", model)
    assert f"model {model}" in shown.stdout and "castle" in shown.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("consolidate", "--model", "scripted:nowhere.json"), 1, "no script"),
        (("consolidate", "--model", "gpt"), 1, "provider"),
        (("evidence", "--model", "scripted:x"), 2, "--model is for the suite consolidate"),
    ],
)
def test_a_model_that_cannot_be_is_refused(tmp_path: Path, gold: Path, arguments: tuple[str, ...], code: int, told: str) -> None:
    suite, *options = arguments
    result = tune(tmp_path, suite, str(gold), *options)
    assert result.exit_code == code and told in result.stderr and result.stdout == ""


@pytest.mark.parametrize("suite", ["consolidate", "forget", "evidence"])
def test_no_report_takes_the_place_of_a_file(tmp_path: Path, suite: str) -> None:
    (tmp_path / "mine.json").write_text("mine")
    result = CliRunner().invoke(app, ["tune", "run", suite, str(tmp_path / "x.json"), "-o", str(tmp_path / "mine.json")])
    assert result.exit_code == 1 and "there already" in result.output
    assert (tmp_path / "mine.json").read_text() == "mine"
