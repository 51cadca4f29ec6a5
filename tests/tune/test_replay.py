"""Recalls of the past asked again: what comes again, and what cannot."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tune_minds import AT, concept, opening, without, written

from soulmem.embed.hashing import HashingEmbedder
from soulmem.tune.replay import NO_TEXT, NOTES_CHANGED, NOTES_GONE, OTHER_EMBEDDER, read_recorded, replay

QUESTIONS = ("paper lantern", "rye bread", "whale oil")


@pytest.fixture
def used(soul):
    """A mind of which three questions were asked, one by one."""
    with soul() as open_mind:
        for text in QUESTIONS:
            open_mind.commit(open_mind.recall(text))
    return soul


def apart(mind):
    return {reason: number for reason, number in replay(opening(mind), {}).apart.items() if number}


def test_the_same_weights_bring_the_same_again(used, mind):
    found = replay(opening(mind), {})
    assert (found.recorded, found.replayed, apart(mind)) == (3, 3, {})
    assert [one.query for one in found.recalls] == sorted(QUESTIONS, key=[one.query for one in found.recalls].index)
    assert {one.query for one in found.recalls} == set(QUESTIONS)
    assert found.metrics["overlap@5"] == found.metrics["overlap@5_now"] == 1.0
    assert all(one.then == one.tried == one.now for one in found.recalls)


def test_what_was_used_is_what_was_recorded(used, mind):
    with used(read_only=True) as open_mind:
        recorded = {one.query: one for one in read_recorded(open_mind.store, 10)}
        for text in QUESTIONS:
            found = open_mind.recall(text, at=AT)
            assert recorded[text].ranking == tuple(memory.key for memory in found.memories) and recorded[text].at == AT
        assert len(read_recorded(open_mind.store, 2)) == 2


def test_other_weights_are_measured_against_what_was(used, mind):
    found = replay(opening(mind), {"association_top_k": 1, "max_results": 1})
    assert found.metrics["overlap@5_now"] == 1.0 > found.metrics["overlap@5"]
    for one in found.recalls:
        first = set(one.then[:5])
        assert one.scores["overlap@5"] == len(first & set(one.tried[:5])) / len(first)


def test_replaying_records_nothing(used, mind):
    replay(opening(mind), {"damping": 0.2})
    with used(read_only=True) as open_mind:
        assert open_mind.stats()["recalls"] == 3 and len(open_mind.log(100)) == 5


def test_a_mind_without_recalls_has_none(soul, mind):
    found = replay(opening(mind), {})
    assert (found.recorded, found.replayed, found.metrics) == (0, 0, {})


def test_recalls_without_text_are_counted_apart(used, mind, tmp_path):
    from soulmem.model.queries import SemanticUnit, SubQuery

    with used() as open_mind:
        query = SubQuery(units=(SemanticUnit(concept_identifier="paper lantern"),))
        open_mind.commit(open_mind.recall_queries([query]))
    assert apart(mind) == {NO_TEXT: 1}


def test_notes_that_came_later_are_left_out(used, mind, tmp_path):
    with used() as open_mind:
        later = concept("sem_later", "paper lantern of rice")
        open_mind.ingest(written(tmp_path / "more.json", [later]))
        assert "sem_later" in [memory.key for memory in open_mind.recall("paper lantern").memories]
    found = replay(opening(mind), {})
    assert found.replayed == 3 and all("sem_later" not in one.now + one.tried for one in found.recalls)


def test_notes_that_changed_are_counted_apart(used, mind):
    from soulmem.model.changes import Change, NoteUpdate

    with used() as open_mind:
        note = open_mind.note("sem_bread")
        update = NoteUpdate(note=note.id, values={"description": "black and heavy"})
        open_mind.store.apply(Change(command="test", what="another description", at=AT, updates=(update,)))
    found = replay(opening(mind), {})
    changed = [one for one in read_all(used) if "sem_bread" in one.ranking]
    assert changed and found.apart[NOTES_CHANGED] == len(changed)
    assert found.replayed == 3 - len(changed) and found.recorded == 3
    with used() as open_mind:
        open_mind.commit(open_mind.recall("rye bread", at=AT + timedelta(hours=1)))
    assert replay(opening(mind), {}).replayed == found.replayed + 1, "what is recalled after the change is as it is"


def read_all(soul):
    with soul(read_only=True) as open_mind:
        return read_recorded(open_mind.store, 100)


def test_notes_that_are_gone_or_changed_by_hand_are_counted_apart(used, mind):
    with used() as open_mind:
        open_mind.cypher("MATCH (n:Semantic {key: 'sem_bread'}) DETACH DELETE n", write=True)
    gone = sum("sem_bread" in one.ranking or one.reason == NOTES_GONE for one in read_all(used))
    found = replay(opening(mind), {})
    assert found.apart[NOTES_GONE] == gone > 0
    assert found.apart[NOTES_CHANGED] == 3 - gone and found.replayed == 0


class Other(HashingEmbedder):
    """Another embedder of the same length."""

    @property
    def name(self) -> str:
        return "hashing-other"


def test_another_embedder_since_is_counted_apart_and_the_same_one_is_not(used, mind):
    with used() as open_mind:
        open_mind.reembed(HashingEmbedder())
    assert apart(mind) == {}
    with used() as open_mind:
        open_mind.reembed(Other())
        recorded = read_recorded(open_mind.store, 10)
    assert [one.reason for one in recorded] == [OTHER_EMBEDDER] * 3


def test_what_is_counted_adds_up(used, mind):
    found = replay(opening(mind), {})
    assert found.recorded == found.replayed + sum(found.apart.values())
    assert without(found.counts) == dict.fromkeys(found.metrics, 3) or found.counts["overlap@5"] == 3
