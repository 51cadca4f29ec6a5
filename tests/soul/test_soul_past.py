"""A mind as it was: for any history the state after every operation, for reading alone; what is forgotten for good stays so."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from soul_author import Author
from soul_dump import dump
from soul_minds import AT, PATIENT, Minds, concept, graph, sem, took

from soulmem.errors import NotFoundError, ReadOnlyError, UndoError
from soulmem.soul import Soul


def past(soul: Soul, as_of: object) -> Soul:
    return Soul.open(soul.store.path, settings=PATIENT, as_of=as_of)  # type: ignore[arg-type]


def copies() -> set[Path]:
    return set(Path(tempfile.gettempdir()).glob("soulmem-past-*"))


@pytest.mark.parametrize("seed", range(2))
def test_the_mind_after_any_operation_is_seen_again(minds: Minds, seed: int) -> None:
    soul = minds()
    author = Author(soul, seed)
    states = [dump(soul.store)]
    for _ in range(12):
        before = len(soul.log(1000))
        with suppress(UndoError):
            author.random.choice((author.write, author.write, soul.undo, soul.redo))()
        if len(soul.log(1000)) > before:
            states.append(dump(soul.store))
    soul.close()
    for number in {0, len(states) // 2, author.random.randrange(len(states))}:
        with past(soul, number) as then:
            assert dump(then.store) == states[number]
            assert then.stats()["operations"] == number


def test_it_is_recalled_and_shown_as_it_was_then_and_nothing_is_written(minds: Minds, tea_file: Path) -> None:
    mind, before = minds(tea_file), copies()
    took(mind, graph(concept("sem_rain", "rain", [("sem_tea", sem("with"))])), "rain.json", at=AT + timedelta(days=2))
    mind.commit(mind.recall("rain", at=AT + timedelta(days=3)))
    mind.close()
    for as_of in (1, AT + timedelta(days=1)):
        with past(mind, as_of) as then:
            assert then.past is not None and then.past.moment.number == 1 and len(copies() - before) == 1
            assert then.past.folder.stat().st_mode & 0o077 == 0, "nobody else may look into it"
            assert "sem_rain" not in {row.key for row in then.list(limit=99)} and then.recall("green tea").memories
            assert then.recall("green tea").at == then.past.moment.at and "rain" not in then.export_graph()
            with pytest.raises(ReadOnlyError):
                then.observe("x", speaker="Bo")
    assert copies() == before
    with past(mind, AT + timedelta(days=9)) as now:
        assert now.note("sem_rain").retrieval_count == 1
    with pytest.raises(NotFoundError):
        past(mind, 77)


def test_what_was_forgotten_for_good_stays_forgotten(minds: Minds, tea_file: Path) -> None:
    mind = minds(tea_file)
    mind.observe("The zanzibarian quince is here.", speaker="Bo", at=AT)
    mind.idle(AT + timedelta(hours=1))
    number = mind.log(1)[0].number
    mind.observe("Fine.", speaker="Ann", at=AT)
    mind.forget(about=["zanzibarian"])
    mind.close()
    for as_of in (number, number + 2):
        with past(mind, as_of) as then:
            assert "zanzibarian" not in str(dump(then.store))
    with past(mind, 1) as then:
        assert then.stats()["messages"] == 0 and "sem_tea" in {row.key for row in then.list(limit=99)}


def test_what_was_before_a_statement_of_the_users_own_is_not_known(minds: Minds, tea_file: Path) -> None:
    mind, before = minds(tea_file), copies()
    mind.cypher("CREATE (:Name {text: 'x'})", write=True)
    mind.cypher("MATCH (n:Name {text: 'x'}) DELETE n", write=True)
    mind.close()
    with pytest.raises(UndoError, match="operation 2 was a statement of your own"):
        past(mind, 1)
    with past(mind, 3) as then:
        assert then.stats()["operations"] == 3
    assert copies() == before
