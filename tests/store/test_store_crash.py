"""Killed, or gone with everything open: a mind is whole, and holds what was acknowledged."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from store_minds import NOW, SETTINGS, change, contents, operations

from soulmem.store import check, open_store

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
    """Five times, at random moments of writing (single rows, bulk loads, checkpoints)."""
    moments = random.Random(20250301)
    acknowledged = 0
    for _ in range(5):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(mind), str(HERE)], stdout=subprocess.PIPE, text=True)
        assert writer.stdout.readline() == "ready\n"
        time.sleep(moments.uniform(0.05, 2.0))
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
