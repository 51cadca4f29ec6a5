"""Backups: whole while the mind is written to, verified, and never over anything."""

from __future__ import annotations

import hashlib
import json
import shutil
import threading
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from soul_dump import dump
from soul_minds import AT, Minds, opened

from soulmem._data_files import data_folder
from soulmem.backup import back_up, backup_path, backups_of, read_backup, restore
from soulmem.errors import FormatError, InputError, MindLockedError, NotFoundError, SoulmemError, StoreError
from soulmem.soul import Soul
from soulmem.store import EmbedderRecord, create_store
from soulmem.store.copying import copy_quiet
from soulmem.store.recovery import mark_of
from soulmem.working.observer import Line


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SOULMEM_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory, wren_file: Path) -> Path:
    """A backup of Wren."""
    target = tmp_path_factory.mktemp("packed") / "wren.zip"
    back_up(wren_file, target, AT)
    return target


def say(soul: Soul, number: int) -> None:
    soul.observe(f"line number {number}", speaker="Bo", at=AT + timedelta(seconds=number))


def test_what_is_restored_is_the_mind(packed: Path, wren_file: Path, tmp_path: Path) -> None:
    backup, kept = restore(packed, tmp_path / "again.mind", AT)
    assert kept is None
    with opened(tmp_path / "again.mind") as again, opened(wren_file) as wren:
        assert dump(again.store) == dump(wren.store)
        assert backup.notes == sum(wren.stats()["notes"].values()) > 0
        assert (backup.messages, backup.operations) == (wren.stats()["messages"], wren.stats()["operations"])
    assert (backup.mind, backup.made_at, backup.findings) == ("wren", AT, ())
    assert read_backup(packed) == backup


def test_a_mind_in_use_is_backed_up_as_it_was_at_one_moment(minds: Minds, tmp_path: Path) -> None:
    soul = minds()
    for number in range(5):
        say(soul, number)
    done: list[int] = []
    thread = threading.Thread(target=lambda: done.append(back_up(soul.store.path, tmp_path / "b.zip", AT).messages))
    thread.start()
    said = 5
    while thread.is_alive():
        say(soul, said)
        said += 1
    thread.join()
    restore(tmp_path / "b.zip", tmp_path / "again.mind", AT)
    with opened(tmp_path / "again.mind") as again:
        texts = [row["text"] for row in again.store.query("store.all_messages")]
    assert 5 <= len(texts) == done[0] <= said
    assert sorted(texts) == sorted(f"line number {number}" for number in range(len(texts)))
    with pytest.raises(SoulmemError):  # the mind is still held: reading it gave up no lock
        restore(tmp_path / "b.zip", soul.store.path, AT)


def test_a_mind_that_is_always_written_to_is_not_copied(wren_file: Path, tmp_path: Path) -> None:
    mind = tmp_path / "m.mind"
    mind.write_bytes(wren_file.read_bytes())
    waited: list[float] = []

    def touch(seconds: float) -> None:
        waited.append(seconds)

    mark_of(mind).touch()
    with pytest.raises(StoreError, match="all the time"):
        copy_quiet(mind, tmp_path / "copy.mind", touch)
    assert len(waited) > 10 and not (tmp_path / "copy.mind").exists()
    mark_of(mind).unlink()
    copy_quiet(mind, tmp_path / "copy.mind", touch)
    assert (tmp_path / "copy.mind").read_bytes() == mind.read_bytes()


def test_nothing_is_overwritten(packed: Path, wren_file: Path, tmp_path: Path, home: Path) -> None:
    with pytest.raises(InputError, match="there already"):
        back_up(wren_file, packed, AT)
    other = tmp_path / "other.mind"
    other.write_bytes(wren_file.read_bytes())
    with opened(other) as soul:
        say(soul, 1)
        with pytest.raises(InputError, match="there already"):
            restore(packed, other, AT)
    _, kept = restore(packed, other, AT, replaces=True)
    assert kept is not None and kept.parent == home / "backups"
    assert backups_of(other) == [kept]
    restore(kept, tmp_path / "third.mind", AT)
    with opened(tmp_path / "third.mind") as third, opened(other) as replaced:
        assert third.stats()["messages"] == replaced.stats()["messages"] + 1


def test_a_mind_that_another_process_holds_is_not_replaced(packed: Path, tmp_path: Path, wren_file: Path) -> None:
    import subprocess
    import sys

    mind = tmp_path / "held.mind"
    mind.write_bytes(wren_file.read_bytes())
    holding = "import sys\nfrom soulmem import Soul\nwith Soul.open(sys.argv[1]):\n print('ok', flush=True)\n sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", holding, str(mind)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline()
        with pytest.raises(MindLockedError):
            restore(packed, mind, AT, replaces=True)
        process.communicate()
    assert mind.read_bytes()[:4] == b"KUZU"


