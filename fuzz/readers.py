"""Coverage-guided fuzzing of one reader: any bytes are a document or an error that says what is wrong, and every law holds.

``readers.py --target qq --seconds 600 --out build/fuzz``. What breaks a law is written to ``OUT/TARGET/found`` with its
traceback, the shortest of each kind, and the run goes on; so does what takes longer than it may. ``OUT/TARGET/state.json`` has
the counts. Only a hang or the lack of memory ends a run early. See CONTRIBUTING.md.
"""

from __future__ import annotations

import argparse
import json
import os
import pkgutil
import resource
import sys
import time
import traceback
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random

import atheris

with atheris.instrument_imports(include=["soulmem"]):
    import soulmem.ingest

    for module in pkgutil.walk_packages(soulmem.ingest.__path__, "soulmem.ingest."):
        __import__(module.name)

from mutations import Change
from targets import TARGETS, Target

#: What is shorter than this, bytes, has so many seconds of processor time; beyond this many by the clock, it hangs.
LONGEST_INPUT, MOST_SECONDS, HANG_SECONDS = 2**16, 2.0, 300
MOST_MEGABYTES = 2048
#: The state is written so often, seconds.
_SAVED_EVERY = 1.0
#: One change in so many is of bytes alone.
_BYTES_ALONE = 4


class TooSlowError(Exception):
    """An input took more processor time than it may."""


@dataclass
class Found:
    """What a run has found so far, and how far it is. ``seconds``: how long it has by the clock, from ``started`` on;
    ``used``: the processor time since ``begun``, ``slowest``: the most of it that an input took, both in seconds."""

    folder: Path
    seconds: int
    executions: int = 0
    slowest: float = 0.0
    kinds: dict[str, int] = field(default_factory=dict)
    started: float = field(default_factory=time.monotonic)
    begun: float = field(default_factory=time.process_time)
    saved: float = 0.0

    @property
    def used(self) -> float:
        """Processor time since the run began, seconds."""
        return time.process_time() - self.begun

    def taken(self, data: bytes, seconds: float) -> None:
        """Counts an input, and keeps the slowest."""
        self.executions += 1
        if seconds > self.slowest:
            self.slowest = seconds
            (self.folder / "slowest").write_bytes(data)
        if time.monotonic() - self.saved > _SAVED_EVERY:
            self.save()

    def broke(self, data: bytes, error: Exception) -> None:
        """Keeps an input that broke a law, if it is the first or the shortest of its kind."""
        frames = traceback.extract_tb(error.__traceback__)
        kind = sha256(repr((type(error).__name__, [(frame.filename, frame.lineno) for frame in frames[-3:]])).encode())
        name = f"{type(error).__name__}-{kind.hexdigest()[:8]}"
        self.kinds[name] = self.kinds.get(name, 0) + 1
        kept = self.folder / "found" / name
        if not kept.exists() or kept.stat().st_size > len(data):
            kept.write_bytes(data)
            kept.with_suffix(".txt").write_text("".join(traceback.format_exception(error)), "utf-8", "backslashreplace")
            self.save()

    def save(self) -> None:
        """Writes the state of the run."""
        self.saved = time.monotonic()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        state = {"executions": self.executions, "seconds": time.monotonic() - self.started, "slowest_seconds": self.slowest}
        state |= {"processor_seconds": self.used, "peak_megabytes": peak, "found": self.kinds}
        (self.folder / "state.json").write_text(json.dumps(state), "utf-8")


def attempt(target: Target, found: Found, data: bytes) -> None:
    """Runs one input."""
    begin = time.thread_time()
    try:
        target.run(data)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
        found.broke(data, error)
    seconds = time.thread_time() - begin
    if seconds > MOST_SECONDS and len(data) < LONGEST_INPUT:
        found.broke(data, TooSlowError(f"{seconds:.1f} s for {len(data)} bytes"))
    found.taken(data, seconds)
    if time.monotonic() - found.started > found.seconds:
        found.save()
        os._exit(0)  # the fuzzer takes any other end for a crash


def prepared(target: Target, folder: Path) -> list[str]:
    """Writes the seeds and the dictionary of a target; the options by which the fuzzer finds them."""
    for name in ("corpus", "found"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for seed in target.seeds:
        (folder / "corpus" / sha256(seed).hexdigest()[:16]).write_bytes(seed)
    words = (word.encode("utf-8") for word in target.words)
    quoted = ("".join(f"\\x{byte:02x}" for byte in word) for word in words)
    (folder / "words").write_text("".join(f'"{word}"\n' for word in quoted), "ascii")
    return [f"-dict={folder / 'words'}", f"-artifact_prefix={folder / 'found'}/", str(folder / "corpus")]


def main() -> None:
    """Fuzzes the target that is named."""
    parser = argparse.ArgumentParser(description="Fuzz one reader.")
    parser.add_argument("--target", required=True, choices=sorted(TARGETS))
    parser.add_argument("--seconds", type=int, default=600, help="by the clock")
    parser.add_argument("--out", type=Path, default=Path("build/fuzz"))
    given = parser.parse_args()
    target, folder = TARGETS[given.target], given.out / given.target
    options = prepared(target, folder)
    found = Found(folder, given.seconds)

    def change(data: bytes, most: int, seed: int) -> bytes:
        random = Random(seed)
        if random.randrange(_BYTES_ALONE) == 0:
            return bytes(atheris.Mutate(data, most))
        changes = Change(random, target.words, lambda part: bytes(atheris.Mutate(part, len(part) + 64)))
        try:
            return target.change(changes, data)[:most]
        except (ValueError, RecursionError, OverflowError):  # it went too deep, or names what no file can be called
            return bytes(atheris.Mutate(data, most))

    limits = [f"-timeout={HANG_SECONDS}", f"-rss_limit_mb={MOST_MEGABYTES}", f"-max_len={LONGEST_INPUT}"]
    atheris.Setup([sys.argv[0], *limits, *options], lambda data: attempt(target, found, data), custom_mutator=change)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
