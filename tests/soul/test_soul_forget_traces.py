"""Forgetting for good where it is told of besides lines and notes: cards, descriptions, the journal, questions, waiting
links, and what killed work left beside the mind."""

from __future__ import annotations

import json
import stat
import tempfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soul_dump import journal, left_of
from soul_minds import AT, Minds, concept, graph, opened, sem, took

from soulmem.backup import back_up, cut_off_copies, forgotten_since, half_made
from soulmem.examination import examined
from soulmem.forget.finding import Found, Search, _Neighbours, _Surroundings, searched
from soulmem.model.changes import Change, NoteUpdate
from soulmem.model.notes import Semantic
from soulmem.soul import Soul
from soulmem.store.workplace import remove_left_behind, workplace
from soulmem.text.excising import pieces, without_sentences
from soulmem.text.mentions import Mentions

CARD = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {
        "name": "Wren",
        "description": "{{char}} is afraid of owls.  {{char}} keeps a blue kettle. She bakes bread at dawn.",
        "personality": "",
        "scenario": "",
        "first_mes": "",
        "mes_example": "",
        "creator_notes": "Made for zebulon fans. Enjoy.",
        "extensions": {"zebulon stuff": 1, "other": 2},
        "tags": ["baker"],
    },
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SOULMEM_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # without the private copies of other processes
    return tmp_path / "home"


def description(soul: Soul) -> str:
    body = soul.note("sem_self").body
    assert isinstance(body, Semantic)
    return body.description


def gone_from(soul: Soul, *texts: str) -> None:
    """Nothing is left of the texts, and the mind is whole."""
    assert left_of(soul.store.path, *texts) == [] and soul.check() == ()
    told = "\n".join(value for _, _, value in soul.store.texts()).casefold()  # type: ignore[attr-defined]
    assert [text for text in texts if text in told] == []


# -- cards ----------------------------------------------------------------------------------------------------------------------


def test_a_detail_of_a_card_goes_from_all_that_was_made_of_it_and_from_nothing_else(mind: Soul) -> None:
    took(mind, json.dumps(CARD).encode(), "wren.json", at=AT)
    (owls,) = [row.key for row in mind.list(text="owls", limit=9) if row.key != "sem_self"]
    report = mind.forget(notes=[owls])
    assert [note.key for note in report.gone_notes] == [owls]
    assert description(mind) == "Wren keeps a blue kettle. She bakes bread at dawn."
    gone_from(mind, "owls", "afraid")
    report = mind.forget(about=["blue  Kettle"])
    assert "sem_self" not in {note.key for note in report.gone_notes} and "sem_self" in {
        note.key for note in report.revised_notes
    }
    assert description(mind) == "She bakes bread at dawn."
    gone_from(mind, "kettle")
    report = mind.forget(about=["zebulon"])
    assert report.operation is not None and (report.notes, report.messages, report.values) == (0, 0, 1)
    gone_from(mind, "zebulon")
    kept = mind.store.meta("card")["card"]["data"]
    assert kept["description"] == "She bakes bread at dawn." and kept["creator_notes"] == "Enjoy."
    assert kept["extensions"] == {"other": 2} and kept["tags"] == ["baker"]
    assert mind.forget(about=["zebulon"]).operation is None, "what is gone is gone"
    assert mind.store.meta("card")["card"]["data"].keys() == CARD["data"].keys(), "the format stays"  # type: ignore[attr-defined]


def test_a_name_stays_who_it_is_when_its_description_loses_a_sentence(mind: Soul) -> None:
    tea = concept("sem_tea", "tea", description="A drink. Bo dislikes it with quince. Often green.", tags=[])
    took(mind, graph(tea, concept("sem_quince", "quince", [("sem_tea", sem("goes with"))])), "graph.json", at=AT)
    report = mind.forget(about=["quince"])
    assert [note.key for note in report.gone_notes] == ["sem_quince"]
    body = mind.note("sem_tea").body
    assert isinstance(body, Semantic) and body.description == "A drink. Often green."
    gone_from(mind, "quince")


# -- the journal, questions, waiting links --------------------------------------------------------------------------------------


