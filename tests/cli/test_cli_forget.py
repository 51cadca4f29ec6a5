"""Forgetting on the command line: sweeps and forecasts, pins, presets, ageing at import."""

from __future__ import annotations

import json
from datetime import timedelta

import click
import pytest
from cli_mind import FIXTURES, Run, beginning
from hypothesis import given
from hypothesis import strategies as st

from soulmem_cli.moments import ahead, moment_of

NOTE = "sem_chen_mo"


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("in 30 days", 720),
        ("30d", 720),
        ("+2w", 336),
        ("12h", 12),
        ("1.5 hours", 1.5),
        ("30天后", 720),
        ("3 个月后", 2160),
        ("In 1 Year", 8760),
        ("2周之后", 336),
    ],
)
def test_times_ahead(text: str, hours: float) -> None:
    assert ahead(text) == timedelta(hours=hours)


@given(st.text(max_size=12))
def test_other_texts_are_no_time_ahead_or_one_that_is(text: str) -> None:
    found = ahead(text)
    assert found is None or found >= timedelta(0)


def test_no_time_is_beyond_the_calendar() -> None:
    from datetime import UTC, datetime

    with pytest.raises(click.UsageError, match="9999"):
        moment_of(timedelta(days=365 * 9000), datetime(2026, 1, 1, tzinfo=UTC))


def test_a_forecast_shows_who_would_lose_what(run: Run) -> None:
    shown = run("forget", "--dry-run", "--at", "in 30 days")
    assert shown.exit_code == 0, shown.output
    assert "falls asleep" in shown.stdout and "24 h" in shown.stdout and "Nothing was written" in shown.stderr
    found = json.loads(run("forget", "--dry-run", "--at", "in 30 days", "--json").stdout)
    assert found["dry_run"] is True and found["operation"] is None and found["asleep"] == len(found["notes"]) > 0
    foreseen = found["forecast"]
    assert foreseen["notes_in_all"] >= len(foreseen["notes"]) > 0
    for note in foreseen["notes"]:
        assert 0.0 <= note["retention_then"] <= note["retention_now"] <= 1.0
        assert note["missing_then"] == pytest.approx(1.0 - note["retention_then"])
    episodes = [note for note in foreseen["notes"] if note["type"] == "SpecificSituation"]
    assert episodes and all(note["fading_then"] == "Revised" and note["asleep_then"] for note in episodes)
    assert json.loads(run("log", "--json").stdout)[0]["command"] == "ingest"  # nothing was written


def test_a_sweep_now_and_what_it_refuses(run: Run) -> None:
    swept = run("forget", "--json")
    assert swept.exit_code == 0 and json.loads(swept.stdout)["notes"] == [] and json.loads(swept.stdout)["forecast"] is None
    assert "Nothing is due." in run("forget").stderr
    for wrong in (["--at", "in 3 days"], ["--at", "someday"], ["--at", "", "--dry-run"]):
        refused = run("forget", *wrong)
        assert refused.exit_code == 2 and "Traceback" not in refused.output


def test_what_was_read_with_its_age_sleeps_at_the_first_sweep(run: Run) -> None:
    chat = beginning(FIXTURES / "wren" / "chat.jsonl", 30)
    assert run("init", "Wren", "--embedder", "hashing").exit_code == 0
    assert run("--mind", "Wren", "ingest", "-", "--aged", input=chat).exit_code == 0
    swept = run("--mind", "Wren", "forget")
    assert swept.exit_code == 0 and "falls asleep" in swept.stdout and "halved every 24 h" in swept.stdout
    assert "fell asleep. Take it back with: soulmem undo 2" in swept.stderr
    key = swept.stdout.splitlines()[2].split()[0]
    assert "asleep" in run("--mind", "Wren", "show", key).stdout
    assert json.loads(run("--mind", "Wren", "stats", "--json").stdout)["asleep"] > 0
    assert run("--mind", "Wren", "undo").exit_code == 0
    assert json.loads(run("--mind", "Wren", "stats", "--json").stdout)["asleep"] == 0


def test_pin_and_unpin(run: Run) -> None:
    key = json.loads(run("list", "--json", "--type", "SpecificSituation").stdout)[0]["key"]
    run("unpin", key)
    assert f"{key} is pinned." in run("pin", key).stderr
    assert json.loads(run("show", key, "--json").stdout)["note"]["pinned"] is True
    assert "was pinned already" in run("pin", key).stderr
    told = json.loads(run("unpin", key, "--json").stdout)
    assert told["key"] == key and told["pinned"] is False and told["operation"] > 0
    assert json.loads(run("unpin", key, "--json").stdout)["operation"] is None
    assert run("pin", "nobody").exit_code == 1


def test_presets(run: Run) -> None:
    def preset() -> dict:
        return json.loads(run("config", "--mind", "小红", "get", "forget.preset", "--json").stdout)

    assert preset() == {"name": "forget.preset", "value": "human", "origin": "default"}
    assert run("config", "--mind", "小红", "set", "forget.preset", "goldfish").exit_code == 0
    assert preset() == {"name": "forget.preset", "value": "goldfish", "origin": "mind"}
    shown = {row["name"]: row for row in json.loads(run("config", "--mind", "小红", "show", "--json").stdout)}
    assert shown["half_life_episode_hours"]["value"] == 3.0 and shown["half_life_pinned_hours"]["value"] == 876_000.0
    assert run("config", "--mind", "小红", "set", "half_life_event_hours", "99").exit_code == 0
    assert preset()["value"] is None
    assert json.loads(run("config", "--mind", "小红", "unset", "forget.preset", "--json").stdout)["was_set"] is True
    assert preset()["value"] == "human"
    assert json.loads(run("config", "--mind", "小红", "unset", "forget.preset", "--json").stdout)["was_set"] is False
    assert run("config", "--mind", "小红", "set", "forget.preset", "sloth").exit_code == 1
    assert "belongs to a mind" in run("config", "set", "forget.preset", "human").stderr
