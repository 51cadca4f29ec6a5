"""Playtests, as ``soulmem tune playtest`` runs, writes and prints them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from soulmem.asking import asked
from soulmem.errors import InputError
from soulmem.files import write_whole
from soulmem.llm.answers import spoken_text
from soulmem.llm.contract import Model
from soulmem.model.queries import SubQuery
from soulmem.replying import reply_prompt
from soulmem.soul import Soul, utc_now
from soulmem.tune.dialogues import Dialogue, read_dialogue
from soulmem.tune.playtest import Cue, Played, PlayedTurn, Playtest, Spoken, blind_order, blind_sheet, play
from soulmem_cli.as_json import plain
from soulmem_cli.minds import chosen_mind
from soulmem_cli.terminal import Progress, one_line, out
from soulmem_cli.tune_files import is_mind_clear, made_mind

#: So many memories of a turn are printed, and so many characters of each.
_SHOWN = 5
_WIDTH = 80


def played(
    file: Path, *, fresh: bool, embedder: str, top: int, at: datetime | None, model: Model | None, progress: Progress | None
) -> Playtest:
    """Play the dialogue of a file. Where no mind is chosen and there is not exactly one, with a mind made of its graph.

    ``model``: puts the questions and replies; ``None``: nobody does.
    """
    dialogue = read_dialogue(file)
    when = at or utc_now()
    with TemporaryDirectory(prefix="soulmem-playtest-") as folder:
        mind = _made(dialogue, Path(folder), embedder, when) if fresh or not is_mind_clear() else chosen_mind()
        open_mind = partial(_opened, mind, dialogue.config)
        if model is None:
            return play(dialogue, open_mind, at=when, top=top, progress=progress)
        with open_mind() as soul:
            names = soul.own_names()
        part = _Part(model, names[0] if names else Path(mind).stem, dialogue.role or "user")
        return play(dialogue, open_mind, at=when, top=top, ask=part.ask, reply=part.reply, model=model.name, progress=progress)


def _opened(mind: str | Path, config: Mapping[str, float]) -> Soul:
    """The mind, to be read with the settings that the dialogue asks for."""
    soul = Soul.open(mind, read_only=True)
    soul.settings = soul.settings.with_values(**config)
    return soul


@dataclass(frozen=True, slots=True)
class _Part:
    """The character's part, played by a model. ``other``: who talks with it."""

    model: Model
    character: str
    other: str

    def ask(self, mind: Played, talk: Sequence[Spoken], at: datetime) -> Sequence[SubQuery]:
        lines = [(self._name(line), line.text) for line in talk]
        return asked(self.model, self.character, lines, at, lambda query: mind.is_answered(query, at))[0]

    def reply(self, cue: Cue) -> str:
        lines = [(self._name(line), line.text, None) for line in cue.talk]
        prompt = reply_prompt(self.character, lines, cue.remembered, cue.at)
        return spoken_text(self.model.answer(prompt), (self.character,), (self.other,))

    def _name(self, line: Spoken) -> str:
        return self.character if line.speaker == "character" else self.other


def _made(dialogue: Dialogue, folder: Path, embedder: str, at: datetime) -> Path:
    if dialogue.graph is None:
        raise InputError(f"{dialogue.path} names no graph to make a mind of", advice="Choose the mind with --mind.")
    return made_mind(folder / "played.mind", dialogue.graph, dialogue.path, "Playing with", embedder, at)


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