def test_what_only_questions_waiting_links_and_the_journal_tell_goes_too(mind: Soul) -> None:
    took(mind, graph(concept("sem_tea", "tea", [("sem_zanzibar", sem("comes from"))])), "graph.json", at=AT)
    mind.observe("The tea is warm.", speaker="Bo", at=AT)
    mind.commit(mind.recall("tea of the mangosteen", at=AT + timedelta(hours=3)))
    mind.store.apply(Change(command="test", what="papaya, said somebody", at=AT, meta={"x": {"lychee": 1, "y": ["durian. No."]}}))
    assert mind.store.pending()
    report = mind.forget(about=["zanzibar", "mangosteen", "papaya", "lychee", "durian"])
    assert report.operation is not None and (report.notes, report.messages) == (0, 0)
    assert (report.links, report.recalls) == (1, 1) and report.entries >= 2
    gone_from(mind, "zanzibar", "mangosteen", "papaya", "lychee", "durian")
    assert mind.store.meta("x") == {"y": ["No."]}
    assert mind.forget(about=["zanzibar", "mangosteen", "papaya"]).operation is None


def test_a_note_that_is_named_leaves_neither_key_nor_alias(mind: Soul) -> None:
    took(
        mind,
        graph(
            concept("sem_xylophon", "xylophon", aliases=["marimba"]),
            concept("sem_bells", "bells", [("sem_tone", sem("like sem_xylophon"))]),
        ),
        "graph.json",
        at=AT,
    )
    mind.pin("sem_xylophon")
    mind.pin("sem_xylophon", False)
    mind.pin("sem_bells")
    mind.commit(mind.recall("where is the marimba and the bells", at=AT))
    mind.forget(notes=["sem_xylophon"])
    gone_from(mind, "marimba")
    assert "sem_xylophon'" not in journal(mind) and not any(": sem_xylophon\n" in f"{one.what}\n" for one in mind.log(9))
    assert any("sem_bells" in one.what for one in mind.log(9)) and mind.note("sem_bells")
    assert mind.store.pending() == [] or mind.store.pending() == ()


def test_a_note_that_was_made_again_is_not_gone(mind: Soul) -> None:
    mind.observe("My friend is called Tomson.", speaker="Bo", at=AT)
    mind.consolidate()
    assert mind.retract(at=AT + timedelta(minutes=1)) is not None
    mind.observe("I like marmalade.", speaker="Bo", at=AT + timedelta(minutes=2))
    mind.consolidate()
    assert mind.check() == ()
    report = mind.forget(about=["Tomson"])
    assert report.messages == 1 and "sem_bo" in {row.key for row in mind.list(limit=99)}
    assert mind.show("sem_bo").links_out
    gone_from(mind, "tomson")


def test_a_key_without_a_note_is_mended(mind: Soul) -> None:
    took(mind, graph(concept("sem_tea", "tea"), concept("sem_pot", "pot")), "graph.json", at=AT)
    mind.cypher("MATCH (n:Semantic {key: 'sem_pot'}) DETACH DELETE n", write=True)
    assert any("sem_pot is recorded" in line for line in mind.check())
    mind.reembed()
    assert mind.check() == () and mind.note("sem_tea")


# -- what was killed ------------------------------------------------------------------------------------------------------------


def test_what_a_killed_backup_left_is_told_found_and_goes(minds: Minds, home: Path) -> None:
    mind = minds()
    path = mind.store.path
    mind.close()
    (home / "backups").mkdir(parents=True)
    with workplace(home / "backups", f"{path.stem}-20260101T000000Z.zip") as living, workplace(path.parent, path.name) as other:
        for place in (living, other):
            (place / "mind").write_text("zanzibarian quince")
        assert set(half_made(path)) == {living, other} and cut_off_copies(path) == []
        assert len(searched(path, "Quince").found) == 2
        remove_left_behind([living.parent, other.parent])
        assert living.exists() and other.exists(), "somebody works there"
    left = home / "backups" / f".{path.stem}-20260101T000000Z.zip.soulmem-dead"
    left.mkdir()
    (left / "lock").touch()
    (left / "mind").write_text("zanzibarian quince")
    assert cut_off_copies(path) == [left] and any("cut off" in line for line in examined(path).findings)
    back_up(path, home / "b.zip", AT)
    assert not left.exists()
    left.mkdir()
    (left / "lock").touch()
    with opened(path) as soul:
        soul.observe("My quince.", speaker="Bo", at=AT)
        soul.forget(about=["quince"])
    assert not left.exists() and list((home / "backups").iterdir()) == []


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_mind_and_its_backup_are_for_its_owner_alone_and_an_older_backup_is_known_to_be_older(home: Path) -> None:
    path, clock = home / "minds" / "w.mind", [AT]
    with Soul.create(path, embedder="hashing", clock=lambda: clock[0]) as soul:
        soul.observe("My quince.", speaker="Bo", at=AT)
        assert mode(path) == mode(Path(f"{path}.wal")) == 0o600
        backup = back_up(path, home / "b.zip", AT)
        assert mode(home / "b.zip") == 0o600
        clock[0] = AT + timedelta(hours=1)
        path.chmod(0o640)
        soul.forget(about=["quince"])
        assert mode(path) == 0o640, "as it was chosen"
    assert forgotten_since(path, backup) == 1
    assert forgotten_since(path, replace(backup, made_at=clock[0])) == forgotten_since(home / "none.mind", backup) == 0


