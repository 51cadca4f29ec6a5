"""Opening and making minds: what is no mind, what is older or newer, who may hold it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from store_minds import NOW, RECORD, SETTINGS, change, contents, empty_change, files_of, operations

from soulmem._data_files import data_folder
from soulmem.errors import (
    MindDamagedError,
    MindLockedError,
    MindVersionError,
    NotFoundError,
    SoulmemError,
    StoreError,
)
from soulmem.store import check, create_store, open_store
from soulmem.store._kuzu import translated


def test_a_new_mind_is_empty_and_knows_its_embedder(store):
    assert store.embedder() == RECORD
    assert operations(store) == [] and check(store) == [] and store.notes(["x"]) == []
    assert [row["name"] for row in store.query("store.steps")] == ["schema/001_mind", "schema/002_own_vectors"]


def test_a_mind_needs_no_embedder(tmp_path):
    with create_store(tmp_path / "words.mind", None, settings=SETTINGS, now=NOW) as store:
        store.apply(change(2, vectors={}))
        assert store.embedder() is None and check(store) == []
    with open_store(tmp_path / "words.mind", now=NOW) as store:
        assert store.embedder() is None and len(store.query("store.all_keys")) == 2


def test_what_is_written_is_there_after_opening_again(mind):
    with open_store(mind, settings=SETTINGS, now=NOW) as store:
        store.apply(change(3))
        store.apply(change(20, 3))
        before = contents(store)
    assert files_of(mind) == [mind.name]
    with open_store(mind, read_only=True, settings=SETTINGS, now=NOW) as store:
        assert contents(store) == before


def test_nothing_is_made_over_something(mind, tmp_path):
    before = mind.read_bytes()
    with pytest.raises(StoreError):
        create_store(mind, RECORD, now=NOW)
    assert mind.read_bytes() == before
    with pytest.raises(StoreError):
        create_store(tmp_path, RECORD, now=NOW)


def test_a_mind_that_cannot_be_made_leaves_nothing(tmp_path):
    schema = tmp_path / "schema"
    schema.mkdir()
    (schema / "001_mind.cypher").write_text("CREATE NODE TABLE A(id STRING PRIMARY KEY); CREATE NODE NONSENSE;")
    with pytest.raises(StoreError):
        create_store(tmp_path / "new" / "x.mind", RECORD, now=NOW, schema=schema)
    assert list((tmp_path / "new").iterdir()) == []


# -- what is no mind


def test_a_missing_file_is_not_found(tmp_path):
    with pytest.raises(NotFoundError):
        open_store(tmp_path / "none.mind", now=NOW)
    assert list(tmp_path.iterdir()) == []


NO_MINDS = {
    "empty": (b"", MindDamagedError),
    "text": ("小红的日记".encode(), MindVersionError),
    "one byte": (b"K", MindVersionError),
    "sqlite": (b"SQLite format 3\0" + bytes(4096), MindVersionError),
    "zeros": (bytes(8192), MindVersionError),
    "only the first bytes": (b"KUZU", SoulmemError),
    "the first bytes, then nonsense": (b"KUZU" + b"\xff" * 9000, SoulmemError),
}


@pytest.mark.parametrize(("data", "error"), NO_MINDS.values(), ids=NO_MINDS)
@pytest.mark.parametrize("read_only", [False, True])
def test_what_is_no_mind_is_refused_and_left_alone(tmp_path, data, error, read_only):
    path = tmp_path / "x.mind"
    path.write_bytes(data)
    with pytest.raises(error) as caught:
        open_store(path, read_only=read_only, now=NOW)
    assert caught.value.advice and str(path) in str(caught.value)
    assert path.read_bytes() == data and files_of(path) == ["x.mind"]


@pytest.mark.parametrize(
    ("message", "words"),
    {
        "IO exception: Cannot open file /x/a.mind: Read-only file system": "read-only file system",
        "IO exception: Cannot open file /x/a.mind: Permission denied": "permission denied",
        "Buffer manager exception: Mmap for size 4294967296 failed.": "address space",
    }.items(),
)
def test_a_mind_the_system_does_not_open_is_not_called_damaged(tmp_path, message, words):
    with pytest.raises(StoreError) as caught, translated(tmp_path, opening=True):
        raise RuntimeError(message)
    assert not isinstance(caught.value, MindDamagedError) and words in caught.value.what


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limit is not kept elsewhere")
def test_without_address_space_it_says_what_to_do(mind):
    text = "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31)); " + OPENING
    done = subprocess.run([sys.executable, "-c", text, str(mind)], capture_output=True, text=True)
    assert "max_db_bytes" in done.stdout and "StoreError" in done.stdout, done


OPENING = """
from datetime import UTC, datetime
from pathlib import Path
from soulmem.store import open_store
try:
    open_store(Path(sys.argv[1]), now=datetime.now(UTC))
