"""A character made by answering questions: every answer is in the mind, and every note leads back to the line that says it."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.edit import Edit
from soulmem.errors import FormatError
from soulmem.ingest import formats
from soulmem.ingest.answers import answers_of, answers_text
from soulmem.ingest.interview import FORMAT, read
from soulmem.interview import QUESTIONS, filled, habit, named, told
from soulmem.model.links import TrigToAction
from soulmem.model.notes import ActionType, Procedure, Semantic, SpecificSituation, display_text
from soulmem.soul import Soul
from soulmem.text.language import Language

AT = datetime(2026, 11, 1, tzinfo=UTC)
LINES = {
    "aliases": ["Ruben"],
    "who": ["I keep a lighthouse on a rock nobody visits.", "I log every ship."],
    "likes": ["strong tea"],
    "people": ["Marta / my sister: writes every month"],
    "places": ["Farrow Rock: a lump of granite"],
    "habits": [
        "when a ship passes too close: I light the second lamp: In March I lit both lamps.",
        "if asked of the sea: say “No.”",
    ],
    "says": ["Mind the third step."],
    "memories": ["2019-08: Marta came to Farrow Rock and was seasick.", "I fell off the ladder."],
    "greeting": ["You're early."],
}
TEXT = answers_text(answers_of(json.dumps(filled("Ruben Castell", LINES))))


def test_every_answer_is_in_the_mind_and_leads_back_to_its_line() -> None:
    found = formats.read(TEXT.encode(), AT)
    assert found.format == FORMAT.name
    notes = {note.key: note for note in found.notes}
    told_of = "\n".join(f"{display_text(note.body)} {getattr(note.body, 'aliases', '')}" for note in found.notes)
    parts = "lighthouse|log every ship|strong tea|Marta|my sister|granite|second lamp|third step|ladder|early"
    for part in parts.split("|"):
        assert part in told_of
    lines = TEXT.split("\n")
    messages = {line.index: line for line in found.messages}
    drawn = (("Marta", Semantic), ("I light the second lamp", Procedure), ("I fell off the ladder.", SpecificSituation))
    for part, kind in drawn:
        bodies = {key: note.body for key, note in notes.items() if isinstance(note.body, kind)}
        key = next(key for key, body in bodies.items() if display_text(body).startswith(part))
        places = [messages[index].line for index in found.drawn[key]]
        assert any(part in "".join(lines[max(0, place - 3) : place + 1]) for place in places), "within the object that says it"
    assert all(line.hidden for line in found.messages), "nobody said this in a talk"


def test_habits_trigger_and_memories_name_whom_they_are_of() -> None:
    found = read(TEXT.encode(), AT)
    texts = {note.key: display_text(note.body) for note in found.notes}
    triggers = {(texts[one.source_key], texts[one.target_key]) for one in found.links if isinstance(one.payload, TrigToAction)}
    assert ("a ship passes too close", "I light the second lamp") in triggers
    joined = {(texts[one.source_key], texts[one.target_key].split("（")[0]) for one in found.links}
    memory = "Marta came to Farrow Rock and was seasick."
    assert {(memory, "Marta"), (memory, "Farrow Rock"), ("In March I lit both lamps.", "a ship passes too close")} <= joined
    once = next(note.body for note in found.notes if display_text(note.body) == memory)
    assert isinstance(once, SpecificSituation)
    assert (once.time_start, once.time_end) == (datetime(2019, 8, 1, tzinfo=UTC), datetime(2019, 9, 1, tzinfo=UTC))
    kinds = {note.body.content: note.body.action_type for note in found.notes if isinstance(note.body, Procedure)}
    assert (kinds["I light the second lamp"], kinds["say “No.”"]) == (ActionType.SKILL, ActionType.SPEAK)


def test_nothing_is_made_up() -> None:
    bare = read(answers_text(answers_of('{"name": "Bo"}')).encode(), AT)
    assert [note.key for note in bare.notes if isinstance(note.body, Semantic)] == ["sem_self"]
    assert bare.messages == ()


@pytest.mark.parametrize("broken", [
    b"[]", b"{", b'{"name": 3}', b'{"version": 2, "name": "a"}', b'{"name": ""}', b'{"name": "a", "odd": 1}',
    b'{"name": "a", "memories": [{"what": "x", "at": "soon"}]}', b'{"name": "a", "memories": [{"what": "x", "at": "2019-13"}]}',
    b'{"name": "' + b"a" * 200 + b'"}', b"[" * 100_000,
])  # fmt: skip
def test_what_cannot_be_answers_is_refused(broken: bytes) -> None:
    with pytest.raises(FormatError):
        read(broken, AT)


@given(st.binary(max_size=80))
def test_any_bytes_are_answers_or_are_refused(data: bytes) -> None:
    for given_ in (data, b'{"name": "a", "who": "' + data):
        with suppress(FormatError):
            read(given_, AT)


@pytest.mark.parametrize("language", [Language.EN, Language.ZH])
def test_every_question_fills_a_field(language: Language) -> None:
    fields = set(answers_of('{"name": "a"}').model_dump())
    assert {question.field for question in QUESTIONS} == fields - {"soulmem", "version", "name", "text", "drawn"}
    assert all(question.text(language) for question in QUESTIONS)


def test_lines_in_both_languages() -> None:
    assert named("妈妈/老妈：自贡开抄手店") == {"name": "妈妈", "aliases": ["老妈"], "who": "自贡开抄手店"}
    assert habit("每当打雷：我就躲进柜子：上周三躲了一夜") == {"when": "打雷", "does": "我就躲进柜子", "once": "上周三躲了一夜"}
    assert told("2019-08-03：搬家") == {"at": "2019-08-03", "what": "搬家"} and told("搬家")["at"] == ""
    with pytest.raises(ValueError, match="colon"):
        habit("when it rains")


CHANGES: dict[str, dict[str, list[str]]] = {
    "as it was": {},
    "who somebody is": {"people": ["Marta / my sister: lives in Hull", "Hugo: an old friend"], "likes": ["weak coffee"]},
    "what is done": {"habits": ["when a ship passes too close: I go to bed", "if asked of the sea: say “No.”"], "people": []},
    "other names": {"aliases": ["Ruben", "Benny"], "text": ["Ruben was born in Hull in 1980. When a ship comes, he waves."]},
    "a text": {"text": ["Ruben was born in York in 1981. When a ship comes, he shouts.\nRuben sleeps well."]},
}


def _answered(changed: dict[str, list[str]]) -> bytes:
    text = {"text": changed["text"][0]} if "text" in changed else {}
    lines = {name: value for name, value in (LINES | changed).items() if name != "text"}
    return answers_text(answers_of(json.dumps(filled("Ruben Castell", lines) | text))).encode()


def _notes(soul: Soul) -> dict[str, tuple[object, ...]]:
    """What the notes of a mind say, by key."""
    rows = (row for kind in ("semantic", "specific", "abstract", "procedure") for row in soul.store.query(f"store.all_{kind}"))
    return {note.key: (note.body, note.tags, note.core) for note in soul.store.notes([row["id"] for row in rows])}


def _links(soul: Soul) -> set[tuple[object, ...]]:
    return {(link.source, link.target, link.payload) for link in soul.store.links()}


def test_changed_answers_that_are_read_again_are_as_if_they_were_the_first(tmp_path: Path) -> None:
    with Soul.create(tmp_path / "ruben.mind", embedder="hashing", clock=lambda: AT) as soul:
        for name in (*CHANGES, "as it was"):
            answers = _answered(CHANGES[name])
            assert soul.ingest_bytes(answers, name="ruben.json").refused is None
            told = formats.read(answers, AT)
            ids = {note.key: note.id for note in told.notes}
            assert _notes(soul) == {note.key: (note.body, note.tags, note.core) for note in told.notes}, name
            assert _links(soul) == {(ids[link.source_key], ids[link.target_key], link.payload) for link in told.links}, name
        assert soul.ingest_bytes(answers, name="ruben.json").new == 0


def test_what_was_changed_since_stays_when_answers_are_read_again_and_undo_brings_back_the_rest(tmp_path: Path) -> None:
    with Soul.create(tmp_path / "ruben.mind", embedder="hashing", clock=lambda: AT) as soul:
        soul.ingest_bytes(_answered({}), name="ruben.json")
        before, links = _notes(soul), _links(soul)
        report = soul.ingest_bytes(_answered(CHANGES["who somebody is"]), name="ruben.json")
        assert (report.refused, report.skipped) == (None, 0)
        marta = next(body for body, _, _ in _notes(soul).values() if isinstance(body, Semantic) and body.content == "Marta")
        assert marta.description == "lives in Hull"
        soul.undo()
        assert (_notes(soul), _links(soul)) == (before, links)
        key = next(key for key, (body, _, _) in before.items() if isinstance(body, Semantic) and body.content == "Marta")
        soul.edit(key, Edit(text="a baker in York"))
        soul.ingest_bytes(_answered(CHANGES["who somebody is"]), name="ruben.json")
        assert getattr(_notes(soul)[key][0], "description", "") == "a baker in York"


def test_every_other_name_is_known_and_facts_go_by_the_name() -> None:
    answers = json.dumps(filled("Ruben Castell", {"aliases": ["Rub", "Benny", "Ruben Castell"], "likes": ["tea"]}))
    notes = {note.key: note.body for note in formats.read(answers_text(answers_of(answers)).encode(), AT).notes}
    own = notes["sem_self"]
    assert isinstance(own, Semantic)
    assert (own.content, own.aliases) == ("Ruben Castell", ("Rub", "Benny"))
    assert "Ruben Castell likes: tea" in [body.content for body in notes.values() if isinstance(body, Semantic)]