# -- finding --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("written", ["quince\nmarmalade", "Quince\u00a0marmalade", "**quince** marmalade", "quince_Marmalade"])
@pytest.mark.parametrize("code", ["utf-8", "utf-16-le"])
def test_words_are_found_however_they_are_joined(tmp_path: Path, written: str, code: str) -> None:
    (tmp_path / "a.mind.before-002").write_bytes(b"x" * 7 + f"My {written}.".encode(code) + json.dumps(written).encode())
    (found,) = searched(tmp_path / "a.mind", "quince marmalade").found
    assert found.count == 2
    assert searched(tmp_path / "a.mind", "quincemarmalade").found == ()


def test_the_end_of_one_text_and_the_beginning_of_the_next_are_told_as_such() -> None:
    one = _Surroundings(b"....A longer text with a quin", b"cebeard", b"ed old man\0\0")
    for stored, count in (
        (("A longer text with a quince", "bearded old man"), 1),
        (("A longer text with a quince", "bearded old"), 0),
        (("A longer text with a quince",), 0),
        (("quince", "bearded old man"), 0),
        (("A longer text with a quincebearded old man",), 0),
    ):
        neighbours = _Neighbours([one])
        for value in stored:
            neighbours.meet(value)
        assert neighbours.count == count
    words = _Neighbours([_Surroundings(b"I would like some ", b"quince jam", b" with my bread")])
    for value in ("I would like some quince", "I would like some quince ", " jam with my bread", "jam with my bread"):
        words.meet(value)
    assert words.count == 0, "between words it may be a sentence that was deleted"


def test_what_is_only_between_texts_is_not_left() -> None:
    found = Found(file=Path("a.mind"), count=2, between=2)
    assert not Search(found=(found,), files=1).is_left
    assert Search(found=(replace(found, between=1),), files=1).is_left


# -- phrases and sentences ------------------------------------------------------------------------------------------------------


@given(st.lists(st.text('ab.!? \n"。！”…', max_size=12), max_size=6).map("".join))
def test_sentences_are_the_text(text: str) -> None:
    assert "".join(pieces(text)) == text
    left = without_sentences(text, lambda part: "a" in part)
    assert "a" not in left and (left == text or "a" in text)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("A b. C quince d. E!", "A b. E!"),
        ("他住在山里。他喜欢quince！他很好。", "他住在山里。他很好。"),
        ("It costs 3.50 for a quince. Cheap.", "Cheap."),
        ("a quince", ""),
        ("first\na quince\nlast", "first\nlast"),
    ],
)
def test_sentences_that_tell_go(text: str, left: str) -> None:
    assert without_sentences(text, Mentions(["quince"]).are_in) == left


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("quince marmalade", "**quince** marmalade"),
        ("quince marmalade", "my quince_marmalade"),
        ("quince-marmalade", "Quince\u00a0\n marmalade"),
        ("Greta Olsen", "greta-olsen's"),
        ("榴莲糕", "**榴莲**糕"),
    ],
)
def test_words_may_be_joined_in_any_way(phrase: str, text: str) -> None:
    assert Mentions([phrase]).are_in(text)


def test_a_change_of_a_description_is_forgotten_in_the_journal_too(mind: Soul) -> None:
    took(mind, graph(concept("sem_tea", "tea")), "graph.json", at=AT)
    note = mind.note("sem_tea").id
    for told in ("With quince. Hot.", "Hot."):
        mind.store.apply(Change(command="test", what="", at=AT, updates=(NoteUpdate(note=note, values={"description": told}),)))
    assert mind.forget(about=["quince"]).entries >= 1
    gone_from(mind, "quince")
