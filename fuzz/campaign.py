"""Fuzzes everything, some targets side by side, and writes a row of a table for each that is done.

``campaign.py --seconds 600 --jobs 2 --out build/fuzz [TARGET …]``. A run that a hang or the lack of memory ended goes on with
what it had, for the time that is left.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

HEADER = (
    "| reader | executions | covered branches | files kept | kinds found | ended early | slowest input | memory | processor |\n"
    "|---|---|---|---|---|---|---|---|---|\n"
)
#: How often a target is begun again after a hang or the lack of memory.
MOST_STARTS = 20
_PROGRESS = re.compile(r"cov: (\d+) ft: \d+ corp: (\d+)/")


@dataclass
class Run:
    """One target, over all its starts. ``covered`` and ``kept``: after the seeds, and at the end."""

    target: str
    folder: Path
    executions: int = 0
    seconds: float = 0.0
    processor: float = 0.0
    slowest: float = 0.0
    megabytes: int = 0
    early: int = 0
    found: Counter[str] = field(default_factory=Counter)
    progress: list[tuple[str, str]] = field(default_factory=list)

    def start(self, seconds: int) -> bool:
        """Fuzzes for the time that is left; whether there is more to do."""
        command = [sys.executable, str(Path(__file__).with_name("readers.py")), "--target", self.target]
        command += ["--seconds", str(round(seconds - self.seconds)), "--out", str(self.folder.parent)]
        (self.folder / "state.json").unlink(missing_ok=True)
        with (self.folder / "output").open("wb") as output:
            code = subprocess.run(command, stdout=output, stderr=output, check=False).returncode
        self._take_state()
        self.early += code != 0
        return code != 0 and self.early < MOST_STARTS and self.seconds < seconds - 1

    def _take_state(self) -> None:
        state: dict[str, Any] = {}
        if (self.folder / "state.json").exists():
            state = json.loads((self.folder / "state.json").read_text("utf-8"))
        self.executions += state.get("executions", 0)
        self.seconds += state.get("seconds", 1.0)
        self.processor += state.get("processor_seconds", 1.0)
        self.slowest = max(self.slowest, state.get("slowest_seconds", 0.0))
        self.megabytes = max(self.megabytes, state.get("peak_megabytes", 0))
        self.found.update(state.get("found", {}))
        self.progress += _PROGRESS.findall((self.folder / "output").read_text("utf-8", "replace"))

    def row(self) -> str:
        """What the run came to, as a row of the table."""
        first, last = (self.progress[0], self.progress[-1]) if self.progress else (("?", "?"), ("?", "?"))
        grown = " | ".join(f"{begin} → {end}" for begin, end in zip(first, last, strict=True))
        return (
            f"| {self.target} | {self.executions:,} | {grown} | {len(self.found)} | {self.early} "
            f"| {self.slowest * 1000:.0f} ms | {self.megabytes} MB | {self.processor:.0f} s |\n"
        )


def main() -> None:
    """Fuzzes the targets that are named, or all."""
    parser = argparse.ArgumentParser(description="Fuzz every reader.")
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--seconds", type=int, default=600, help="by the clock for each")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("build/fuzz"))
    given = parser.parse_args()
    known = _known_targets()
    if unknown := [target for target in given.targets if target not in known]:
        parser.error(f"there is no {', '.join(unknown)} to fuzz; there are {', '.join(known)}")
    targets = given.targets or known
    log, writing = given.out / "log.md", Lock()
    given.out.mkdir(parents=True, exist_ok=True)
    log.write_text(HEADER, "utf-8")

    def fuzz(target: str) -> None:
        run = Run(target, given.out / target)
        run.folder.mkdir(exist_ok=True)
        while run.start(given.seconds):
            pass
        with writing, log.open("a", encoding="utf-8") as rows:
            rows.write(run.row())

    with ThreadPoolExecutor(given.jobs) as pool:
        list(pool.map(fuzz, targets))
    print(log.read_text("utf-8"), end="")


def _known_targets() -> list[str]:
    from targets import TARGETS

    return list(TARGETS)


if __name__ == "__main__":
    main()
