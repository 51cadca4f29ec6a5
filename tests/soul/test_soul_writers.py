"""Several who write to one mind: in one process they take turns, from another process they are refused in words."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from soul_minds import AT, TALK, TEA, chat, concept, graph, opened, said, sem, took, whole

from soulmem.errors import MindLockedError, NotFoundError, ReadOnlyError, StoreError
from soulmem.soul import Soul

_HOLDING = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from soul_minds import opened
with opened(Path(sys.argv[2]), read_only=sys.argv[3] == "read") as soul:
    print(soul.stats()["messages"], flush=True)
    sys.stdin.read()
"""


@contextmanager
def held(path: Path, how: str) -> Iterator[str]:
    """Another process has the mind open; gives what it printed."""
    command = [sys.executable, "-c", _HOLDING, str(Path(__file__).parent), str(path), how]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline()
        process.communicate()
    assert process.returncode == 0


def together(*jobs: Callable[[], object]) -> None:
    """Run all jobs at once; the first error is raised."""
    with ThreadPoolExecutor(len(jobs)) as pool:
        for done in [pool.submit(job) for job in jobs]:
            done.result()


def test_two_souls_on_one_mind_see_each_other(mind: Soul) -> None:
    with opened(mind.store.path) as other:
        took(mind, graph(*TEA), "tea")
        assert whole(other) == whole(mind)
        assert other.recall("green tea").memories[0].key == "sem_tea"
        other.commit(other.recall("green tea"))
        assert mind.note("sem_tea").retrieval_count == 1
        took(other, graph(concept("sem_cake", "a lemon cake", [("sem_tea", sem("with"))])), "cake")
        assert {memory.key for memory in mind.recall("lemon cake").memories} >= {"sem_cake", "sem_tea"}
    assert mind.recall("green tea").memories, "closing one does not close the other"


def test_threads_that_write_different_files_lose_nothing(mind: Soul) -> None:
    def writer(soul: Soul, number: int) -> Callable[[], object]:
        lines = [said("Ann", f"Letter {number}.{line} came by the morning boat.") for line in range(4)]
        nodes = [concept(f"sem_{number}_{n}", f"thing {number} {n}", [("sem_shared", sem())]) for n in range(4)]

        def job() -> None:
            took(soul, graph(*nodes), f"graph {number}")
            took(soul, chat(*lines), f"chat {number}")

        return job

    with opened(mind.store.path) as other:
        together(*(writer(soul, number) for number, soul in enumerate([mind, other] * 3)))
        took(mind, graph(concept("sem_shared", "what all share")), "shared")
        assert whole(other) == whole(mind)
    stats = mind.stats()
    assert (stats["messages"], stats["chats"], stats["pending_links"]) == (24, 6, 0)
    assert [operation.number for operation in mind.log(100)] == list(range(13, 0, -1))
    assert len(mind.show("sem_shared").links_in) == 24
    assert mind.check() == ()


def test_threads_that_write_the_same_file_write_it_once(mind: Soul) -> None:
    with opened(mind.store.path) as other:
        together(*(lambda soul=soul: took(soul, chat(*TALK), "talk") for soul in (mind, other, mind, other)))
        together(*(lambda soul=soul: took(soul, graph(*TEA), "tea") for soul in (mind, other, mind, other)))
    assert mind.stats()["messages"] == len(TALK)
    assert len(mind.log()) == 2
    assert mind.check() == ()


def test_uses_at_once_are_all_counted(tea: Soul) -> None:
    with opened(tea.store.path) as other:
        found = tea.recall("green tea")
        together(*(lambda soul=soul: [soul.commit(found) for _ in range(3)] for soul in (tea, other, tea, other)))
    assert tea.note("sem_tea").retrieval_count == 12
    assert tea.stats()["recalls"] == 12


def test_reading_goes_on_while_others_write(tea: Soul) -> None:
    def write() -> None:
        for number in range(5):
            took(tea, chat(*(said("Ann", f"{number} {line} on the quay") for line in range(16))), f"chat {number}")

    def read() -> None:
        for _ in range(8):
            assert tea.recall("green tea", messages=2).memories[0].key == "sem_tea"
            assert tea.stats()["messages"] % 16 == 0

    together(write, read, read)
    assert tea.stats()["messages"] == 80


def test_another_process_that_writes_locks_the_mind(mind: Soul) -> None:
    took(mind, chat(*TALK), "talk")
    path = mind.store.path
    mind.close()
    with held(path, "write") as said_there:
        assert said_there.strip() == str(len(TALK))
        for read_only in (False, True):
            with pytest.raises(MindLockedError, match="another process holds the mind") as caught:
                opened(path, read_only=read_only)
            assert str(path) in str(caught.value) and "Close the other program" in str(caught.value)
    with opened(path) as soul:
        assert soul.stats()["messages"] == len(TALK)


def test_several_processes_may_read(tea: Soul) -> None:
    path = tea.store.path
    tea.close()
    with held(path, "read"):
        with opened(path, read_only=True) as soul:
            assert soul.recall("green tea").memories
        with pytest.raises(MindLockedError):
            opened(path)


def test_a_mind_opened_for_reading_refuses_every_write_and_stays_as_it_is(tea: Soul) -> None:
    path = tea.store.path
    tea.close()
    with opened(path, read_only=True) as soul:
        before, found = whole(soul), soul.recall("green tea")
        writes: list[Callable[[], object]] = [
            lambda: soul.ingest_bytes(chat(*TALK)),
            lambda: soul.commit(found),
            lambda: soul.reembed(),
            lambda: soul.cypher("CREATE (:Term {key: 'x', text: 'x'})", write=True),
        ]
        for write in writes:
            with pytest.raises(ReadOnlyError, match="reading only"):
                write()
        assert took(soul, chat(*TALK), dry_run=True).new == len(TALK)
        assert took(soul, graph(*TEA), dry_run=True).new == 0
        assert whole(soul) == before


def test_a_closed_mind_says_so(tea: Soul) -> None:
    tea.close()
    tea.close()
    for use in (lambda: tea.recall("tea"), lambda: took(tea, chat(*TALK)), tea.stats, tea.export_graph):
        with pytest.raises(StoreError, match="closed"):
            use()


def test_creating_over_something_and_opening_nothing_are_refused(mind: Soul, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r".+"):
        Soul.create(mind.store.path, embedder="hashing")
    with pytest.raises(NotFoundError):
        Soul.open(tmp_path / "none.mind")
    assert not (tmp_path / "none.mind").exists()
    assert mind.recall("x", at=AT).memories == ()
