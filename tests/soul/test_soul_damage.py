"""Files that were damaged past soulmem: said, whatever the engine makes of them."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
from soul_minds import TALK, TEA, chat, graph, took

from soulmem.errors import StoreError
from soulmem.examination import examined
from soulmem.soul import Soul


def test_a_whole_mind_is_whole(mind: Soul) -> None:
    took(mind, graph(*TEA), "tea")
    path = mind.store.path
    mind.close()
    assert examined(path).findings == () == examined(path).waiting


@pytest.mark.parametrize("seed", [1, 2])
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
