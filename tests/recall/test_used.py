"""Which memories a reply drew on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.model.notes import NoteType
from soulmem.model.results import Memory, Stage
from soulmem.recall.used import used_memories


def memory(text: str, stage: Stage = Stage.SIMILARITY) -> Memory:
    return Memory(id=text, key=text[:8], type=NoteType.SEMANTIC, text=text, score=0.5, stage=stage)


ENGLISH = (
    memory("Satay is skewered meat with peanut sauce"),
    memory("Bo went to hospital because of peanuts"),
    memory("The harbour bell rings at seven", Stage.ASSOCIATION),
    memory("Bo"),
)
CHINESE = (memory("沙嗲酱里有花生"), memory("阿波对花生过敏，住过院"), memory("码头的钟七点响"))


@pytest.mark.parametrize(
    ("memories", "reply", "used"),
    [
        (ENGLISH, "No peanut sauce on the satay for me!", [0]),
        (ENGLISH, "You were in hospital, those peanuts.", [1]),
        (ENGLISH, "It will ring at seven, the harbour bell.", [2]),
        (ENGLISH, "Nice weather.", []),
        (ENGLISH, "", []),
        (CHINESE, "沙嗲里有花生酱，我可不敢吃。", [0]),
        (CHINESE, "你花生过敏，上次还住院了。", [1]),
        (CHINESE, "今天天气真好。", []),
    ],
)
def test_what_is_said_of_a_memory_uses_it(memories: tuple[Memory, ...], reply: str, used: list[int]) -> None:
    assert used_memories(memories, reply) == tuple(memories[place] for place in used)


def test_what_is_always_in_mind_is_not_counted() -> None:
    assert used_memories([memory("Satay sauce", Stage.CORE)], "Satay sauce") == ()


def test_a_word_that_most_memories_share_says_nothing() -> None:
    about = [memory(f"Marek likes {what}") for what in ("boats", "trains", "planes")]
    assert used_memories(about, "Marek likes me") == ()
    assert used_memories(about, "trains are slow") == (about[1],)


@given(st.lists(st.text(max_size=20), max_size=5, unique=True), st.text(max_size=40))
def test_a_reply_that_repeats_everything_uses_no_less(texts: list[str], reply: str) -> None:
    memories = [memory(text) for text in texts]
    used = [one.id for one in used_memories(memories, reply)]
    more = [one.id for one in used_memories(memories, "\n".join([reply, *texts]))]
    assert set(used) <= set(more)
    assert used == [one.id for one in memories if one.id in used]
