"""Many threads: nothing lost, in order, readers meanwhile; and what happens when a write is interrupted."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from store_minds import NOW, change, contents, empty_change, note, operations

from soulmem.model.changes import Change
from soulmem.store import check
from soulmem.store._kuzu import Gate, Queue


def test_two_hundred_writes_of_eight_threads(store):
    """None is lost, numbers have no gaps, and each thread's writes are in its order."""

    def write(thread: int) -> list[int]:
        numbers = []
        for turn in range(25):
            number = thread * 25 + turn
            one = Change(
                command=f"thread {thread}", what=str(turn), at=NOW, notes=(note(number),), terms={f"note-{number:05d}": {"a": 1}}
            )
            numbers.append(store.apply(one).number)
        return numbers

    with ThreadPoolExecutor(8) as threads:
        numbers = list(threads.map(write, range(8)))
    assert sorted(n for some in numbers for n in some) == operations(store) == list(range(1, 201))
    assert all(some == sorted(some) for some in numbers)
    journal = store.query("store.operations", limit=200)
    for thread in range(8):
        whats = [row["what"] for row in reversed(journal) if row["command"] == f"thread {thread}"]
        assert whats == [str(turn) for turn in range(25)]
    assert len(store.query("store.all_keys")) == 200
    assert not [finding for finding in check(store) if "vector" not in finding and "of this kind" not in finding]


def test_readers_see_whole_changes_only(store):
    """Each change writes two notes; bulk changes, which reopen the engine, among them."""
    done = threading.Event()
    seen: list[int] = []

    def read() -> None:
        while not done.is_set():
            seen.append(len(store.query("store.note_keys")))
            store.columns("store.all_keys")
            store.cypher("MATCH (n:Semantic) RETURN n.key", {}, limit=5)

    with ThreadPoolExecutor(4) as threads:
        readers = [threads.submit(read) for _ in range(3)]
        try:
            for turn in range(12):
                store.apply(empty_change(notes=(note(2 * turn), note(2 * turn + 1))))
            store.apply(change(20, 100))
            store.rewrite()
        finally:
            done.set()
        for reader in readers:
            reader.result()
    assert seen and all(count % 2 == 0 for count in seen)
    assert len(store.query("store.note_keys")) == 44


class Interrupting(dict):
    """A count of words that is interrupted when it is looked at for writing: planning only asks for its keys and values."""

    def __init__(self, error: BaseException) -> None:
        super().__init__({"a": 1})
        self.error = error
        self.looked = 0

    def values(self):
        self.looked += 1
        return super().values() if self.looked == 1 else self._stop()

    def items(self):
        return self._stop()

    def _stop(self):
        raise self.error


@pytest.mark.parametrize("count", [2, 20])
@pytest.mark.parametrize("error", [KeyboardInterrupt(), MemoryError()], ids=["Ctrl-C", "no memory"])
def test_an_interrupted_write_leaves_nothing_and_writing_goes_on(store, count, error):
    """It comes when notes are written already and their words are about to be, row by row or in bulk."""
    store.apply(change(4))
    before = contents(store)
    broken = change(count, 4)
    terms = {**broken.terms, broken.notes[0].id: Interrupting(error)}
    with pytest.raises(type(error)):
        store.apply(replace(broken, terms=terms))
    assert contents(store) == before and operations(store) == [1]
    store.apply(change(count, 4))
    assert check(store) == [] and operations(store) == [1, 2]


# -- the locks themselves


def test_the_queue_is_first_come_first_served():
    queue, order = Queue(), []

    def wait(number: int) -> None:
        with queue:
            order.append(number)

    threads = [threading.Thread(target=wait, args=(number,)) for number in range(20)]
    with queue:
        for number, thread in enumerate(threads):
            thread.start()
            while len(queue._waiting) <= number:
                time.sleep(0.0005)
    for thread in threads:
        thread.join()
    assert order == list(range(20))


def test_the_queue_goes_on_after_an_error():
    queue = Queue()
    with pytest.raises(ValueError, match="x"), queue:
        raise ValueError("x")
    with queue:
        pass


def test_the_gate_lets_many_in_or_one_alone():
    gate, inside, worst, alone_with = Gate(), [0], [0], []
    guard = threading.Lock()

    def share() -> None:
        for _ in range(50):
            with gate.shared():
                with guard:
                    inside[0] += 1
                    worst[0] = max(worst[0], inside[0])
                time.sleep(0)
                with guard:
                    inside[0] -= 1

    def be_alone() -> None:
        for _ in range(20):
            with gate.alone():
                alone_with.append(inside[0])

    with ThreadPoolExecutor(6) as threads:
        jobs = [threads.submit(share) for _ in range(4)] + [threads.submit(be_alone) for _ in range(2)]
        for job in jobs:
            job.result()
    assert alone_with == [0] * 40