except Exception as error:
    print(type(error).__name__, error)
"""


def test_a_folder_is_no_mind(tmp_path):
    with pytest.raises(MindVersionError):
        open_store(tmp_path, now=NOW)


def test_another_database_is_no_mind(tmp_path):
    schema = tmp_path / "schema"
    schema.mkdir()
    other = "CREATE NODE TABLE Other(name STRING PRIMARY KEY);"
    meta = "CREATE NODE TABLE Meta(name STRING PRIMARY KEY, value STRING);"
    (schema / "001_other.cypher").write_text(other + meta)
    (schema / "vectors.cypher").write_text("")
    create_store(tmp_path / "x.mind", RECORD, now=NOW, schema=schema).close()
    with pytest.raises(MindVersionError):
        open_store(tmp_path / "x.mind", now=NOW)


def test_half_a_mind_is_refused(mind):
    data = mind.read_bytes()
    mind.write_bytes(data[: len(data) // 2])
    with pytest.raises(SoulmemError):
        open_store(mind, now=NOW)


# -- older and newer minds


@pytest.fixture
def newer_schema(tmp_path) -> Path:
    folder = tmp_path / "schema"
    shutil.copytree(str(data_folder("schema")), folder)
    (folder / "003_mood.cypher").write_text(
        "// Moods.\nCREATE NODE TABLE Mood(id STRING PRIMARY KEY);\nALTER TABLE Chat ADD mood STRING;\n"
    )
    return folder


def test_an_older_mind_is_copied_and_brought_up(mind, newer_schema):
    with open_store(mind, settings=SETTINGS, now=NOW) as store:
        store.apply(change(5))
        before = contents(store)
    with open_store(mind, settings=SETTINGS, now=NOW, schema=newer_schema) as store:
        steps = [row["name"] for row in store.query("store.steps")]
        assert steps == ["schema/001_mind", "schema/002_own_vectors", "schema/003_mood"]
        store.cypher("CREATE (:Mood {id: 'calm'})", {}, limit=None, write=True, at=NOW)
        store.apply(change(5, 5))
        assert check(store) == []
    copy = mind.with_name("mine.mind.before-003")
    assert copy.name in files_of(mind)
    with open_store(copy, settings=SETTINGS, now=NOW) as old:
        assert contents(old) == before
    with open_store(mind, settings=SETTINGS, now=NOW, schema=newer_schema) as store:
        assert store.cypher("MATCH (m:Mood) RETURN m.id", {}, limit=None).rows == (("calm",),)
    assert [name for name in files_of(mind) if "before" in name] == [copy.name]


def test_a_step_that_fails_leaves_the_old_mind(mind, newer_schema):
    with open_store(mind, settings=SETTINGS, now=NOW) as store:
        store.apply(change(5))
        before = contents(store)
    (newer_schema / "004_wrong.cypher").write_text("ALTER TABLE Nothing ADD x STRING;")
    with pytest.raises(MindVersionError) as caught:
        open_store(mind, settings=SETTINGS, now=NOW, schema=newer_schema)
    assert "as it was" in str(caught.value)
    assert [name for name in files_of(mind) if name.startswith("mine")] == [mind.name]
    with open_store(mind, settings=SETTINGS, now=NOW) as store:
        assert contents(store) == before
        store.apply(change(1, 5))


def test_an_older_mind_is_not_brought_up_for_reading_only(mind, newer_schema):
    data = mind.read_bytes()
    with pytest.raises(MindVersionError) as caught:
        open_store(mind, read_only=True, now=NOW, schema=newer_schema)
    assert "for writing" in str(caught.value)
    assert mind.read_bytes() == data


def test_a_newer_mind_is_refused(tmp_path, newer_schema):
    path = tmp_path / "newer.mind"
    create_store(path, RECORD, settings=SETTINGS, now=NOW, schema=newer_schema).close()
    with pytest.raises(MindVersionError) as caught:
        open_store(path, now=NOW)
    assert "003_mood" in str(caught.value) and "pip install" in str(caught.value)


def test_a_step_with_another_text_is_refused(mind, newer_schema):
    step = newer_schema / "001_mind.cypher"
    step.write_text(step.read_text() + "// one more line\n")
    with pytest.raises(MindVersionError):
        open_store(mind, now=NOW, schema=newer_schema)


def test_line_ends_of_windows_make_no_other_text(mind, tmp_path):
    folder = tmp_path / "schema"
    shutil.copytree(str(data_folder("schema")), folder)
    step = folder / "001_mind.cypher"
    step.write_bytes(step.read_bytes().replace(b"\n", b"\r\n"))
    with open_store(mind, now=NOW, schema=folder) as store:
        assert check(store) == []


# -- who holds it


def test_one_process_may_open_a_mind_twice(mind):
    with open_store(mind, settings=SETTINGS, now=NOW) as one, open_store(mind.parent / "." / mind.name, now=NOW) as two:
        one.apply(change(2))
        assert len(two.query("store.all_keys")) == 2
        one.close()
        two.apply(change(2, 2))
        with pytest.raises(StoreError):
            one.query("store.all_keys")
    with open_store(mind, read_only=True, now=NOW) as reader:
        assert operations(reader) == [1, 2]
        with pytest.raises(MindLockedError):
            open_store(mind, now=NOW)
    open_store(mind, now=NOW).close()


def test_closing_twice_does_nothing_and_closed_is_closed(mind):
    store = open_store(mind, now=NOW)
    store.close()
    store.close()
    for use in (
        lambda: store.query("store.all_keys"),
        lambda: store.apply(empty_change()),
        lambda: store.notes(["a"]),
        store.embedder,
    ):
        with pytest.raises(StoreError):
            use()


HOLDER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from soulmem.store import open_store
store = open_store(Path(sys.argv[1]), read_only=sys.argv[2] == "read", now=datetime(2025, 1, 1, tzinfo=UTC))
print("open", flush=True)
sys.stdin.readline()
"""


