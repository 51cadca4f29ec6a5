"""Killed, or gone with everything open: a mind is whole, and holds what was acknowledged."""

from __future__ import annotations

import json
import random
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from store_minds import NOW, RECORD, SETTINGS, change, contents, operations

from soulmem.errors import MindLockedError, StoreError
from soulmem.store import check, create_store, open_store, recovery
from soulmem.store.recovery import log_of, mark_of, shadow_of

HERE = Path(__file__).parent

WRITER = """
import sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from store_minds import NOW, SETTINGS, change
from soulmem.store import open_store
store = open_store(Path(sys.argv[1]), settings=SETTINGS, now=NOW)
start = len(store.query("store.all_keys"))
print("ready", flush=True)
for turn in range(10000):
    count = 18 if turn % 4 == 3 else 1
    print(store.apply(change(count, start)).number, flush=True)
    start += count
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_killed_at_any_moment_a_mind_is_whole(mind):
    """Three times, at random moments of writing (single rows, bulk loads, checkpoints)."""
    moments = random.Random(20250301)
    acknowledged = 0
    for earliest in (0.05, 0.3, 0.7):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(mind), str(HERE)], stdout=subprocess.PIPE, text=True)
        assert writer.stdout.readline() == "ready\n"
        time.sleep(earliest + moments.uniform(0.0, 0.4))
        writer.send_signal(signal.SIGKILL)
        said = writer.stdout.read().split()
        writer.wait()
        writer.stdout.close()
        acknowledged = int(said[-1]) if said else acknowledged
        with open_store(mind, settings=SETTINGS, now=NOW) as store:
            numbers = operations(store)
            assert numbers == list(range(1, len(numbers) + 1)) and len(numbers) in (acknowledged, acknowledged + 1)
            assert check(store) == []
            acknowledged = len(numbers)
    with open_store(mind, settings=SETTINGS, now=NOW) as store:
        notes = len(store.query("store.all_keys"))
        store.apply(change(1, notes))
        assert len(store.notes([row["id"] for row in store.query("store.all_keys")])) == notes + 1 > 1


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_mind_left_by_a_kill_can_be_read_without_being_written(mind):
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(mind), str(HERE)], stdout=subprocess.PIPE, text=True)
    said = [writer.stdout.readline() for _ in range(3)]
    writer.send_signal(signal.SIGKILL)
    writer.communicate()
    with open_store(mind, read_only=True, settings=SETTINGS, now=NOW) as store:
        assert operations(store)[-1] >= int(said[-1])
        assert check(store) == []


BULK_WRITER = """
import sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from store_minds import NOW, SETTINGS, change
from soulmem.store import open_store
store = open_store(Path(sys.argv[1]), settings=SETTINGS, now=NOW)
store.apply(change(1, 100))
store.apply(change(300, 200))
print("acknowledged", flush=True)
sys.stdin.read()
"""


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return -1


#: What is seen of the commit of a bulk load before the kill: its log, its checkpoint, the end of its checkpoint.
STAGES = {
    "before the log": lambda mind: _size(mark_of(mind)) >= 0,
    "log": lambda mind: _size(mark_of(mind)) > 0 and _size(log_of(mind)) > json.loads(mark_of(mind).read_text())["log_bytes"],
    "checkpoint": lambda mind: _size(mark_of(mind)) > 0 and _size(shadow_of(mind)) >= 0,
    "checkpoint written": lambda mind: _size(shadow_of(mind)) > 0,
    "marked, no log": lambda mind: _size(shadow_of(mind)) > 0 and _size(log_of(mind)) <= 0,
}


def killed_at(mind: Path, reached, seconds: float) -> str:
    """Kill a bulk load ``seconds`` after the stage is reached; gives what it had acknowledged."""
    command = [sys.executable, "-c", BULK_WRITER, str(mind), str(HERE)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer:
        seen = select.select([writer.stdout], [], [], 0)[0]
        while not seen and not reached(mind):
            seen = select.select([writer.stdout], [], [], 0.0005)[0]
        time.sleep(seconds)
        writer.send_signal(signal.SIGKILL)
        return writer.stdout.read()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize(
    ("stage", "read_only", "seconds"),
    [
        ("before the log", True, 0.0),
        ("log", False, 0.0),
        ("checkpoint", True, 0.02),
        ("checkpoint written", True, 0.0),
        ("checkpoint written", False, 0.02),
        ("marked, no log", True, 0.0),
    ],
)
def test_killed_while_a_bulk_load_is_committed_it_is_there_as_a_whole_or_not_at_all(mind, stage, read_only, seconds):
    """The engine's log alone would bring back half of it."""
    path, reached = mind, STAGES[stage]
    acknowledged = killed_at(path, reached, seconds)
    assert not acknowledged or seconds or stage == "marked, no log", "the stage was not seen"
    with open_store(path, read_only=read_only, settings=SETTINGS, now=NOW) as store:
        numbers, notes = operations(store), len(store.query("store.all_keys"))
        assert (numbers, notes) in ([([1, 2], 301)] if acknowledged else [([1], 1), ([1, 2], 301)])
        assert check(store) == []
    with open_store(path, settings=SETTINGS, now=NOW) as store:
        store.apply(change(20, 600))
        assert (operations(store), check(store)) == ([*numbers, len(numbers) + 1], [])
        assert len(store.query("store.all_keys")) == notes + 20
    assert sorted(file.name for file in path.parent.glob(f"{path.name}*")) == [path.name]


