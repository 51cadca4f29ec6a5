"""What is kept in memory never shows: a mind that was asked before answers as one that was just opened."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from soulmem.embed.hashing import HashingEmbedder
from soulmem.model.changes import Change, NoteUpdate
from soulmem.recall import asked, dense, words
from soulmem.recall import told as telling
from soulmem.recall.image import Image, Images
from soulmem.settings import Settings
from soulmem.soul import Soul

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
PATIENT = Settings(association_time_limit_ms=600_000.0)
WORDS = ("harbour", "lantern", "peanut", "ferry", "violin", "rain", "cellar", "orchard")
QUESTIONS = ("the lantern in the harbour", "Peanut and the violin", "rain over the orchard, last week", "cellar")


def graph(*notes: dict[str, Any]) -> bytes:
    return json.dumps(notes).encode()


def note(number: int, kind: str, words: tuple[str, ...], targets: tuple[int, ...] = ()) -> dict[str, Any]:
    """A note of any type; links to the notes with these numbers (Semantic ones)."""
    text = " ".join(words)
    body: dict[str, Any] = {
        "sem": {"Semantic": {"content": words[0].capitalize(), "aliases": [], "concept_type": "Entity", "description": text}},
        "sit": {"Situation": {"SpecificSituation": {"narrative": text, "time_span": None, "context": {}}}},
        "abs": {"Situation": {"AbstractSituation": {"Location": {"name": text, "coordinates": ""}}}},
        "way": {"Procedure": {"action": {"content": text, "action_type": "Speak"}}},
    }[kind]
    links = [
        {
            "from": key(number, kind),
            "to": key(target, "sem"),
            "intensity": 1.0,
            "link_type": {"Sem": {"verb": "about", "confidence": 0.9}},
        }
        for target in targets
    ]
    return {"id": key(number, kind), "tags": [words[-1]], "mem_type": body, "mem_links": links}


def key(number: int, kind: str) -> str:
    return f"{kind}_{number}"


@pytest.fixture(scope="module")
def mind(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("image") / "kept.mind"
    with Soul.create(path, embedder=HashingEmbedder(), name="Wren", settings=PATIENT, clock=lambda: AT) as soul:
        kinds = ("sem", "sit", "abs", "way")
        notes = [
            note(n, kinds[n % 4], (WORDS[n % 8], WORDS[(3 * n + 1) % 8], f"word{n}"), ((n * 4) % 24,) if n % 4 != 0 else ())
            for n in range(24)
        ]
        assert soul.ingest_bytes(graph(*notes), name="graph.json").new > 24
    return path


def opened(path: Path) -> Soul:
    return Soul.open(path, embedder=HashingEmbedder(), settings=PATIENT, clock=lambda: AT)


def told(soul: Soul, question: str) -> dict[str, Any]:
    """All of a recollection but its timings; numbers to what single precision allows."""
    recollection = asdict(soul.recall(question, messages=3))
    del recollection["timings_ms"]
    return dict(_rounded(recollection))


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _rounded(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(item) for item in value]
    return pytest.approx(value, abs=5e-6) if isinstance(value, float) else value


def new_note(soul: Soul, number: int) -> None:
    words = (WORDS[number % 8], WORDS[(number + 3) % 8], "fresh")
    soul.ingest_bytes(graph(note(100 + number, ("sem", "sit", "abs", "way")[number % 4], words, (0,))), name="more.json")


def new_talk(soul: Soul, number: int) -> None:
    lines: list[dict[str, Any]] = [
        {"user_name": "Mo", "character_name": "Wren"},
        {
            "name": "Mo",
            "is_user": True,
            "send_date": "2026-02-27T10:00:00Z",
            "mes": f"Did the {WORDS[number % 8]} burn in {number}?",
        },
        {"name": "Wren", "is_user": False, "send_date": "2026-02-27T10:01:00Z", "mes": "Only the lantern in the harbour did."},
    ]
    soul.ingest_bytes("\n".join(map(json.dumps, lines)).encode(), name=f"chat{number}.jsonl")


def used(soul: Soul, number: int) -> None:
    soul.commit(soul.recall(QUESTIONS[number % len(QUESTIONS)]))


def new_link(soul: Soul, number: int) -> None:
    soul.ingest_bytes(graph(note(1, "sit", (WORDS[1], WORDS[4], "word1"), (4 * ((number + 3) % 6),))), name="links.json")


def asleep(soul: Soul, number: int) -> None:
    """Or awake again."""
    one = soul.note(key(4 * (number % 6), "sem"))
    update = NoteUpdate(note=one.id, values={"active": not one.active})
    soul.store.apply(Change(command="test", what="sleep", at=AT, updates=(update,)))


def pinned(soul: Soul, number: int) -> None:
    one = soul.note(key(1 + 4 * (number % 6), "sit"))
    values = {"pinned": number % 2 == 1, "decayed_at": AT - timedelta(hours=50)}
    soul.store.apply(Change(command="test", what="pin", at=AT, updates=(NoteUpdate(note=one.id, values=values),)))


def retold(soul: Soul, number: int) -> None:
    one = soul.note(key(4 * (number % 6), "sem"))
    values = {"description": f"told anew {number}"}
    soul.store.apply(Change(command="test", what="retell", at=AT, updates=(NoteUpdate(note=one.id, values=values),)))


def by_hand(soul: Soul, number: int) -> None:
    soul.cypher(
        "MATCH (n:SpecificSituation {key: $key}) SET n.narrative = $text",
        {"key": key(1 + 4 * (number % 6), "sit"), "text": f"the lantern went out {number}"},
        write=True,
    )


def faded(soul: Soul, number: int) -> None:
    one = soul.note(key(4 * (number % 6), "sem"))
    values = {"strength": 0.2 + 0.1 * (number % 5), "decayed_at": AT - timedelta(hours=number)}
    soul.store.apply(Change(command="test", what="fade", at=AT, updates=(NoteUpdate(note=one.id, values=values),)))


def reembedded(soul: Soul, number: int) -> None:
    soul.reembed(HashingEmbedder())


WRITES: tuple[Callable[[Soul, int], None], ...] = (
    new_note, new_talk, used, new_link, asleep, pinned, retold, by_hand, faded, reembedded,
)  # fmt: skip


@settings(
    max_examples=6,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(st.tuples(st.sampled_from(WRITES), st.integers(0, 20)), min_size=1, max_size=6))
def test_a_mind_asked_before_answers_as_one_just_opened(
    mind: Path, tmp_path_factory: pytest.TempPathFactory, writes: list[tuple[Callable[[Soul, int], None], int]]
) -> None:
    path = tmp_path_factory.mktemp("written") / "kept.mind"
    path.write_bytes(mind.read_bytes())
    with opened(path) as soul:
        for question in QUESTIONS:
            soul.recall(question)
        for write, number in writes:
            write(soul, number)
            with opened(path) as fresh:
                for question in QUESTIONS[number % 2 :: 2]:
                    assert told(soul, question) == told(fresh, question), (write.__name__, question)


@contextmanager
def all_read_at_once() -> Iterator[None]:
    """What is otherwise asked of the engine a few times is read whole at the first question."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (asked, dense, telling, words):
            patch.setattr(module, "ASKED_OF_ENGINE", 0)
        yield


