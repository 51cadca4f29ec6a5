"""``soulmem observe`` killed at any moment: every acknowledged line is in the mind exactly once, and the window is whole."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from soul_minds import Minds, opened
from soul_observing import talk, texts_of

from soulmem.working.observer import Line

KILLS, LINES = 5, 14


def fed(line: Line) -> bytes:
    value = {"speaker": line.speaker, "text": line.text, "time": line.at.isoformat(), "id": line.token, "tag": line.tag}
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def observing(path: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "soulmem_cli", "observe", "--mind", str(path), "--json"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)


def feed_and_kill(path: Path, lines: Sequence[Line], number: int, chance: random.Random) -> tuple[list[str], bool]:
    """Feed lines to a process that is killed a random while after some acknowledgement: the tokens acknowledged by then.

    By ``number`` the acknowledgements are spread over the lines.
    """
    with observing(path) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(b"".join(map(fed, lines)))
        others = len(lines) - 1
        wanted = 1 + (number * others + chance.randrange(others)) // KILLS
        timer = threading.Timer(120, process.kill)
        timer.start()
        seen = [process.stdout.readline() for _ in range(wanted)]
        threading.Event().wait(chance.uniform(0.0, 0.03))
        process.send_signal(signal.SIGKILL)
        seen += process.stdout.read().splitlines(keepends=True)
        timer.cancel()
    whole = [json.loads(line) for line in seen if line.endswith(b"\n")]
    return [lines[one["line"] - 1].token or "" for one in whole], process.returncode == -signal.SIGKILL


def test_kills_lose_nothing_and_double_nothing(minds: Minds) -> None:
    killed, steady = minds(), minds()
    path = killed.store.path
    killed.close()
    lines, chance, done, cut_off = talk(KILLS * LINES), random.Random(10), 0, 0
    for number in range(KILLS):
        acknowledged, was_killed = feed_and_kill(path, lines[done : done + LINES], number, chance)
        cut_off += was_killed
        copy = path.with_suffix(".copy")
        for end in ("", ".wal", ".shadow"):
            if Path(f"{path}{end}").exists():
                shutil.copy(f"{path}{end}", f"{copy}{end}")
        with opened(copy) as soul:
            held = Counter(soul.store.messages([row["id"] for row in soul.store.query("store.all_messages")]))
            texts = Counter(message.text for message in held.elements())
            there = done + len(acknowledged)
            assert len(held) - there in (0, 1), "what was acknowledged, and at most one more that was written"
            assert texts == Counter(texts_of(lines[: len(held)]))
            assert soul.check() == ()
        for end in ("", ".wal", ".shadow"):
            Path(f"{copy}{end}").unlink(missing_ok=True)
        done += len(acknowledged)  # who feeds tries again what was not acknowledged: its id keeps it from doubling
    assert cut_off == KILLS
    with opened(path) as soul:
        soul.observe_many(lines[done:])
        steady.observe_many(lines)
        assert soul.window(at=lines[-1].at) == steady.window(at=lines[-1].at)
        assert soul.stats()["messages"] == len(lines)
        assert soul.check() == ()


def test_sigterm_ends_it_in_good_order(minds: Minds) -> None:
    soul = minds()
    path = soul.store.path
    soul.close()
    lines = talk(4)
    for number, code in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
        with observing(path) as process:
            assert process.stdin is not None and process.stdout is not None and process.stderr is not None
            process.stdin.write(b"".join(map(fed, lines[:3])))
            for _ in range(3):
                process.stdout.readline()
            os.kill(process.pid, number)
            told = process.stderr.read().decode()
            assert process.wait() == code, told
        assert "3 lines taken in" in told
        assert not Path(f"{path}.wal").exists(), "it was closed in good order"
    with opened(path) as again:
        assert again.window(at=lines[-1].at).said == 3