def test_two_that_open_a_marked_mind_do_not_meet(mind):
    """While one looks what a cut-off commit left, no other may."""
    mark_of(mind).write_text('{"operation": 1, "log_bytes": 0}')
    holder = "import fcntl, sys; f = open(sys.argv[1], 'r+b'); fcntl.lockf(f, fcntl.LOCK_EX); print('held', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", holder, str(mind)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == "held\n"
        with pytest.raises(MindLockedError):
            open_store(mind, settings=SETTINGS, now=NOW)
        assert mark_of(mind).exists()
        other.communicate("")
    with open_store(mind, settings=SETTINGS, now=NOW) as store:
        assert operations(store) == [] and not mark_of(mind).exists()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "[" * 5000,
        '{"operation": null, "log_bytes": 0}',
        '{"operation": 1, "log_bytes": -5}',
        '{"operation": 100000000000000000000, "log_bytes": 0}',
        '{"operation": 99, "log_bytes": 0}',
        '{"operation": 1, "log_bytes": 0}',
    ],
)
def test_a_mark_that_was_not_finished_marks_nothing(mind, text):
    with open_store(mind, settings=SETTINGS, now=NOW) as store:
        store.apply(change(3))
    mark_of(mind).write_text(text)
    with open_store(mind, settings=SETTINGS, now=NOW) as store:
        assert operations(store) == [1] and check(store) == [] and not mark_of(mind).exists()


OPENER = """
import sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from store_minds import NOW, SETTINGS, change
from soulmem.store import open_store
try:
    with open_store(Path(sys.argv[1]), settings=SETTINGS, now=NOW) as store:
        print("opened")
except Exception as error:
    print(type(error).__name__)
"""