@pytest.mark.parametrize(
    ("write", "whole"),
    [
        *((write, nullcontext) for write in WRITES),
        *((write, all_read_at_once) for write in (new_note, new_talk, retold, by_hand)),
    ],
    ids=[*(write.__name__ for write in WRITES), "note, whole", "talk, whole", "retold, whole", "by hand, whole"],
)
def test_every_write_is_seen(
    mind: Path, tmp_path: Path, write: Callable[[Soul, int], None], whole: Callable[[], AbstractContextManager[None]]
) -> None:
    path = tmp_path / "kept.mind"
    path.write_bytes(mind.read_bytes())
    with opened(path) as soul, opened(path) as other:
        with whole():
            for question in QUESTIONS:
                soul.recall(question)
            write(other, 7)
            found = [told(soul, question) for question in QUESTIONS]
        with opened(path) as fresh:
            assert found == [told(fresh, question) for question in QUESTIONS]


def test_all_that_is_read_at_once_is_what_the_engine_answers(mind: Path, tmp_path: Path) -> None:
    path = tmp_path / "kept.mind"
    path.write_bytes(mind.read_bytes())
    with opened(path) as soul:
        for number in range(3):
            new_talk(soul, number)
        some, whole = Images(soul.store).current(), Images(soul.store).current()
        terms = [*WORDS, "word3", "mo", "wren", "nowhere"]
        expected = some.words.bm25(terms, PATIENT)
        texts = some.telling.of(some.table.ids)
        assert any(one.sources for one in texts.values()) and expected[0].any()
        with all_read_at_once():
            assert [array.tolist() for array in whole.words.bm25(terms[::-1], PATIENT)] == [one.tolist() for one in expected]
            assert whole.telling.of(whole.table.ids) == texts


def test_new_notes_and_links_extend_what_is_kept(mind: Path, tmp_path: Path) -> None:
    path = tmp_path / "kept.mind"
    path.write_bytes(mind.read_bytes())
    with opened(path) as soul:
        images = Images(soul.store)
        before = images.current()
        before.links.at(AT, PATIENT).load(before.table.ids)
        new_note(soul, 1)
        grown = images.current()
        assert set(grown.table.ids) > set(before.table.ids) and grown.table.ids == tuple(sorted(grown.table.ids))
        assert loaded_in(grown) == set(before.table.ids)
        new_link(soul, 2)
        assert loaded_in(images.current()) == set(before.table.ids) - {soul.note(key(1, "sit")).id}
        used(soul, 0)
        assert loaded_in(images.current()) == set(before.table.ids) - {soul.note(key(1, "sit")).id}


def loaded_in(image: Image) -> set[str]:
    """The notes whose links are kept."""
    return {note for note, is_loaded in zip(image.table.ids, image.links.kept.loaded, strict=True) if is_loaded}
