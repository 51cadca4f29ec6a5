"""Playtests, as ``soulmem tune playtest`` runs, writes and prints them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from soulmem.errors import InputError
from soulmem.files import write_whole
from soulmem.soul import Soul, utc_now
from soulmem.tune.dialogues import Dialogue, read_dialogue
from soulmem.tune.playtest import PlayedTurn, Playtest, blind_order, blind_sheet, play
from soulmem_cli.as_json import plain
from soulmem_cli.minds import chosen_mind
from soulmem_cli.terminal import Progress, one_line, out, say
from soulmem_cli.tune_files import is_mind_clear

#: So many memories of a turn are printed, and so many characters of each.
_SHOWN = 5
_WIDTH = 80


def played(file: Path, *, fresh: bool, embedder: str, top: int, at: datetime | None, progress: Progress | None) -> Playtest:
    """Play the dialogue of a file. Where no mind is chosen and there is not exactly one, with a mind made of its graph."""
    dialogue = read_dialogue(file)
    when = at or utc_now()
    with TemporaryDirectory(prefix="soulmem-playtest-") as folder:
        mind = _made(dialogue, Path(folder), embedder, when) if fresh or not is_mind_clear() else chosen_mind()
        return play(dialogue, partial(Soul.open, mind, read_only=True), at=when, top=top, progress=progress)


def _made(dialogue: Dialogue, folder: Path, embedder: str, at: datetime) -> Path:
    if dialogue.graph is None or not dialogue.graph.is_file():
        named = dialogue.graph or "no graph"
        raise InputError(f"{dialogue.path} is about {named}, which is not there", advice="Choose the mind with --mind.")
    say(f"Playing with a mind made of {dialogue.graph} for this run.")
    mind = folder / "played.mind"
    with Soul.create(mind, embedder=embedder, clock=lambda: at) as soul:
        report = soul.ingest(dialogue.graph, at=at).files[0]
    if report.refused is not None:
        raise InputError(f"{dialogue.graph}: {report.refused}")
    return mind


def write_run(found: Playtest, file: Path) -> None:
    """The whole run, as JSON."""
    write_whole(file, json.dumps(plain(found), ensure_ascii=False, allow_nan=False, indent=2) + "\n")


def write_sheet(found: Playtest, sheet: Path, key: Path, seed: int) -> None:
    """The sheet, and beside it which of A and B is which."""
    order = blind_order(found, seed)
    write_whole(sheet, blind_sheet(found, order))
    told = {"name": found.name, "seed": seed, "turns": {str(number): {"A": a, "B": b} for number, (a, b) in order.items()}}
    write_whole(key, json.dumps(told, ensure_ascii=False, indent=2) + "\n")


def print_played(found: Playtest) -> None:
    """Turn by turn, for a person."""
    for number, turn in enumerate(found.turns):
        if number:
            out("")
        for line in _lines(turn):
            out(line)


def _lines(turn: PlayedTurn) -> Iterator[str]:
    yield f"{turn.number}. {one_line(turn.said)}"
    for memory in turn.memories[:_SHOWN]:
        way = " → ".join([memory.path[0].source, *(step.target for step in memory.path)]) if memory.path else memory.stage
        yield f"   {memory.score:.3f}  {memory.key}  ({way})  {_short(memory.text)}"
    if len(turn.memories) > _SHOWN:
        yield f"   … and {len(turn.memories) - _SHOWN} more"
    for action in turn.actions[:_SHOWN]:
        yield f"   [{action.action_type}] {_short(action.text)}"
    missed = [near.key for near in turn.vectors if near.key not in {memory.key for memory in turn.memories}]
    yield f"   vectors alone: {', '.join(near.key for near in turn.vectors[:_SHOWN]) or 'nothing'}"
    if missed:
        yield f"   only by vectors: {', '.join(missed[:_SHOWN])}"
    for arm, reply in turn.replies.items():
        yield f"   {arm}: {one_line(reply)}"


def _short(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…"
