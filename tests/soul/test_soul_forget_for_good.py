"""Forgetting for good by text, note and time: what is meant goes whole, no byte is left (a search proves it), all else stays."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soul_dump import dump, journal, left_of
from soul_minds import AT, TEA, Minds, concept, graph, opened, sem, took

from soulmem.errors import InputError, NotFoundError
from soulmem.forget.finding import searched
from soulmem.indexing import indexed
from soulmem.model.changes import Change, NoteUpdate, Superseding
from soulmem.model.notes import Note, Semantic, derived_id
from soulmem.soul import Soul
from soulmem.text.mentions import Mentions
from soulmem.working.observer import Line


@pytest.fixture(autouse=True)
def no_other_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Private copies that other processes of this machine have are not looked into."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


ENGLISH = ("I hid the zanzibarian quince under the stairs.", "The quince is zanzibarian, tell nobody.")
CHINESE = ("我把榴莲糕藏在楼梯底下了。", "榴莲糕谁也不许告诉。")
PLAIN = ("My sister Greta lives in Halden.", "I work in a bakery.", "我家的猫叫豆豆。", "豆豆喜欢晒太阳。")


def told(soul: Soul, *texts: str, hours: float = 0) -> None:
    start = AT + timedelta(hours=hours)
    soul.observe_many([Line(text=text, speaker="Bo", at=start + timedelta(minutes=n)) for n, text in enumerate(texts)])
    soul.idle(start + timedelta(hours=1))


def write(soul: Soul, **parts: object) -> None:
    change = Change(command="test", what="a test", at=AT, **parts)  # type: ignore[arg-type]
    soul.store.apply(indexed(change, soul.embedder, present=soul.store.notes))


def fact(key: str, content: str, **more: str) -> Note:
    return Note(id=derived_id("note", key), key=key, body=Semantic(content=content, **more), created_at=AT, decayed_at=AT)


def lived_with(soul: Soul) -> None:
    """A history: the secret is told, changed, recalled, taken back and done again, and checkpoints lie between."""
    told(soul, *PLAIN)
    told(soul, *ENGLISH, *CHINESE, hours=2)
    note = fact("secret", "where the zanzibarian quince is", description="榴莲糕")
    write(soul, notes=(note,))
    soul.store._engine.checkpoint()  # type: ignore[attr-defined]
    write(soul, updates=(NoteUpdate(note=note.id, values={"description": "zanzibarian 榴莲糕"}),))
    write(soul, updates=(NoteUpdate(note=note.id, values={"description": "gone"}),))
    soul.undo()
    soul.redo()
    soul.commit(soul.recall("zanzibarian quince 榴莲糕", at=AT + timedelta(hours=3)))
    soul.store._engine.checkpoint()  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def lived_file(empty_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lived") / "lived.mind"
    shutil.copy(empty_file, path)
    with opened(path) as soul:
        lived_with(soul)
    return path


# -- what is meant --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "gone"),
    [
        ({"about": ["Zanzibarian  QUINCE", "榴莲"]}, ("zanzibarian quince", "榴莲")),
        ({"since": AT + timedelta(hours=2)}, ("榴莲糕藏", "zanzibarian", "stairs")),
    ],
)
def test_no_byte_is_left_and_all_else_stays(minds: Minds, lived_file: Path, asked: dict, gone: tuple[str, ...]) -> None:
    mind = minds(lived_file)
    if "since" in asked:
        mind.forget(notes=["secret"])
    path = mind.store.path
    before = mind.export_messages()
    assert all(left_of(path, text) for text in gone)
    plan = mind.forget(**asked, dry_run=True)
    assert mind.export_messages() == before and plan.operation is None
    report = mind.forget(**asked)
    assert report.operation is not None and (plan.messages, plan.notes, plan.entries) == (
        report.messages,
        report.notes,
        report.entries,
    )
    assert left_of(path, *gone) == [] and not any(text in journal(mind) + str(dump(mind.store)) for text in gone)
    kept = [message.text for message in mind.store.messages([row["id"] for row in mind.store.query("store.all_messages")])]
    assert set(PLAIN) <= set(kept) and mind.check() == ()
    told(mind, "The bakery is closed.", hours=9)
    mind.close()
    assert left_of(path, *gone) == []
    assert searched(path, gone[0]).found == ()


def test_a_note_goes_with_the_lines_it_was_drawn_from(mind: Soul) -> None:
    told(mind, *PLAIN)
    told(mind, ENGLISH[0], hours=2)
    (key,) = [row.key for row in mind.list(text="quince", limit=99) if row.type.value == "SpecificSituation"]
    report = mind.forget(notes=[key])
    assert report.messages == 1 and [line.text for line in report.gone_messages] == [ENGLISH[0]]
    assert left_of(mind.store.path, "quince", "stairs") == [] and mind.check() == ()


def test_a_name_means_all_its_names_and_words_are_not_parts_of_others(mind: Soul) -> None:
    took(mind, graph(*TEA, concept("sem_meidai", "Meidai", [("sem_tea", sem("sips"))])), "graph.json", at=AT)
    told(mind, "Little Mei came late.", "Meidai was there.")
    report = mind.forget(about=["mei"])
    assert {note.key for note in report.gone_notes} >= {"sem_mei", "sit_pot"}, "her notes, and the situation she is in"
    keys = {row.key for row in mind.list(limit=99)}
    assert "sem_meidai" in keys and "sem_tea" in keys and not keys & {"sem_mei", "sit_pot"}
    assert [line.text for line in mind.window().messages] == ["Meidai was there."] and mind.check() == ()


def test_several_requests_share_one_writing(tea: Soul) -> None:
    told(tea, ENGLISH[0], CHINESE[0])
    engine = tea.store._engine  # type: ignore[attr-defined]
    before = engine.generation
    report = tea.forget(about=["quince", "榴莲"], notes=["sem_tea", "sem_pot"])
    assert engine.generation == before + 1 and report.messages == 2 and tea.check() == ()
    assert not {"sem_tea", "sem_pot"} & {row.key for row in tea.list(limit=99)}


def test_what_the_fact_had_superseded_holds_again(mind: Soul) -> None:
    old, new = fact("old", "Bo lives in Halden"), fact("new", "Bo lives in Zanzibar")
    write(mind, notes=(old, new), supersedes=(Superseding(new=new.id, old=old.id, at=AT, reason="Zanzibar instead"),))
    report = mind.forget(about=["Zanzibar"])
    body = mind.note("old").body
    assert isinstance(body, Semantic) and body.valid_until is None and report.restored_notes == ("old",)
    assert left_of(mind.store.path, "Zanzibar") == [] and mind.check() == ()


def test_a_file_that_is_read_again_brings_its_lines_back_and_only_then(mind: Soul) -> None:
    lines = b"Bo: My quince is zanzibarian.\nAnn: Halden is far.\nBo: It is.\n"
    took(mind, lines, "talk.txt", at=AT)
    report = mind.forget(about=["zanzibarian"])
    assert report.files == ("talk.txt",) and left_of(mind.store.path, "zanzibarian") == []
    assert [row["sha256"] for row in mind.store.query("store.chats")] == [""], "by its hash the rest could be guessed"
    assert took(mind, lines, "talk.txt", at=AT).new > 0 and left_of(mind.store.path, "zanzibarian")
    assert mind.check() == ()


def test_the_name_of_a_file_tells_nothing(mind: Soul) -> None:
    took(mind, b"Bo: My quince is ripe.\nAnn: Halden is far.\n", "about-zanzibar.txt", at=AT)
    mind.forget(about=["zanzibar"])
    assert {row["file"] for row in mind.store.query("store.all_messages")} == {"forgotten.txt"}
    assert left_of(mind.store.path, "zanzibar") == [] and mind.check() == ()


def test_nothing_of_the_kind_is_nothing_written(mind: Soul) -> None:
    told(mind, *PLAIN)
    before = mind.log(1)
    report = mind.forget(about=["zanzibar"])
    assert (report.operation, report.messages, report.notes) == (None, 0, 0) and mind.log(1) == before


@pytest.mark.parametrize(
    "asked",
    [{}, {"about": [" "]}, {"about": ["…"]}, {"notes": ["nobody"]}, {"until": AT}, {"since": AT, "until": AT}],
)
def test_what_names_nothing_is_refused(unchanged: Soul, asked: dict) -> None:
    before = dump(unchanged.store)
    with pytest.raises((InputError, NotFoundError)):
        unchanged.forget(**asked)
    assert dump(unchanged.store) == before


@pytest.fixture(scope="module")
def unchanged(empty_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Soul]:
    """One mind for all that is refused: nothing is written to it."""
    path = tmp_path_factory.mktemp("unchanged") / "a.mind"
    shutil.copy(empty_file, path)
    with opened(path) as soul:
        told(soul, PLAIN[0])
        yield soul
        assert soul.check() == ()


# -- mentions -------------------------------------------------------------------------------------------------------------------


@given(st.text(max_size=20), st.sampled_from(("Bo", "quince jam", "榴莲", "Zoë")), st.text(max_size=20))
def test_a_phrase_between_blanks_is_mentioned_in_any_case(before: str, phrase: str, after: str) -> None:
    for written in (phrase, phrase.upper(), phrase.lower()):
        assert Mentions([phrase]).are_in(f"{before} {written} {after}")


@pytest.mark.parametrize(
    ("phrase", "text", "is_in"),
    [
        ("Bo", "Bob said so", False),
        ("Bo", "hobo", False),
        ("Bo", "Bo's pot", True),
        ("Bo", "sem_bo", True),
        ("Bo", "小红和Bo吵架", True),
        ("小红", "罗小红说", True),
        ("quince  jam", "Quince\njam", True),
        ("jam", "", False),
        ("１２３", "123", True),
    ],
)
def test_words_are_whole_where_words_are_spaced(phrase: str, text: str, is_in: bool) -> None:
    assert Mentions([phrase]).are_in(text) is is_in


# -- crashes --------------------------------------------------------------------------------------------------------------------

_FORGETTING = """
import sys
from soulmem.soul import Soul
with Soul.open(sys.argv[1]) as soul:
    soul.stats()
    print("ready", flush=True)
    soul.forget(about=sys.argv[2:])
    print("done", flush=True)
