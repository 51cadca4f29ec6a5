"""Files that were damaged past soulmem: said, whatever the engine makes of them."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
from soul_minds import TALK, TEA, chat, graph, took

from soulmem.errors import StoreError
from soulmem.examination import examined
from soulmem.model.notes import Category
from soulmem.soul import Soul


def test_a_whole_mind_is_whole(mind: Soul) -> None:
    took(mind, graph(*TEA), "tea")
    path = mind.store.path
    mind.close()
    assert examined(path).findings == () == examined(path).waiting


@pytest.mark.parametrize("seed", [1])
def test_random_bytes_end_in_an_error_not_in_a_dead_process(mind: Soul, seed: int) -> None:
    took(mind, graph(*TEA), "tea")
    took(mind, chat(*TALK), "talk.jsonl")
    mind.close()
    path = mind.store.path.with_name("damaged.mind")
    shutil.copy(mind.store.path, path)
    damage(path, random.Random(seed))
    with pytest.raises(StoreError) as caught:
        examined(path)
    assert str(path) in str(caught.value) and caught.value.advice


def damage(path: Path, draw: random.Random) -> None:
    """Every hundredth byte after the head of the file."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        for _ in range(size // 100):
            file.seek(draw.randrange(4096, size))
            file.write(bytes([draw.randrange(256)]))


def test_a_note_made_past_soulmem_is_indexed_by_reembedding(mind: Soul) -> None:
    took(mind, graph(*TEA), "tea")
    made = "CREATE (:Semantic {id: 'x1', key: 'sem_x1', content: 'zorblax', aliases: [], concept_type: 'Entity', "
    made += (
        f"category: '{Category.IDENTITY.value}', created_at: timestamp('2026-01-01'), last_accessed_at: timestamp('2026-01-01'), "
    )
    made += "decayed_at: timestamp('2026-01-01'), strength: 1.0, retrieval_count: 0, pinned: false, core: false, active: true, "
    made += "scope: 'direct', tags: [], length: 0})"
    mind.cypher(made, write=True)
    assert mind.check()
    mind.reembed()
    assert mind.check() == ()
    assert "sem_x1" in {memory.key for memory in mind.recall("zorblax").memories}


def test_half_a_note_made_past_soulmem_is_told_and_hurts_no_recall(mind: Soul) -> None:
    took(mind, graph(*TEA), "tea")
    before = {memory.key for memory in mind.recall("tea").memories}
    mind.cypher("CREATE (:Semantic {id: 'x1', key: 'sem_x1', content: 'zorblax'})", write=True)
    assert {memory.key for memory in mind.recall("tea").memories} == before
    with pytest.raises(StoreError, match="x1") as caught:
        mind.check()
    assert "cypher --write" in (caught.value.advice or "")
    mind.cypher("MATCH (n:Semantic {id: 'x1'}) DETACH DELETE n", write=True)
    mind.reembed()
    assert mind.check() == ()