def test_a_damaged_mind_is_replaced_and_kept_byte_for_byte(packed: Path, tmp_path: Path, wren_file: Path) -> None:
    damaged = bytearray(wren_file.read_bytes())
    damaged[: len(damaged) // 2] = bytes(len(damaged) // 2)
    mind = tmp_path / "broken.mind"
    mind.write_bytes(damaged)
    with pytest.raises(SoulmemError) as caught:
        back_up(mind, tmp_path / "no.zip", AT)
    assert str(mind) in str(caught.value) and str(caught.value).count("/") <= 2 * str(mind).count("/")
    assert not (tmp_path / "no.zip").exists()
    _, kept = restore(packed, mind, AT, replaces=True)
    assert kept is not None and kept.stem.endswith("-damaged")
    with zipfile.ZipFile(kept) as archive:
        assert archive.read(mind.name) == damaged
    with opened(mind) as soul:
        assert not soul.check()


def test_complaints(tmp_path: Path, packed: Path) -> None:
    with pytest.raises(NotFoundError):
        back_up(tmp_path / "none.mind", tmp_path / "b.zip", AT)
    with pytest.raises(InputError, match="no such file"):
        restore(tmp_path / "none.zip", tmp_path / "n.mind", AT)
    with pytest.raises(InputError):
        restore(tmp_path, tmp_path / "n.mind", AT)
    for name, changed in {
        "newer": {"format": 2},
        "short": {"bytes": 3},
        "hash": {"sha256": "0" * 64},
        "lacks": {"mind": None, "made_at": 3},
        "list": [],
    }.items():
        repacked(packed, tmp_path / f"{name}.zip", changed)
        with pytest.raises(FormatError):
            restore(tmp_path / f"{name}.zip", tmp_path / "n.mind", AT)
    assert [file.name for file in tmp_path.iterdir() if "n.mind" in file.name] == []


def repacked(packed: Path, target: Path, changed: object) -> None:
    with zipfile.ZipFile(packed) as old, zipfile.ZipFile(target, "w") as new:
        manifest = json.loads(old.read("manifest.json"))
        new.writestr("manifest.json", json.dumps(manifest | changed if isinstance(changed, dict) else changed))
        new.writestr("mind", old.read("mind"))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.integers(0, 10**9), byte=st.integers(0, 255), cut=st.booleans())
def test_a_damaged_backup_is_refused_or_whole(packed: Path, tmp_path: Path, place: int, byte: int, cut: bool) -> None:
    data = bytearray(packed.read_bytes())
    place %= len(data)
    if cut:
        del data[place:]
    else:
        data[place] = byte
    file, mind = tmp_path / "d.zip", tmp_path / "d.mind"
    file.write_bytes(data)
    try:
        backup, _ = restore(file, mind, AT)
    except SoulmemError:
        assert not mind.exists()
    else:  # what was changed tells nothing
        assert hashlib.sha256(mind.read_bytes()).hexdigest() == backup.sha256 == read_backup(packed).sha256
        mind.unlink()


def test_a_backup_of_an_older_soulmem_is_restored_and_brought_up(packed: Path, tmp_path: Path) -> None:
    schema, old = tmp_path / "schema", tmp_path / "old.mind"
    shutil.copytree(str(data_folder("schema")), schema)
    for step in sorted(schema.glob("0*.cypher"))[1:]:
        step.unlink()
    create_store(old, EmbedderRecord("hashing", 256, 0.0), now=AT, schema=schema).close()
    data = old.read_bytes()
    with zipfile.ZipFile(packed) as wren, zipfile.ZipFile(tmp_path / "old.zip", "w") as archive:
        manifest = json.loads(wren.read("manifest.json"))
        more = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest(), "notes": 0, "messages": 0}
        archive.writestr("manifest.json", json.dumps(manifest | more))
        archive.writestr("mind", data)
    restore(tmp_path / "old.zip", tmp_path / "again.mind", AT)
    assert sorted(file.name for file in tmp_path.iterdir() if "again" in file.name) == ["again.mind"]
    with Soul.open(tmp_path / "again.mind", read_only=True) as again:
        assert again.check() == () and len(again.store.query("store.steps")) > 1


def test_names_of_backups() -> None:
    assert backup_path(Path("/x/小红.mind"), AT).name == "小红-20261101T120000Z.zip"


def test_what_is_said_while_nothing_is_written_is_in_the_log_and_so_in_the_backup(minds: Minds, tmp_path: Path) -> None:
    soul = minds()
    soul.observe_many([Line(text="the last word", speaker="Bo", at=AT)])
    assert back_up(soul.store.path, tmp_path / "b.zip", AT).messages == 1