def _held(mind: Path, how: str) -> subprocess.Popen:
    holder = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(HOLDER), str(mind), how], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout.readline() == "open\n"
    return holder


@pytest.mark.parametrize("read_only", [False, True])
def test_a_mind_that_another_process_writes_is_locked(mind, read_only):
    with _held(mind, "write") as holder:
        with pytest.raises(MindLockedError) as caught:
            open_store(mind, read_only=read_only, now=NOW)
        assert "Close the other" in str(caught.value)
        holder.communicate("\n")
        assert holder.returncode == 0
    open_store(mind, now=NOW).close()


def test_several_processes_may_read(mind):
    with _held(mind, "read") as holder:
        with open_store(mind, read_only=True, now=NOW) as store:
            assert store.query("store.all_keys") == []
        with pytest.raises(MindLockedError):
            open_store(mind, now=NOW)
        holder.communicate("\n")
        assert holder.returncode == 0


def test_importing_the_store_imports_no_engine():
    code = "import sys, soulmem.store; print([m for m in ('kuzu', 'polars', 'pyarrow') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    ("said", "ended"),
    [
        ("KeyboardInterrupt: <EMPTY MESSAGE>\n\nAt:\n  frames.py(12): <module>", KeyboardInterrupt),
        ("KeyboardInterrupt: ", KeyboardInterrupt),
        ("SystemExit: 143\n\nAt:\n  frames.py(12): <module>", SystemExit),
        ("Runtime exception: KeyboardInterrupt", StoreError),
    ],
)
def test_what_ended_python_code_inside_the_engine_is_no_error_of_it(tmp_path, said, ended):
    with pytest.raises(ended) as caught, translated(tmp_path):
        raise RuntimeError(said)
    assert ended is not SystemExit or caught.value.code == 143
