"""What came to mind, as a person reads it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from soulmem.model.links import LinkType
from soulmem.model.notes import ActionType, NoteType
from soulmem.model.results import Action, Memory, Recollection, SaidMessage, Source, Stage, Step
from soulmem_cli.recollection import print_recollection

AT = datetime(2024, 5, 31, 10, tzinfo=UTC)


def memory(key: str, stage: Stage, **fields: object) -> Memory:
    return replace(
        Memory(id=f"id-{key}", key=key, type=NoteType.SEMANTIC, text=f"text of {key}", score=0.5, stage=stage),
        **fields,  # type: ignore[arg-type]
    )


FOUND = Recollection(
    query="q",
    at=AT,
    memories=(
        memory(
            "direct",
            Stage.SIMILARITY,
            channels={"dense": 0.25},
            sources=(Source(file="a.jsonl", line=7, speaker="Wren", time=AT),),
        ),
        memory("both", Stage.BOTH, masked=True, retention=0.5),
        memory(
            "carried",
            Stage.ASSOCIATION,
            path=(Step(source="direct", target="carried", type=LinkType.SEM, verb="likes", weight=0.125),),
        ),
        memory("self", Stage.CORE),
    ),
    actions=(Action(id="p", key="proc", action_type=ActionType.SPEAK, text="say so", score=0.4),),
    self_knowledge=(Action(id="k", key="known", action_type=ActionType.SKILL, text="can mend", score=0.1),),
    messages=(
        SaidMessage(
            file="b.jsonl", line=3, index=2, speaker="Tomas", time=AT, text="I said it", score=0.9, channels={"words": 1.5}
        ),
    ),
    withheld={"no_seat": 2},
    limits={"time_reached": False, "time_ms": 100.0},
    timings_ms={"notes": 1.25},
)


def printed(capsys: pytest.CaptureFixture[str], found: Recollection, *, explain: bool = False) -> str:
    capsys.readouterr()
    print_recollection(found, explain=explain)
    return capsys.readouterr().out


def sections(text: str) -> dict[str, str]:
    """The text under each title."""
    return {title: body for title, _, body in (block.partition("\n") for block in text.strip("\n").split("\n\n"))}


def test_everything_stands_under_its_title(capsys: pytest.CaptureFixture[str]) -> None:
    found = sections(printed(capsys, FOUND))
    assert list(found) == ["Memories", "Associations", "Tendencies", "Self-knowledge", "What was said", "Always in mind"]
    assert found["Memories"].splitlines() == [
        "  0.50 text of direct",
        "       [direct] · a.jsonl:7 Wren",
        "  0.50 text of both",
        "       [both]",
    ]
    assert "[carried]" in found["Associations"] and "[self]" in found["Always in mind"]
    assert found["Tendencies"].splitlines() == ["  0.40 Speak: say so", "       [proc]"]
    assert found["Self-knowledge"].splitlines() == ["  0.10 Skill: can mend", "       [known]"]
    assert found["What was said"].splitlines() == ["  0.90 Tomas: I said it", "       b.jsonl:3 2024-05-31T10:00:00Z"]


def test_reasons_stand_below_what_they_explain(capsys: pytest.CaptureFixture[str]) -> None:
    found = sections(printed(capsys, FOUND, explain=True))
    assert found["Memories"].splitlines() == [
        "  0.50 text of direct",
        "       [direct] · a.jsonl:7 Wren",
        "       Semantic, by similarity, retention 1.00",
        "       dense 0.250",
        "  0.50 text of both",
        "       [both]",
        "       Semantic, by both, retention 0.50, masked",
    ]
    assert "direct —likes (0.125)→ carried" in found["Associations"]
    assert "words 1.500" in found["What was said"]
    assert [line.strip() for line in found["How it was found"].splitlines()] == [
        "withheld: no_seat 2",
        "limits: time_reached no, time_ms 100.000",
        "ms: notes 1.250",
    ]


def test_what_is_known_of_and_weighs_nothing_is_told_only_where_nothing_else_is(capsys: pytest.CaptureFixture[str]) -> None:
    (known,) = FOUND.self_knowledge
    weightless = replace(known, id="w", key="weightless", score=0.004)
    both = replace(FOUND, self_knowledge=(known, weightless))
    assert sections(printed(capsys, both))["Self-knowledge"] == sections(printed(capsys, FOUND))["Self-knowledge"]
    assert "[weightless]" in printed(capsys, both, explain=True)
    assert "Self-knowledge" not in printed(capsys, replace(FOUND, self_knowledge=(weightless,)))
    alone = Recollection(query="q", at=AT, memories=(memory("self", Stage.CORE),), self_knowledge=(weightless,))
    assert "[weightless]" in printed(capsys, alone)


def test_chinese_memories_get_chinese_titles(capsys: pytest.CaptureFixture[str]) -> None:
    found = replace(FOUND, memories=(memory("direct", Stage.SIMILARITY, text="小白"), memory("far", Stage.ASSOCIATION)))
    assert list(sections(printed(capsys, found))) == ["相关记忆", "联想", "行为倾向", "自我认知", "原话"]


def test_nothing_is_said_to_be_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, Recollection(query="q", at=AT)) == "Nothing comes to mind.\n"
    assert printed(capsys, Recollection(query="小白", at=AT)) == "什么也没想起来。\n"
    only_core = Recollection(query="q", at=AT, memories=(memory("self", Stage.CORE),))
    assert list(sections(printed(capsys, only_core))) == ["Nothing comes to mind.", "Always in mind"]


def test_a_walk_that_was_cut_short_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    print_recollection(replace(FOUND, limits={"time_reached": True, "nodes_reached": False}), explain=False)
    assert "limit of time" in capsys.readouterr().err
    print_recollection(FOUND, explain=False)
    assert capsys.readouterr().err == ""


def test_text_of_strangers_cannot_steer_the_terminal_nor_mark_up(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, replace(FOUND, memories=(memory("direct", Stage.SIMILARITY, text="\x1b[2J[red]x[/red] :cat:\r"),)))
    assert r"\x1b[2J[red]x[/red] :cat:\x0d" in text


def test_a_memory_says_whom_it_is_kept_from(capsys: pytest.CaptureFixture[str]) -> None:
    memories = (memory("theo", Stage.SIMILARITY, kept_from=("theo", "bo")), memory("all", Stage.SIMILARITY, kept_from=("*",)))
    text = printed(capsys, replace(FOUND, memories=memories))
    assert "[theo] · kept from theo, bo\n" in text and "[all] · kept from whoever did not hear it\n" in text


def test_what_is_chinese_is_wholly_so(capsys: pytest.CaptureFixture[str]) -> None:
    memories = (
        memory("bo", Stage.SIMILARITY, text="小白", kept_from=("老周", "阿哲")),
        memory("all", Stage.SIMILARITY, text="小白", kept_from=("*",)),
    )
    text = printed(capsys, replace(FOUND, memories=memories))
    assert "[bo] · 不能告诉老周、阿哲\n" in text and "[all] · 不能告诉没有听到的人\n" in text
    assert "  0.40 说：say so\n" in text and "  0.10 做：can mend\n" in text


@pytest.mark.parametrize(
    ("letter", "more", "cut"),
    [
        ("x", "… and 2 more; --json has all of them", "Shortened: soulmem show KEY has all of a note"),
        ("字", "……还有 2 条，--json 显示全部", "有删节：soulmem show KEY 显示这一条的全文"),
    ],
)
def test_what_is_always_in_mind_is_shortened(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, letter: str, more: str, cut: str
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    core = [memory(f"c{number}", Stage.CORE, text=letter * (5000 if number == 1 else 320)) for number in range(7)]
    found = printed(capsys, replace(FOUND, memories=(memory("far", Stage.SIMILARITY, text=letter * 5000), *core)))
    body = found.partition("\n\nAlways in mind\n")[2] or found.partition("\n\n时刻在心\n")[2]
    lines = [line.strip() for line in body.splitlines()]
    assert lines[0] == letter * 320 and lines[2] == letter * 320 + "…" and lines[10] == more and lines[11].startswith(cut)
    assert letter * 5000 in found and "c4" in body and "c5" not in body
    few = printed(capsys, replace(FOUND, memories=(*core[2:],)))
    assert cut not in few and more not in few


def test_of_many_places_the_first_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    sources = tuple(Source(file="a.jsonl", line=line, speaker="Wren", time=AT) for line in range(1, 10))
    told = printed(capsys, replace(FOUND, memories=(memory("direct", Stage.SIMILARITY, origins=("g.json:1",), sources=sources),)))
    assert "[direct] · g.json:1 · a.jsonl:1 Wren · " in told and " · a.jsonl:5 Wren · … and 4 more\n" in told
