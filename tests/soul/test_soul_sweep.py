"""A mind that forgets: sweeps, sleep, pinning, another memory, and that every note knows when it is due."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from datetime import datetime, timedelta

import pytest
from soul_minds import AT, Minds, concept, episode, graph, sem, took

from soulmem.ageing import envelope
from soulmem.embed.hashing import HashingEmbedder
from soulmem.errors import InputError, NotFoundError, UndoError
from soulmem.forget.sweep import Fate
from soulmem.graph.decay import Envelope
from soulmem.model.notes import Note, NoteType
from soulmem.model.results import Stage
from soulmem.soul import Soul
from soulmem.working.state import State

#: A lamp leads to a night, the night to a boat.
NIGHT = (
    concept("sem_self", "Wren", [("sem_lamp", sem("keeps"))]),
    concept("sem_lamp", "the brass lamp", [("sit_night", sem("burned"))], description="polished on Sundays"),
    episode("sit_night", "the storm tore the mooring rope", [("sem_boat", sem("nearly lost"))]),
    concept("sem_boat", "a green dinghy", tags=["craft"]),
)
CAT = ("preference", "state", "event", "knowledge")


def at(hours: float) -> datetime:
    return AT + timedelta(hours=hours)


def keys(soul: Soul, text: str, hours: float) -> dict[str, Stage]:
    return {memory.key: memory.stage for memory in soul.recall(text, at=at(hours)).memories}


@pytest.fixture
def mind(minds: Minds) -> Soul:
    soul = minds(embedder=HashingEmbedder())
    assert took(soul, graph(*NIGHT), "graph.json").new
    return soul


def test_every_note_is_born_with_its_due_time(mind: Soul) -> None:
    due = {key: mind.note(key).due_at for key in ("sem_self", "sem_lamp", "sit_night")}
    assert due["sem_self"] is None
    assert due["sem_lamp"] == Envelope(type=NoteType.SEMANTIC, decayed_at=AT).with_due(mind.settings).due_at
    assert due["sit_night"] == Envelope(type=NoteType.SPECIFIC, decayed_at=AT).with_due(mind.settings).due_at
    _check_due(mind)


def test_nothing_due_nothing_written(mind: Soul) -> None:
    before = mind.stats()["operations"]
    assert mind.sweep(at(70)).notes == () and mind.sweep(at(70)).operation is None
    assert mind.sweep(at(90), dry_run=True).asleep == 1 and mind.sweep(at(90), dry_run=True).operation is None
    assert mind.stats()["operations"] == before and mind.stats()["asleep"] == 0


def test_a_note_falls_asleep_and_is_only_found_directly_until_it_is_used(mind: Soul) -> None:
    assert keys(mind, "brass lamp", 0)["sit_night"] is Stage.ASSOCIATION
    left = mind.show("sit_night", at(90)).retention
    report = mind.sweep(at(90))
    assert [(note.key, note.fate) for note in report.notes] == [("sit_night", Fate.SLEEPS)] and report.operation
    assert mind.note("sit_night").asleep and mind.note("sit_night").strength == left == mind.show("sit_night", at(90)).retention
    assert mind.sweep(at(90)).notes == () and mind.sweep(at(5000)).notes[0].key != "sit_night"
    mind.undo()
    recollection = mind.recall("brass lamp", at=at(91))
    assert not {"sit_night", "sem_boat"} & {memory.key for memory in recollection.memories}  # neither to it nor through it
    assert recollection.withheld["asleep"] == 1 and mind.stats()["asleep"] == 1
    why = mind.why("sit_night", "brass lamp", at=at(91))
    assert why.verdict == "asleep" and "asleep since 2026-11-04 19:43 UTC" in why.text
    assert why.fields["asleep_since"] == mind.note("sit_night").due_at
    found = mind.recall("the storm tore the mooring rope", at=at(91))
    (night,) = (memory for memory in found.memories if memory.key == "sit_night")
    assert night.asleep and night.stage is Stage.SIMILARITY and "sem_boat" not in {memory.key for memory in found.memories}
    assert "asleep since" in mind.why("sit_night", "the storm tore the mooring rope", at=at(91)).text
    assert mind.recall("the storm tore the mooring rope", at=at(91)).withheld["asleep"] == 0
    mind.commit(found, [night])
    assert not mind.note("sit_night").asleep and mind.note("sit_night").due_at > at(91)
    assert {"sit_night", "sem_boat"} <= keys(mind, "brass lamp", 91.0).keys()
    _check_due(mind)


def test_what_sleeps_is_neither_hot_nor_preloaded(mind: Soul) -> None:
    night = mind.recall("storm mooring rope", at=at(0))
    mind.commit(night, [memory for memory in night.memories if memory.key == "sit_night"])
    (record,) = mind.hot_notes()
    assert not record.asleep and mind.preload() == 1
    mind.sweep(at(400))
    assert mind.hot_notes() == () and mind.records()[0].asleep and mind.preload() == 0


def test_a_sweep_is_taken_back_and_done_again_exactly(mind: Soul) -> None:
    before = mind.export_graph()
    mind.sweep(at(90))
    swept = mind.export_graph()
    assert '"asleep": true' in swept and mind.log(1)[0].command == "sweep"
    mind.undo()
    assert mind.export_graph() == before
    mind.redo()
    assert mind.export_graph() == swept


def test_sleep_travels_with_an_export(mind: Soul, minds: Minds) -> None:
    mind.sweep(at(90))
    text = mind.export_graph()
    other = minds()
    assert took(other, text.encode(), "graph.json").problems == ()
    assert other.note("sit_night").asleep and other.export_graph() == text


def test_a_pinned_note_stays_and_an_unpinned_one_fades_from_then_on(mind: Soul) -> None:
    mind.pin("sit_night", at=at(24))
    assert mind.note("sit_night").strength == 0.5 and mind.note("sit_night").due_at is None
    assert mind.show("sit_night", at(2400)).retention == pytest.approx(0.5, abs=0.01)
    assert all(note.key != "sit_night" for note in mind.sweep(at(2400)).notes)
    assert mind.pin("sit_night", at=at(2400)) is None
    mind.pin("sit_night", pinned=False, at=at(2400))
    assert mind.show("sit_night", at(2424)).retention == pytest.approx(0.25, abs=0.01)
    mind.sweep(at(5000))
    assert mind.note("sit_night").asleep
    mind.pin(mind.note("sit_night").id, at=at(5000))
    assert not mind.note("sit_night").asleep
    for _ in range(2):
        mind.undo()
    assert not mind.note("sit_night").asleep and not mind.note("sit_night").pinned
    with pytest.raises(NotFoundError):
        mind.pin("nobody")


def test_appointments_do_not_fade_before_their_time_and_stated_ages_are_kept(minds: Minds) -> None:
    soul = minds()
    span = {"start": at(500).isoformat(), "end": at(501).isoformat()}
    fact = {"category": "event", "valid_from": at(240).isoformat()}
    old = {"decayed_at": at(-240).isoformat(), "strength": 0.5}
    took(
        soul,
        graph(
            concept("sem_due", "the inspection", soulmem=fact),
            episode("sit_visit", "Jonah comes to visit", time_span=span),
            episode("sit_old", "Jonah came to visit", soulmem=old),
        ),
        "graph.json",
    )
    assert soul.note("sem_due").decayed_at == at(240) and soul.note("sit_visit").decayed_at == at(500)
    assert soul.show("sit_visit", at(499)).retention == 1.0 and soul.show("sit_visit", at(524)).retention == 0.5
    assert (soul.note("sit_old").decayed_at, soul.note("sit_old").strength) == (at(-240), 0.5)
    assert {note.key for note in soul.sweep(at(100)).notes} == {"sit_old"}
    _check_due(soul)


@pytest.mark.parametrize("aged", [False, True])
def test_an_old_chat_is_not_born_forgotten_unless_it_is_to_be(minds: Minds, aged: bool) -> None:
    soul = minds()
    lines = [
        {"name": "Tomas", "is_user": True, "send_date": f"2026-03-0{day}T10:00:00Z", "mes": text}
        for day, text in ((1, "The brass lamp burned all night."), (2, "Jonah rowed the green dinghy home."))
    ]
    header = {"user_name": "Tomas", "character_name": "Wren", "create_date": "2026-03-01T10:00:00Z"}
    text = "\n".join(json.dumps(line) for line in (header, *lines)).encode()
    assert soul.ingest_bytes(text, name="chat.jsonl", aged=aged, at=AT).derived
    notes = _notes(soul)
    situations = [note for note in notes if note.type is NoteType.SPECIFIC]
    assert situations
    for note in situations:
        assert note.decayed_at == (note.body.time_end if aged else AT)
    assert bool(soul.sweep(at(1)).asleep) is aged
    _check_due(soul)


def test_a_memory_of_another_kind_goes_on_from_what_is_left(mind: Soul) -> None:
    before = mind.export_graph()
    left = {note.key: envelope(note).retention(AT, mind.settings) for note in _notes(mind)}
    assert mind.preset == "human"
    operation = mind.use_preset("elephant")
    assert operation.what == "settings: forget.preset=elephant" and mind.preset == "elephant"
    assert mind.settings.half_life_episode_hours == 192.0
    assert {note.key: envelope(note).retention(AT, mind.settings) for note in _notes(mind)} == left
    _check_due(mind)
    with pytest.raises(InputError):
        mind.use_preset("sloth")
    mind.undo()
    assert mind.preset == "human" and mind.export_graph() == before
    _check_due(mind)


def test_notes_that_come_back_are_due_by_the_memory_of_now(minds: Minds) -> None:
    soul = minds()
    took(soul, graph(*NIGHT), "graph.json")
    soul.undo()
    soul.use_preset("goldfish")
    soul.redo()
    _check_due(soul)
    assert soul.note("sit_night").due_at < at(24)
    took(soul, graph(concept("sem_new", "a rope")), "more.json")
    soul.set_values(dict.fromkeys(soul.own_values))
    _check_due(soul)


def test_a_mind_sweeps_when_it_is_idle(mind: Soul) -> None:
    mind.observe("Good evening.", speaker="Tomas", at=at(0))
    assert mind.idle(at(0)).state is State.WORKING and mind.stats()["asleep"] == 0
    assert mind.idle(at(201)).asleep == 1 == mind.stats()["asleep"]
    assert mind.idle(at(202)).asleep == 0
    assert mind.log(1)[0].command == "idle" and mind.undo(at=at(203)).undoes != mind.log(2)[1].number
    assert mind.stats()["asleep"] == 1, "who undoes does not mean what a mind did by itself"


# -- random histories ---------------------------------------------------------------------------------------------------------


def _notes(soul: Soul) -> list[Note]:
    return soul.store.notes([row["id"] for row in soul.store.query("look.all_notes")])


def _check_due(soul: Soul) -> None:
    """Every note is due when what is left of it will have fallen to the threshold, or knows since when it sleeps."""
    for note in _notes(soul):
        if note.asleep:
            assert note.due_at is not None and note.due_at <= note.decayed_at, note.key
        else:
            assert note.due_at == envelope(note).with_due(soul.settings).due_at, note.key


class _Life:
    """Random things that happen to a mind."""

    def __init__(self, soul: Soul, seed: int) -> None:
        self.soul, self.random, self.now, self.number = soul, random.Random(seed), AT, 0

    def step(self) -> None:
        self.now += timedelta(hours=self.random.expovariate(1 / 30))
        often = (self.born, self.recalled, self.undone)
        self.random.choice((*often, *often, self.swept, self.memory, self.pinned))()

    def born(self) -> None:
        self.number += 1
        key, category = f"sem_{self.number}", self.random.choice(CAT)
        nodes = (concept(key, f"thing {self.number}", soulmem={"category": category}), episode(f"sit_{self.number}", "a walk"))
        self.soul.ingest_bytes(graph(*nodes), name="g.json", at=self.now)

    def recalled(self) -> None:
        found = self.soul.recall(self.random.choice(("thing 1", "thing 2", "a walk")), at=self.now)
        self.soul.commit(found)

    def swept(self) -> None:
        self.soul.sweep(self.now)
        assert self.soul.sweep(self.now).notes == ()

    def undone(self) -> None:
        numbers = [operation.number for operation in self.soul.log(6) if operation.number > 1]
        if numbers:
            with suppress(UndoError):
                self.soul.undo(self.random.choice(numbers), at=self.now)

    def memory(self) -> None:
        self.soul.use_preset(self.random.choice(("human", "elephant", "goldfish")))

    def pinned(self) -> None:
        notes = _notes(self.soul)
        if notes:
            note = self.random.choice(notes)
            self.soul.pin(note.key, not note.pinned, at=self.now)


@pytest.mark.parametrize("seed", [1, 2])
def test_whatever_happens_every_note_knows_when_it_is_due(minds: Minds, seed: int) -> None:
    soul = minds(embedder=HashingEmbedder())
    life = _Life(soul, seed)
    soul.clock = lambda: life.now
    for _ in range(22):
        life.step()
        _check_due(soul)
