"""Killed or interrupted at any moment, a mind holds whole files only, and every one that was acknowledged."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from soul_minds import Minds, chat, concept, episode, graph, opened, said, sem, took, whole

from soulmem.soul import Soul

#: Files ingested by each process, and lines of each chat. Every third file is a graph of as many notes.
FILES, LINES = 9, 12
#: The third file of each process is a graph: of the first four kills one comes while it is read, and of the next four one.
KILLS, INTERRUPTS, PAUSE = 6, 2, 0.15


def write_files(folder: Path) -> list[Path]:
    """Files for all processes; small graphs and chats, no line twice."""
    files = []
    for number in range(FILES * (KILLS + INTERRUPTS)):
        if number % 3 == 2:
            file = folder / f"{number:04d}.json"
            notes = [concept(f"sem_{number}_{n}", f"barrel {number}", [(f"sit_{number}", sem("in"))]) for n in range(LINES - 1)]
            file.write_bytes(graph(episode(f"sit_{number}", f"cargo {number} was counted"), *notes))
        else:
            file = folder / f"{number:04d}.jsonl"
            file.write_bytes(chat(*(said("Ann", f"File {number}, line {n}: Greta rowed to Halden.") for n in range(LINES))))
        files.append(file)
    return files


def in_mind(soul: Soul, file: Path) -> int:
    """How many lines or notes of the file the mind holds."""
    number = int(file.stem)
    if file.suffix == ".json":
        text = "MATCH (n:Semantic:SpecificSituation) WHERE n.key STARTS WITH $a OR n.key = $b RETURN count(*)"
        return int(soul.cypher(text, {"a": f"sem_{number}_", "b": f"sit_{number}"}).rows[0][0])
    return int(soul.cypher("MATCH (m:Message) WHERE m.file = $file RETURN count(*)", {"file": str(file)}).rows[0][0])


def stopped(path: Path, files: Sequence[Path], number: int, moment: random.Random, how: signal.Signals) -> tuple[list[str], int]:
    """Ingest files in another process and stop it at a random moment: what it acknowledged, and its exit code.

    By ``number`` the moments are spread over the first four files, and over the time that one takes.
    """
    script = Path(__file__).with_name("soul_ingesting.py")
    command = [sys.executable, str(script), str(path), *map(str, files)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        seen = [process.stdout.readline().strip()]
        seen += [process.stdout.readline().strip() for _ in range(number % 4)]
        time.sleep(PAUSE * (number // 4 % 2 + moment.random()) / 2)
        process.send_signal(how)
        seen += process.stdout.read().split()
    return seen, process.returncode


def check_whole(soul: Soul, files: Sequence[Path], acknowledged: Sequence[str]) -> int:
    """Whole files only, all that were acknowledged and at most one more; gives how many."""
    held = {str(file): in_mind(soul, file) for file in files}
    assert set(held.values()) <= {0, LINES}
    there = [file for file, number in held.items() if number]
    assert there[: len(acknowledged)] == list(acknowledged)
    assert len(there) - len(acknowledged) in (0, 1)
    return len(there)


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    folder = tmp_path / "files"
    folder.mkdir()
    return write_files(folder)


def test_killed_at_any_moment(mind: Soul, files: list[Path]) -> None:
    path = mind.store.path
    mind.close()
    moment, done, unfinished = random.Random(20), 0, 0
    for kill in range(KILLS):
        batch = files[kill * FILES : (kill + 1) * FILES]
        seen, code = stopped(path, batch, kill, moment, signal.SIGKILL)
        assert seen[0] == "open"
        unfinished += code == -signal.SIGKILL
        with opened(path) as soul:
            done += check_whole(soul, batch, seen[1:])
            assert soul.check() == ()
            assert soul.stats()["operations"] == done
    assert unfinished > KILLS // 2, "the files must last longer than the moments waited for"
    with opened(path) as soul:
        assert soul.recall("Greta rowed to Halden", messages=3).messages
        for file in files[:FILES]:
            took(soul, file.read_bytes(), str(file))
        assert check_whole(soul, files[:FILES], list(map(str, files[:FILES]))) == FILES
        assert soul.check() == ()


def test_ctrl_c_leaves_whole_files_and_a_mind_that_closes(mind: Soul, files: list[Path]) -> None:
    path = mind.store.path
    mind.close()
    moment, done = random.Random(3), 0
    for number in range(INTERRUPTS):
        batch = files[number * FILES : (number + 1) * FILES]
        seen, code = stopped(path, batch, number + 1, moment, signal.SIGINT)
        assert code == 3 and seen[-1] == "interrupted", (seen, code)
        assert not Path(f"{path}.wal").exists(), "it was closed in good order"
        with opened(path) as soul:
            done += check_whole(soul, batch, seen[1:-1])
            assert soul.check() == () and soul.stats()["operations"] == done


def test_an_interrupted_mind_is_the_mind_that_was_never_interrupted(minds: Minds, files: list[Path]) -> None:
    stopping, steady = minds(), minds()
    path = stopping.store.path
    stopping.close()
    batch = files[:4]
    stopped(path, batch, 2, random.Random(7), signal.SIGKILL)
    with opened(path) as soul:
        for file in batch:
            took(soul, file.read_bytes(), str(file))
            took(steady, file.read_bytes(), str(file))
        assert whole(soul) == whole(steady)