def opened_elsewhere(mind: Path) -> str:
    command = [sys.executable, "-c", OPENER, str(mind), str(HERE)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_a_mind_that_is_open_stays_locked_whatever_else_this_process_does_with_it(mind):
    """The system drops a process's locks on a file as soon as any descriptor of it is closed."""
    with open_store(mind, settings=SETTINGS, now=NOW) as store:
        with open_store(mind, settings=SETTINGS, now=NOW) as again:
            again.apply(change(1))
        assert opened_elsewhere(mind) == "MindLockedError"
        store._engine.copy_to(mind.with_name("copy.mind"))
        assert opened_elsewhere(mind) == "MindLockedError"
        store.rewrite()
        assert opened_elsewhere(mind) == "MindLockedError"
    assert opened_elsewhere(mind) == "opened"
    assert opened_elsewhere(mind.with_name("copy.mind")) == "opened"


def test_while_one_looks_at_a_marked_mind_it_stays_held(mind):
    """Copying it does not let go of it."""
    seen = []
    with recovery.held(mind) as file, recovery.copied(mind, file) as copy:
        assert copy.read_bytes()[:4] == b"KUZU"
        seen.append(opened_elsewhere(mind))
    assert seen == ["MindLockedError"] and opened_elsewhere(mind) == "opened"


def test_two_creations_at_once_leave_one_whole_mind(tmp_path):
    path = tmp_path / "new.mind"
    text = OPENER.replace("open_store(", "create_store(").replace("import open_store", "import create_store")
    text = text.replace("settings=SETTINGS", "None, settings=SETTINGS")
    command = [sys.executable, "-c", text, str(path), str(HERE)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = [one.communicate()[0].strip() for one in both]
    assert set(said) <= {"opened", "MindLockedError", "StoreError"}, said
    assert path.exists() == ("opened" in said)
    if "opened" in said:
        with open_store(path, settings=SETTINGS, now=NOW) as store:
            assert check(store) == []


@pytest.mark.parametrize("left", [".wal", ".shadow", ".bulk"])
def test_what_a_deleted_mind_left_does_not_come_back_in_a_new_one(tmp_path, left):
    path = tmp_path / "new.mind"
    Path(f"{path}{left}").write_bytes(b"somebody's memories")
    with pytest.raises(StoreError) as caught:
        create_store(path, RECORD, settings=SETTINGS, now=NOW)
    assert f"new.mind{left}" in caught.value.what and not path.exists()


def test_creation_that_was_cut_off_is_begun_anew(tmp_path):
    """Nothing stands under the name of a mind before it is whole."""
    path = tmp_path / "new.mind"
    for left in ("new.mind.new", "new.mind.new.wal", "new.mind.new.shadow"):
        (tmp_path / left).write_bytes(b"half of something")
    with create_store(path, RECORD, settings=SETTINGS, now=NOW) as store:
        store.apply(change(3))
        assert check(store) == []
    assert [file.name for file in tmp_path.iterdir()] == ["new.mind"]


ENDINGS = {
    "open": "",
    "a thread": "threading.Thread(target=store.query, args=('store.all_keys',)).start()",
    "two openings": "other = open_store(path, settings=SETTINGS, now=NOW); other.query('store.all_keys')",
    "closed": "store.close()",
    "sys.exit": "sys.exit(0)",
    "after bulk": "store.apply(change(18, 1))",
    "in a cycle": "loop = [store]; loop.append(loop); del store",
}

LEAVING = """
import sys, threading
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from store_minds import NOW, SETTINGS, change
from soulmem.store import open_store
path = Path(sys.argv[1])
store = open_store(path, settings=SETTINGS, now=NOW)
store.apply(change(1))
{ending}
"""


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)
def test_leaving_with_everything_open_does_not_crash(mind, ending):
    done = subprocess.run(
        [sys.executable, "-c", LEAVING.format(ending=ending), str(mind), str(HERE)], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    with open_store(mind, settings=SETTINGS, now=NOW) as store:
        assert operations(store)[0] == 1 and check(store) == []


def test_a_mind_is_its_file_and_its_log(mind, tmp_path):
    """Both copied together while it is open are a whole mind."""
    with open_store(mind, settings=SETTINGS, now=NOW) as store:
        store.apply(change(3))
        before = contents(store)
        copy = tmp_path / "copy.mind"
        for file in mind.parent.glob("mine.mind*"):
            shutil.copy(file, tmp_path / file.name.replace("mine", "copy"))
    with open_store(copy, settings=SETTINGS, now=NOW) as store:
        assert contents(store) == before
