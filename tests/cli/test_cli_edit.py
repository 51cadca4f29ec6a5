"""``soulmem edit``: its options, its form, and what is told."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from cli_mind import Run
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.edit import Edit
from soulmem.errors import InputError
from soulmem_cli.edit_form import form_of, read_form, read_span

DAY = datetime(2026, 5, 1, tzinfo=UTC)


def shown(run: Run, key: str) -> Any:
    return json.loads(run("show", key, "--json").stdout)


def test_options_change_what_they_name(run: Run) -> None:
    name = shown(run, "sem_self")["note"]["body"]["content"]
    planned = run("edit", "sem_self", "--alias", "阿红", "--tag", "主角", "--dry-run")
    assert planned.exit_code == 0 and "阿红" in planned.stdout and "Nothing was written" in planned.stderr
    done = run("edit", "sem_self", "--alias", "阿红", "--tag", "主角", "--json", "--at", "2026-05-01")
    report = json.loads(done.stdout)
    assert {one["field"] for one in report["changes"]} == {"aliases", "tags"} and report["operation"]
    view = shown(run, "sem_self")
    assert view["note"]["body"]["content"] == name and "阿红" in view["note"]["body"]["aliases"]
    assert view["edited"] == ["2026-05-01T00:00:00Z"] and "主角" in view["note"]["tags"]
    told = run("show", "sem_self", "--history").stdout
    assert "edit: sem_self: " in told and "阿红" in told
    assert "edited" in run("show", "sem_self").stdout
    again = run("edit", "sem_self", "--tag", "主角")
    assert again.exit_code == 0 and "nothing was changed" in again.stderr
    assert run("undo").exit_code == 0 and "阿红" not in str(shown(run, "sem_self"))


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        ((), 2, "What is to be otherwise?"),
        (("--no-tag", "nothing"), 2, "cannot be taken away"),
        (("--time", "2026", "--from", "2026"), 2, "--from"),
        (("--time", "yesterday"), 1, "no time"),
        (("--name", " "), 1, "would be empty"),
    ],
)
def test_what_is_not_understood_is_told(run: Run, arguments: tuple[str, ...], code: int, told: str) -> None:
    refused = run("edit", "sem_self", *arguments)
    assert refused.exit_code == code and told in refused.stderr and "Traceback" not in refused.stderr


def test_doctor_mends_what_is_safe_in_one_operation(run: Run) -> None:
    told = (("{{char}}怕黑", "怕"), ("桥上有灯", "桥"), ("桥上有灯", "灯"))
    nodes: list[Any] = [
        {"id": f"sem_{number}", "tags": [tag], "mem_type": {"Semantic": {"content": text}}, "mem_links": []}
        for number, (text, tag) in enumerate(told)
    ]
    assert run("ingest", "-", input=json.dumps(nodes)).exit_code == 0
    before = run("export", "-").stdout
    planned = run("doctor", "--fix", "--dry-run", "--json")
    assert len(json.loads(planned.stdout)["repairs"]) == 2 and run("export", "-").stdout == before
    done = run("doctor", "--fix")
    assert done.exit_code == 0 and "soulmem undo" in done.stderr
    assert shown(run, "sem_0")["note"]["body"]["content"] == "罗小红怕黑" and shown(run, "sem_1")["note"]["tags"] == ["桥", "灯"]
    assert shown(run, "sem_2")["note"]["active"] is False
    assert json.loads(run("doctor", "--fix", "--json").stdout)["repairs"] == []
    assert run("undo").exit_code == 0 and run("export", "-").stdout == before
    assert run("doctor", "--dry-run").exit_code == 2


TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc", "Zl", "Zp", "Zs"]), min_size=1, max_size=12)
NAME = TEXT.filter(lambda text: "," not in text and "，" not in text)


@settings(deadline=None, max_examples=25)
@given(
    st.none() | NAME,
    st.lists(NAME, unique=True, max_size=3),
    st.lists(TEXT, min_size=1, max_size=3),
    st.sampled_from([DAY, None]),
)
def test_a_form_says_what_was_written_into_it(name: str | None, tags: list[str], lines: list[str], at: datetime | None) -> None:
    now = Edit(text="it was", name=name and f"{name}!", tags=("old, and odd",), span=(None, None))
    assert read_form(form_of("sem_x", now), now) == Edit()
    new = Edit(text="\n".join(lines), name=name, tags=tuple(tags), span=(at, None))
    read = read_form(form_of("sem_x", new), now)
    assert (read.name, read.tags) == (name, tuple(tags)) and (read.text or now.text) == new.text
    assert read.span == (None if at is None else (at, None))


def test_times_and_what_is_none() -> None:
    assert read_span("2026-05-01") == (DAY, None) and read_span("none") == (None, None)
    assert read_span("2026-05") == (DAY, datetime(2026, 6, 1, tzinfo=UTC))
    assert read_span("/2026-05-01") == (None, DAY) and read_span("2026-05-01/2026-05-02")[1] == DAY.replace(day=2)
    for wrong in ("yesterday", "2026-13", "2026-05-01/soon", "²⁰²⁶"):
        with pytest.raises(InputError, match="no time"):
            read_span(wrong)


def test_a_line_that_is_no_field_is_told_with_its_number() -> None:
    now = Edit(text="it was", tags=())
    for wrong in ("hello", "colour: red", "#\nweight: 3"):
        with pytest.raises(InputError, match=r"the form, line \d: "):
            read_form(wrong, now)
