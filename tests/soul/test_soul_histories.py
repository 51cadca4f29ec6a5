"""For every kind of operation: undone it is as if it had not been, redone as it was; for any sequence, comparing whole minds."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from soul_dump import dump as whole
from soul_minds import AT, PATIENT, TEA, Minds, chat, concept, graph, said, sem, took

from soulmem.errors import UndoError
from soulmem.soul import Soul

PLACES = ("Halden", "Leeds", "Zell", "成都", "上海")
LINES = ("I live in {}.", "I love the tea of {}.", "我住在{}。", "我喜欢{}的茶。", "Greta moved to {} in May.", "I hate {}.")


class Life:
    """What may happen to a mind, at random; :data:`KINDS` names all of it."""

    def __init__(self, soul: Soul, seed: int) -> None:
        self.soul, self.random, self.at, self.number = soul, random.Random(seed), AT, 0

    def live(self, kind: str) -> None:
        self.at += timedelta(hours=1)
        self.number += 1
        KINDS[kind](self)

    def line(self) -> str:
        return self.random.choice(LINES).format(self.random.choice(PLACES))

    def ingest_graph(self) -> None:
        nodes = TEA if self.number % 2 else (concept(f"sem_{self.number}", self.line(), [("sem_tea", sem("with"))]),)
        took(self.soul, graph(*nodes), f"{self.number}.json", at=self.at)

    def ingest_chat(self) -> None:
        lines = [said(self.random.choice(("Ann", "Bo")), self.line(), minute) for minute in range(4)]
        took(self.soul, chat(*lines), f"{self.random.randint(0, 2)}.jsonl", at=self.at)

    def observe(self) -> None:
        self.soul.observe(self.line(), speaker="Bo", at=self.at)

    def replace(self) -> None:
        held = self.soul.window().messages
        if held:
            self.soul.observe(self.line(), speaker="Bo", at=self.at, replace=held[-1].id)

    def retract(self) -> None:
        self.soul.retract(at=self.at)

    def end_talk(self) -> None:
        self.soul.end_talk(at=self.at)

    def vectors(self) -> None:
        self.soul.observer.idle(self.at, forced=True)

    def consolidate(self) -> None:
        self.soul.consolidate(self.at)

    def commit(self) -> None:
        self.soul.commit(self.soul.recall(self.line(), at=self.at))

    def feedback(self) -> None:
        rows = self.soul.list(limit=99)
        if rows:
            self.soul.feedback([self.random.choice(rows).id], self.random.choice((1, -1)), self.at)

    def config(self) -> None:
        self.soul.set_values({"similarity_floor": self.random.choice((0.2, 0.4, None))})

    def pin(self) -> None:
        rows = self.soul.list(limit=99)
        if rows:
            self.soul.pin(self.random.choice(rows).id, self.random.random() < 0.5, self.at)

    def sweep(self) -> None:
        self.soul.sweep(self.at + timedelta(days=self.random.randint(1, 90)))

    def idle(self) -> None:
        self.soul.idle(self.at + timedelta(days=30))

    def preset(self) -> None:
        self.soul.use_preset(self.random.choice(("human", "goldfish")))


def dump(soul: Soul) -> dict[str, list[str]]:
    """The whole mind but for the vectors of lines: a line that is observed gets its own when the mind is idle, and one that comes
    back has it at once."""
    found = whole(soul.store)
    return found | {"Message": [json.dumps(_without_vectors(*json.loads(row)), sort_keys=True) for row in found["Message"]]}


def _without_vectors(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if not name.startswith("v_")}


#: Every kind of operation that can be undone.
KINDS: dict[str, Callable[[Life], None]] = {
    "ingest graph": Life.ingest_graph,
    "ingest chat": Life.ingest_chat,
    "observe": Life.observe,
    "replace": Life.replace,
    "retract": Life.retract,
    "end of talk": Life.end_talk,
    "vectors": Life.vectors,
    "consolidate": Life.consolidate,
    "commit": Life.commit,
    "feedback": Life.feedback,
    "config": Life.config,
    "pin": Life.pin,
    "sweep": Life.sweep,
    "idle": Life.idle,
    "preset": Life.preset,
}


@pytest.mark.parametrize("seed", [1])
def test_any_history_is_undone_to_its_beginning_and_done_again(minds: Minds, seed: int) -> None:
    soul = minds()
    life = Life(soul, seed)
    kinds = ["ingest graph", *life.random.sample(sorted(KINDS), 4), "observe", "consolidate", "retract", "commit"]
    states = {0: dump(soul)}
    for kind in kinds:
        life.live(kind)
        if soul.log(1):
            states[soul.log(1)[0].number] = dump(soul)
    numbers = sorted(states)
    for before, number in reversed(list(pairwise(numbers))):
        for one in range(number, before, -1):
            soul.undo(one)
        assert dump(soul) == states[before], f"operation {number} undone: {kinds}"
    assert soul.check() == ()
    with suppress(UndoError):
        while True:
            soul.redo()
    assert dump(soul) == states[numbers[-1]] and soul.check() == ()
    soul.close()
    number = life.random.choice(numbers)
    with Soul.open(soul.store.path, settings=PATIENT, as_of=number) as then:
        assert dump(then) == states[number]
