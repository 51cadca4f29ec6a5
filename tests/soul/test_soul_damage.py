"""Files that were damaged past soulmem: said, whatever the engine makes of them."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
from soul_minds import TALK, chat, took

from soulmem.errors import StoreError
from soulmem.examination import examined
from soulmem.model.notes import Category
from soulmem.soul import Soul


def test_a_whole_mind_is_whole(tea: Soul) -> None:
    path = tea.store.path
    tea.close()
    assert examined(path).findings == () == examined(path).waiting


@pytest.mark.parametrize("seed", [1])
def test_random_bytes_end_in_an_error_not_in_a_dead_process(tea: Soul, seed: int) -> None:
    took(tea, chat(*TALK), "talk.jsonl")
    tea.close()
    path = tea.store.path.with_name("damaged.mind")
    shutil.copy(tea.store.path, path)
    damage(path, random.Random(seed))
    with pytest.raises(StoreError) as caught:
        examined(path)
    assert str(path) in str(caught.value) and caught.value.advice


def damage(path: Path, draw: random.Random) -> None:
    """Every thousandth byte after the head of the file."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        for _ in range(size // 1000):
            file.seek(draw.randrange(4096, size))
            file.write(bytes([draw.randrange(256)]))


def test_a_note_made_past_soulmem_is_indexed_by_reembedding(tea: Soul) -> None:
    made = "CREATE (:Semantic {id: 'x1', key: 'sem_x1', content: 'zorblax', aliases: [], concept_type: 'Entity', "
    made += (
        f"category: '{Category.IDENTITY.value}', created_at: timestamp('2026-01-01'), last_accessed_at: timestamp('2026-01-01'), "
    )
    made += "decayed_at: timestamp('2026-01-01'), strength: 1.0, retrieval_count: 0, pinned: false, core: false, active: true, "
    made += "scope: 'direct', tags: [], length: 0})"
    tea.cypher(made, write=True)
    assert tea.check()
    tea.reembed()
    assert tea.check() == ()
    assert "sem_x1" in {memory.key for memory in tea.recall("zorblax").memories}


def test_half_a_note_made_past_soulmem_is_told_and_hurts_no_recall(tea: Soul) -> None:
    before = {memory.key for memory in tea.recall("tea").memories}
    tea.cypher("CREATE (:Semantic {id: 'x1', key: 'sem_x1', content: 'zorblax'})", write=True)
    assert {memory.key for memory in tea.recall("tea").memories} == before
    with pytest.raises(StoreError, match="x1") as caught:
        tea.check()
    assert "cypher --write" in (caught.value.advice or "")
    tea.cypher("MATCH (n:Semantic {id: 'x1'}) DETACH DELETE n", write=True)
    tea.reembed()
    assert tea.check() == ()
