"""``soulmem new``: how the questions are asked, and what is kept when they are broken off."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from cli_mind import Run, Start
from click.testing import CliRunner, Result

from soulmem.ingest import FORMATS
from soulmem.soul import Soul
from soulmem_cli.commands import new
from soulmem_cli.commands.new import _asked, _begun


def asked(lines: str, language: str = "en", save: Path | None = None, before: dict[str, Any] | None = None) -> Result:
    @click.command()
    def ask() -> None:
        click.echo(json.dumps(_asked("Ruben", language, None if save is None else str(save), before)))

    return CliRunner().invoke(ask, input=lines)


def test_the_questions_say_how_they_are_answered() -> None:
    result = asked("Rub\nRubie\n\nA cook.\n\nTall\n" + "\n" * 12)
    assert result.exit_code == 0
    given = json.loads(result.stdout.splitlines()[-1])
    assert (given["aliases"], given["who"], given["looks"]) == (["Rub", "Rubie"], "A cook.", "Tall")
    assert "an empty line passes over" in result.stderr
    assert "Other names you go by? [one a line]" in result.stderr and "What do you look like?\n" in result.stderr
    assert "［一行一个］" in asked("\n" * 20, "zh").stderr


def test_broken_off_the_answers_given_so_far_are_saved(tmp_path: Path) -> None:
    saved = tmp_path / "r.json"
    result = asked("Rub\n\nA cook.\n", save=saved)
    assert result.exit_code == 1 and str(saved) in result.stderr
    given = json.loads(saved.read_text(encoding="utf-8"))
    assert (given["name"], given["aliases"], given["who"]) == ("Ruben", ["Rub"], "A cook.")
    assert "--save" in asked("Rub\n").stderr
    begun = _begun(str(saved), "Ruben")
    assert _begun(str(saved), "Oda") == {} == _begun(str(tmp_path / "none"), "Ruben")
    result = asked("Tall\n" + "\n" * 12, save=saved, before=begun)
    assert "answered there are 2" in result.stderr and "Other names" not in result.stderr
    given = json.loads(result.stdout.splitlines()[-1])
    assert (given["aliases"], given["who"], given["looks"]) == (["Rub"], "A cook.", "Tall")


@pytest.mark.parametrize("name", ["../evil", "a/b", "x.mind", "a\\b"])
def test_a_name_of_a_character_is_no_path(run: Run, tmp_path: Path, name: str) -> None:
    text = tmp_path / "who.txt"
    text.write_text("A cook.", encoding="utf-8")
    refused = run("new", name, "--text", str(text), "--embedder", "hashing")
    assert refused.exit_code == 2 and "--mind" in refused.stderr
    assert not list(tmp_path.rglob("evil*"))
    assert run("new", name, "--text", str(text), "--embedder", "hashing", "--mind", f"mind {len(name)}").exit_code == 0


def test_where_it_is_listed_what_can_be_read_is_told_in_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("just prose", encoding="utf-8")
    assert run("init", "Ada", "--embedder", "hashing").exit_code == 0
    refused = run("--mind", "Ada", "ingest", str(tmp_path / "x.txt"))
    why, where = refused.stdout.splitlines()
    assert refused.exit_code == 1 and "refused: not a format" in why and where.endswith("soulmem ingest --help.")
    assert all(f"  {known.name} " in run("ingest", "--help").stdout for known in FORMATS)


def test_a_text_is_planned_line_by_line_and_nothing_is_made(run: Run, tmp_path: Path) -> None:
    text = tmp_path / "oda.txt"
    text.write_text("Oda tunes pianos.\r\n\r\nOda hums when she is nervous.\n", encoding="utf-8", newline="")
    planned = run("new", "Oda", "--text", str(text), "--embedder", "hashing", "--dry-run", "--json")
    notes = {note["text"]: note["lines"] for note in json.loads(planned.stdout)["notes"]}
    assert notes["hum"] == notes["I am nervous"] == [3]
    assert "nothing was made" in run("new", "Oda", "--text", str(text), "--embedder", "hashing", "--dry-run").stderr
    assert "Oda" not in run("minds").stdout
    made = run("new", "Oda", "--text", str(text), "--embedder", "hashing", "--json")
    assert made.exit_code == 0 and json.loads(made.stdout)["remarks"] == []
    sources = json.loads(run("--mind", "Oda", "show", planned_key(planned, "hum"), "--json").stdout)["sources"]
    assert [(one["file"], one["line"]) for one in sources] == [(str(text), 3)]


def test_a_text_that_never_names_the_character_is_told_and_taken(run: Run, tmp_path: Path) -> None:
    text = tmp_path / "ruben.txt"
    text.write_text("Ruben Castell keeps a lighthouse.\n", encoding="utf-8")
    made = run("new", "R2 Castell", "--text", str(text), "--embedder", "hashing")
    assert made.exit_code == 0 and "the name R2 Castell never stands in the text" in made.stderr


def planned_key(planned: Result, text: str) -> str:
    return str(next(note["key"] for note in json.loads(planned.stdout)["notes"] if note["text"] == text))


def test_answers_that_cannot_be_read_make_no_mind(run: Run, tmp_path: Path) -> None:
    wrong = tmp_path / "a.json"
    wrong.write_text(
        json.dumps({"soulmem": "interview", "name": "Oda", "memories": [{"what": "x", "at": "soon"}]}), encoding="utf-8"
    )
    refused = run("new", "Oda", "--answers", str(wrong), "--embedder", "hashing")
    assert refused.exit_code == 1 and "'soon' is no time" in refused.stderr and "Oda" not in run("minds").stdout


def test_a_model_draws_more_and_where_it_fails_rules_do(run: Run, tmp_path: Path) -> None:
    text, script, saved = tmp_path / "oda.txt", tmp_path / "script.json", tmp_path / "oda.json"
    text.write_text("Oda tunes pianos in Halden.\nIn 2019 she fell off a ladder.\n", encoding="utf-8")
    answer = {"situations": [{"narrative": "In 2019 Oda fell off a ladder.", "time_start": "2019", "messages": [2]}]}
    wrong = {"facts": [{"content": "Oda", "description": "Oda eats dragons.", "messages": [1]}]}
    script.write_text(json.dumps([{"json": answer | wrong}, {"error": "unreachable", "repeat": True}]), encoding="utf-8")
    ways = ("new", "Oda", "--text", str(text), "--embedder", "hashing")
    model = {"SOULMEM_MODEL_NAME": f"scripted:{script}"}
    made = run(*ways, "--save", str(saved), **model)
    assert made.exit_code == 0 and "do not say that of Oda" in made.stderr
    assert [one["lines"] for one in json.loads(saved.read_text(encoding="utf-8"))["drawn"]] == [[2]]
    assert "In 2019 Oda fell off a ladder." in run("--mind", "Oda", "list", "--type", "SpecificSituation").stdout
    again = run("new", "Oda", "--answers", str(saved), "--mind", "again", "--embedder", "hashing")
    assert again.exit_code == 0 and "fell off" in run("--mind", "again", "list", "--type", "SpecificSituation").stdout
    script.write_text(json.dumps([{"error": "unreachable", "repeat": True}]), encoding="utf-8")
    failed = run(*ways, "--mind", "rules", **model)
    assert failed.exit_code == 0 and "made by rules" in failed.stderr
    assert "made by rules" not in run(*ways, "--mind", "none", "--no-model", **model).stderr


def test_what_cannot_be_read_is_asked_again_at_once() -> None:
    lines = "\n" * 8 + "no colon\nit rains: I hum\n\n" + "\n" + "2019-13: I fell\n2019-12: I fell\n\n" + "\n"
    result = asked(lines)
    given = json.loads(result.stdout.splitlines()[-1])
    assert "a habit has a colon" in result.stderr and "2019-13: write a day as" in result.stderr
    assert given["memories"] == [{"at": "2019-12", "what": "I fell"}] and given["habits"][0]["when"] == "it rains"
    assert "习惯要有冒号" in asked("\n" * 8 + "没有\n" + "\n" * 9, "zh").stderr


@pytest.mark.parametrize(("language", "said"), [("en", "half of a character"), ("zh", "半个字")])
@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
def test_a_line_that_is_no_text_is_asked_again_at_once(
    monkeypatch: pytest.MonkeyPatch, language: str, said: str, errors: str
) -> None:
    given = iter([b"Rub", b"Ru\xe5\xb0", b"Rubie", b"", b"A cook.", *[b""] * 20])
    monkeypatch.setattr("click.prompt", lambda *_, **__: next(given).decode("utf-8", errors))
    result = asked("", language)
    answers = json.loads(result.stdout.splitlines()[-1])
    assert (answers["aliases"], answers["who"]) == (["Rub", "Rubie"], "A cook.") and result.stderr.count(said) == 1


def test_whatever_ends_the_questions_the_answers_are_saved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def prompt(*_: object, **__: object) -> str:
        if given:
            return given.pop()
        raise SystemExit(143)

    given, saved = ["", "Rub"], tmp_path / "r.json"
    monkeypatch.setattr("click.prompt", prompt)
    assert asked("", save=saved).exit_code == 143
    assert json.loads(saved.read_text(encoding="utf-8"))["aliases"] == ["Rub"]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{}", "{0}: name: field required"),
        ('{"name": "A",\n x}', "{0}:2: broken JSON"),
        ('{"name": "A", "likes": ["a", 3]}', "{0}: likes.1: "),
        ('{"name": "A", "memories": [{"what": "x", "at": "soon"}]}', "{0}: 'soon' is no time"),
        ("[" * 5000, "{0}: nested too deeply"),
    ],
)
def test_what_is_wrong_with_answers_is_said_with_their_file(run: Run, tmp_path: Path, content: str, told: str) -> None:
    file = tmp_path / "answers.json"
    file.write_text(content, encoding="utf-8")
    refused = run("new", "Ruben", "--answers", str(file), "--embedder", "hashing", "--dry-run")
    assert refused.exit_code == 1 and told.format(file) in refused.stderr


def test_what_was_not_used_and_what_is_not_there_is_told(run: Run, tmp_path: Path) -> None:
    text = tmp_path / "tessa.txt"
    text.write_text("Tessa Holm is a vet.\nHer sister Maja is a nurse.\nShe hates rain.\n", encoding="utf-8")
    for more in (("--dry-run",), ()):
        told = run("new", "Tessa", "--text", str(text), "--embedder", "hashing", *more).stderr
        assert "line 3: not used" in told and "Nothing is lacking" not in told
    assert "no way of acting" in told
    empty = tmp_path / "a.json"
    empty.write_text('{"soulmem": "interview", "name": "Ada"}', encoding="utf-8")
    told = run("new", "Ada", "--answers", str(empty), "--embedder", "hashing").stderr
    assert "knows its name, and nothing else" in told and "Nothing is lacking" not in told
    empty.write_text('{"soulmem": "interview", "name": "Bo", "habits": [{"when": "it rains", "does": "sing"}]}', encoding="utf-8")
    told = run("new", "Bo", "--answers", str(empty), "--embedder", "hashing").stderr
    assert "tell one time it happened" in told and "Nothing is lacking" not in told
    text.write_text("Cy is a cook. Cy never sleeps.", encoding="utf-8")
    assert "Nothing is lacking." in run("new", "Cy", "--text", str(text), "--embedder", "hashing").stderr


def test_what_is_broken_in_json_is_told_to_the_end(run: Run, tmp_path: Path) -> None:
    answers = tmp_path / "a.json"
    answers.write_text('{"soulmem": "interview", "name": "Ada', encoding="utf-8")
    assert "broken JSON: unterminated string\n" in run("new", "Ada", "--answers", str(answers)).stderr
    assert run("init", "Ada", "--embedder", "hashing").exit_code == 0
    chat = tmp_path / "c.jsonl"
    lines = ['{"user_name": "Jon", "character_name": "Ada"}', '{"name": "Ada", "mes": "Hello."}', '{"name": "Ada", "mes": "Hel']
    chat.write_text("\n".join([*lines, lines[1]]), encoding="utf-8")
    assert "broken JSON: unterminated string at character 24" in run("--mind", "Ada", "ingest", str(chat)).stdout


@pytest.mark.parametrize(
    ("is_made", "is_held", "told"),
    [(False, False, "no mind was made."), (True, False, "nothing is in it yet."), (True, True, "everything is in it.")],
)
def test_ctrl_c_tells_what_there_is_of_the_mind(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_made: bool, is_held: bool, told: str
) -> None:
    def interrupted(mind: str, text: str, *_: str) -> None:
        if is_made:
            with Soul.create(mind, embedder="hashing") as soul:
                if is_held:
                    soul.ingest_bytes(text.encode(), name="oda.json", format="interview")
                raise KeyboardInterrupt
        raise KeyboardInterrupt

    monkeypatch.setattr(new, "_made", interrupted)
    text = tmp_path / "oda.txt"
    text.write_text("Oda tunes pianos.\n", encoding="utf-8")
    result = run("new", "Oda", "--text", str(text), "--embedder", "hashing")
    assert (result.exit_code, result.stdout) == (130, "")
    assert result.stderr.startswith("\nInterrupted: ") and told in result.stderr
    assert ("Oda" in run("minds").stdout) == is_made and ("remove that file" in result.stderr) == (is_made and not is_held)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(("more", "told"), [((), b"\nInterrupted: no mind was made.\n"), (("--dry-run",), b"\n")])
def test_ctrl_c_while_the_text_is_read(process: Start, more: tuple[str, ...], told: bytes) -> None:
    running = process("new", "Oda", "--text", "-", *more, stdin=subprocess.PIPE)
    assert running.stdin is not None
    running.stdin.write(b" " * 2**20)
    running.stdin.flush()
    running.send_signal(signal.SIGINT)
    _, said = running.communicate()  # between two reads Python sees a signal only after the next
    assert (said, running.returncode) == (told, 130)