"""


def test_killed_in_the_middle_it_is_the_old_mind_or_the_new_one_and_nothing_is_left_beside(minds: Minds) -> None:
    mind, chance = minds(), random.Random(5)
    path = mind.store.path
    told(mind, *PLAIN, *(f"Secret{n} is a quince." for n in range(3)))
    mind.close()
    for number, pause in enumerate((0.03, 0.1, 0.17)):
        command = [sys.executable, "-c", _FORGETTING, str(path), f"Secret{number}"]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None and process.stdout.readline() == b"ready\n"
            threading.Event().wait(pause + chance.uniform(0, 0.03))
            process.send_signal(signal.SIGKILL)
            done = process.stdout.read() == b"done\n"
        with opened(path) as soul:
            assert not Path(f"{path}.new").exists() and soul.check() == ()
            there = bool(soul.list(text=f"Secret{number}"))
            assert not (there and done)
            soul.forget(about=[f"Secret{number}"])
        assert searched(path, f"secret{number}").found == ()
    with opened(path) as soul:
        assert {row["text"] for row in soul.store.query("store.all_messages")} == set(PLAIN)


def test_what_a_killed_write_left_is_found_and_goes_when_the_mind_is_opened_for_writing(minds: Minds) -> None:
    mind = minds()
    path = mind.store.path
    mind.close()
    left = [Path(f"{path}{end}") for end in (".new", ".new.wal", ".look")]
    for file in left:
        file.write_text("zanzibarian quince")
    assert {found.file for found in searched(path, "Quince").found} == set(left)
    with opened(path, read_only=True):
        assert all(file.exists() for file in left)
    with opened(path):
        assert not any(file.exists() for file in left)


# -- finding --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["ox", "Zanzibarian quince", "猫", "榴莲糕藏在楼梯底下", "Zoë", "quince " * 90])
def test_a_text_is_found_wherever_it_lies_and_however_long_it_is(minds: Minds, text: str) -> None:
    mind = minds()
    path = mind.store.path
    with pytest.raises(NotFoundError):
        searched(path.parent / "none.mind", text)
    write(mind, notes=(fact("a", text.strip()),))
    mind.undo()
    mind.close()
    (found,) = searched(path, f" {text.swapcase()} ").found
    assert found.file == path and found.count and "Operation.before" in dict(found.inside)


@pytest.mark.parametrize(
    "form", ["榴莲".encode(), "榴莲".encode("utf-16-le"), b'{"a": "\\u69b4\\u83B2"}', b"...." + "榴莲".encode("utf-16-be")]
)
def test_every_encoding_is_looked_for_beside_the_mind(tmp_path: Path, form: bytes) -> None:
    path = tmp_path / "a.mind"
    (tmp_path / "a.mind.before-002").write_bytes(form)
    (tmp_path / "b.mind").write_bytes(form)
    search = searched(path, "榴莲")
    assert [found.file.name for found in search.found] == ["a.mind.before-002"] and search.files >= 1
    assert search.trouble == "the mind itself is not there"


def test_what_is_packed_in_the_journal_is_found(minds: Minds) -> None:
    mind = minds()
    path = mind.store.path
    note = fact("big", "big", description=f"zanzibarian {'filling ' * 140_000}")
    write(mind, notes=(note,))
    write(mind, updates=(NoteUpdate(note=note.id, values={"description": "small"}),))
    mind.store.rewrite()  # type: ignore[attr-defined]
    mind.close()
    assert left_of(path, "zanzibarian") == []
    assert [dict(found.inside) for found in searched(path, "zanzibarian").found] == [{"Operation.before": 2}], (
        "what it was, and its words"
    )


@pytest.mark.parametrize("text", ["", "  ", "…!"])
def test_nothing_is_not_looked_for(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError):
        searched(tmp_path / "a.mind", text)
    with pytest.raises(NotFoundError):
        searched(tmp_path / "nowhere" / "a.mind", "ox")


def test_a_mind_that_another_holds_is_looked_at_all_the_same(mind: Soul) -> None:
    write(mind, notes=(fact("a", "zanzibarian"),))
    search = searched(mind.store.path, "zanzibarian")
    assert search.found and "another process" in search.trouble
