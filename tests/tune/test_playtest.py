"""Playtests: dialogues read whatever wrote them, held turn by turn, and compared blind."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from tune_minds import AT, GRAPH, now, written

from soulmem.errors import FormatError, InputError, SoulmemError
from soulmem.soul import Soul
from soulmem.tune.dialogues import Dialogue, DialogueTurn, read_dialogue
from soulmem.tune.playtest import FULL, VECTORS, Cue, Playtest, blind_order, blind_sheet, play
from soulmem_cli.app import app
from soulmem_cli.playtests import played as played_file

PAIRS = {
    "name": "evening",
    "role": "Ann, a friend",
    "graph_path": ".",
    "conversations": [{"user_message": "Have you seen the paper lantern?"}, {"user_message": "And the rye bread?"}],
}
TURNS = tuple(DialogueTurn(said=str(pair["user_message"])) for pair in PAIRS["conversations"])  # type: ignore[index]
DIALOGUE = Dialogue(path=Path("d.json"), name="evening", role="Ann", graph=None, turns=TURNS)


def read(folder: Path, value: object) -> Dialogue:
    return read_dialogue(written(folder / "d.json", value))


def test_both_forms_of_a_dialogue_are_read(tmp_path: Path) -> None:
    pairs = read(tmp_path, PAIRS)
    assert (pairs.name, pairs.role, pairs.turns) == ("evening", "Ann, a friend", TURNS)
    assert pairs.graph == tmp_path / "graph.json"
    lines = [("system", "be kind"), ("user", "Hello."), ("user", "Are you there?"), ("assistant", "Yes."), ("user", "Good.")]
    found = read(tmp_path, {"conversation": [{"role": role, "content": text} for role, text in lines]})
    assert found.name == "d" and found.graph is None
    assert found.turns == (DialogueTurn(said="Hello.\nAre you there?", answered="Yes."), DialogueTurn(said="Good."))


@pytest.mark.parametrize(
    ("value", "error", "told"),
    [
        ([], FormatError, "expected an object"),
        ({}, InputError, "nobody says anything"),
        ({"conversations": [{"user_message": " "}]}, InputError, "nobody says anything"),
        ({"conversation": [{"role": "assistant", "content": "Hi."}]}, InputError, "nobody says anything"),
        ({"conversation": [{"role": "user"}]}, FormatError, r"conversation\.0\.content"),
        ({"conversations": [{"user_message": 7}]}, FormatError, r"conversations\.0\.user_message"),
        ({"conversations": {"user_message": "x"}}, FormatError, "conversations"),
        ({"conversations": [{"user_message": "x" * 100_001}]}, FormatError, "100000"),
    ],
)
def test_what_is_no_dialogue_is_refused_with_its_place(tmp_path: Path, value: object, error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told) as raised:
        read(tmp_path, value)
    assert "d.json" in str(raised.value)


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"[" * 5000, b'{"a":\n}', b"null", b"1e999"])
def test_broken_files_are_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "d.json").write_bytes(data)
    with pytest.raises(SoulmemError, match=r"d\.json"):
        read_dialogue(tmp_path / "d.json")


def test_what_no_file_can_hold_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "d.json").write_text('{"conversations": [{"user_message": "a\\u0000b"}]}')
    assert read_dialogue(tmp_path / "d.json").turns[0].said == "a b"
    (tmp_path / "d.json").write_text('{"conversations": [{"user_message": "\\ud800"}]}')
    with pytest.raises(FormatError, match="user_message"):
        read_dialogue(tmp_path / "d.json")


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["user", "assistant"]),
            st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=5),
        ),
        max_size=12,
    )
)
def test_nothing_the_user_says_is_lost(tmp_path_factory: pytest.TempPathFactory, lines: list[tuple[str, str]]) -> None:
    said = [text for role, text in lines if role == "user" and text.strip()]
    value = {"conversation": [{"role": role, "content": text} for role, text in lines]}
    folder = tmp_path_factory.mktemp("said")
    if not said:
        with pytest.raises(InputError):
            read(folder, value)
        return
    assert "\n".join(turn.said for turn in read(folder, value).turns) == "\n".join(said)


def played(mind: Path, **how: object) -> Playtest:
    return play(DIALOGUE, partial(Soul.open, mind, read_only=True, clock=now), at=AT, **how)  # type: ignore[arg-type]


def test_every_turn_shows_what_came_to_mind_and_what_vectors_bring(mind: Path) -> None:
    found = played(mind)
    lantern, bread = found.turns
    assert lantern.seeds and next(iter(lantern.seeds)) == "sem_lantern"
    assert "sit_harbour" in {one.key for one in lantern.association}
    assert all(one.path[-1].target == one.key for one in lantern.association)
    assert lantern.vectors[0].key == "sem_lantern" and bread.vectors[0].key == "sem_bread"
    scores = [one.score for one in lantern.vectors]
    assert scores == sorted(scores, reverse=True)
    assert "paper lantern" in lantern.remembered[FULL] and "paper lantern" in lantern.remembered[VECTORS]
    assert not lantern.replies and found.model is None
    assert found == played(mind), "the same mind and dialogue give the same run"


def test_each_arm_goes_on_from_its_own_replies(mind: Path) -> None:
    heard: list[Cue] = []

    def reply(cue: Cue) -> str:
        heard.append(cue)
        return f"reply {len(heard)}"

    found = played(mind, reply=reply, model="scripted")
    assert [turn.replies for turn in found.turns] == [
        {FULL: "reply 1", VECTORS: "reply 2"},
        {FULL: "reply 3", VECTORS: "reply 4"},
    ]
    assert [line.text for line in heard[2].talk] == [TURNS[0].said, "reply 1", TURNS[1].said]
    assert [line.text for line in heard[3].talk] == [TURNS[0].said, "reply 2", TURNS[1].said]


def test_the_blind_sheet_hides_which_is_which(mind: Path) -> None:
    found = played(mind, reply=lambda cue: cue.remembered[:0] + f"answer from {len(cue.remembered)} signs", model="scripted")
    orders = {tuple(blind_order(found, seed)[1]) for seed in range(20)}
    assert orders == {(FULL, VECTORS), (VECTORS, FULL)}
    order = blind_order(found, 3)
    sheet = blind_sheet(found, order)
    assert order == blind_order(found, 3) and VECTORS not in sheet.replace("vectors alone", "")
    for turn in found.turns:
        first, second = (sheet.index(f"> {turn.replies[arm]}", sheet.index(f"## {turn.number}")) for arm in order[turn.number])
        assert first < second


def test_it_is_played_from_the_command_line(tmp_path: Path, mind: Path) -> None:
    written(tmp_path / "graph.json", GRAPH)
    written(tmp_path / "d.json", PAIRS)
    run: Callable[..., object] = partial(CliRunner(env={"SOULMEM_HOME": str(tmp_path / "home")}).invoke, app)
    files = ["--blind", str(tmp_path / "sheet.md"), "-o", str(tmp_path / "run.json")]
    result = run(["tune", "playtest", str(tmp_path / "d.json"), "--fresh", "--embedder", "hashing", "--json", *files])
    assert result.exit_code == 0, result.output  # type: ignore[attr-defined]
    value = json.loads(result.stdout)  # type: ignore[attr-defined]
    assert value == json.loads((tmp_path / "run.json").read_text())
    assert [turn["said"] for turn in value["turns"]] == [turn.said for turn in TURNS]
    key = json.loads((tmp_path / "sheet.md.key.json").read_text())
    assert {frozenset(turn.values()) for turn in key["turns"].values()} == {frozenset({FULL, VECTORS})}
    told = run(["tune", "playtest", str(tmp_path / "d.json"), "--mind", str(mind)])
    assert told.exit_code == 0 and "sem_lantern" in told.stdout  # type: ignore[attr-defined]
    missing = run(["tune", "playtest", str(tmp_path / "none.json"), "--mind", str(mind)])
    assert missing.exit_code == 1 and "cannot read" in missing.stderr  # type: ignore[attr-defined]


@pytest.mark.parametrize("config", [{"similarity_threshold": float("nan")}, {"max_results": 0}, {"similarity_threshold": 2}, [1]])
def test_settings_that_cannot_be_are_refused(tmp_path: Path, config: object) -> None:
    with pytest.raises(FormatError, match="config"):
        read(tmp_path, PAIRS | {"config": config})


def test_the_settings_of_a_file_are_those_of_the_mind_that_plays(tmp_path: Path) -> None:
    assert read(tmp_path, PAIRS).config == {}
    config = {"similarity_threshold": 1.0, "max_results": 3, "test_k_values": [1]}
    assert read(tmp_path, PAIRS | {"config": config}).config == {"similarity_floor": 1.0, "max_results": 3}
    counts = []
    written(tmp_path / "graph.json", GRAPH)
    for threshold in (0.0, 1.0):
        file = written(tmp_path / "d.json", PAIRS | {"config": {"similarity_threshold": threshold}})
        found = played_file(file, fresh=True, embedder="hashing", top=10, at=AT, model=None, progress=None)
        counts.append(sum(len(turn.seeds) for turn in found.turns))
    assert counts[0] > counts[1]
