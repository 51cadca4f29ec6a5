"""A mind and its embedder: never mixed, changed in one transaction, and no text is embedded twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from soul_minds import AT, TALK, TEA, Minds, chat, concept, graph, opened, said, shown, took, whole

from soulmem.edit import Edit
from soulmem.embed.cache import cache_id
from soulmem.embed.hashing import HashingEmbedder
from soulmem.errors import EmbedderError, EmbedderMismatchError
from soulmem.indexing import kept_vectors, whole_texts
from soulmem.model.notes import SpecificSituation
from soulmem.soul import Soul
from soulmem.store.contract import all_notes
from soulmem.store.own_vectors import place_of


class Counting(HashingEmbedder):
    """The hashing embedder, counting the texts it is asked for."""

    def __init__(self) -> None:
        self.asked: Counter[tuple[str, str]] = Counter()

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked.update(("query", text) for text in texts)
        return super().queries(texts)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked.update(("passage", text) for text in texts)
        return HashingEmbedder.queries(self, texts)

    @property
    def passages_asked(self) -> Counter[str]:
        return Counter({text: number for (side, text), number in self.asked.items() if side == "passage"})


class Letters:
    """Another embedder: which letters a text has, and how often."""

    name = "letters"
    dimension = 26

    def __init__(self) -> None:
        self.calls = 0

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        counts = np.array([[text.lower().count(chr(97 + n)) for n in range(26)] for text in texts], dtype=np.float32)
        lengths = np.linalg.norm(counts.reshape(len(texts), 26), axis=1, keepdims=True)
        return np.asarray(counts.reshape(len(texts), 26) / np.where(lengths == 0, 1, lengths), dtype=np.float32)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls += len(texts)
        return self.queries(texts)


class Failing(Letters):
    """Gives up after some texts."""

    name = "failing"

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.calls > 3:
            raise EmbedderError("the model has gone away")
        return super().passages(texts)


class Interrupted(Counting):
    """As if Ctrl-C were pressed while texts are embedded."""

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise KeyboardInterrupt


def test_another_embedder_is_refused_with_the_command_that_changes_it(mind: Soul) -> None:
    took(mind, graph(*TEA), "tea")
    before = whole(mind)
    with opened(mind.store.path, embedder=Letters()) as other:
        for use in (lambda: other.recall("green tea"), lambda: took(other, chat(*TALK))):
            with pytest.raises(EmbedderMismatchError, match="soulmem reembed letters"):
                use()
    assert whole(mind) == before


def test_no_passage_is_embedded_twice(minds: Minds) -> None:
    counting = Counting()
    soul = minds(embedder=counting)
    took(soul, graph(*TEA), "tea")
    took(soul, graph(*TEA), "tea again")
    took(soul, chat(*TALK), "talk")
    took(soul, chat(*TALK, said("Ann", "And one more.")), "talk")
    took(soul, graph(concept("sem_copy", "green tea", tags=["drink"], description="hot")), "copy")
    assert counting.passages_asked and set(counting.passages_asked.values()) == {1}
    assert "green tea" in counting.passages_asked


def test_what_was_embedded_is_known_after_opening_again(minds: Minds) -> None:
    first, second = Counting(), Counting()
    soul = minds(embedder=first)
    took(soul, graph(*TEA), "tea")
    path = soul.store.path
    soul.close()
    with opened(path, embedder=second) as again:
        took(again, graph(concept("sem_copy", "green tea", tags=["drink"], description="hot")), "copy")
        assert second.asked == Counter()
        again.reembed(second)
        assert first.passages_asked.keys() & second.passages_asked.keys() == set()


def test_a_dry_run_and_looking_embed_nothing(minds: Minds) -> None:
    counting = Counting()
    soul = minds(embedder=counting)
    took(soul, graph(*TEA), "tea")
    counting.asked.clear()
    took(soul, chat(*TALK), "talk", dry_run=True)
    soul.show("sem_tea"), soul.list(), soul.stats(), soul.export_graph(), soul.check()
    assert counting.asked == Counter()
    soul.recall("green tea", messages=2)
    assert counting.asked == Counter([("query", "green tea")])


def vectors_missing(soul: Soul) -> int:
    """How many texts that have words have no vector, or one that is not of length 1."""
    missing = 0
    for table, column in (("Semantic", "v_content"), ("SpecificSituation", "v_narrative"), ("Message", "v_text")):
        text = (
            f"MATCH (n:{table}) RETURN CASE WHEN n.{column} IS NULL THEN 0.0 ELSE array_inner_product(n.{column}, n.{column}) END"
        )
        rows = soul.cypher(text, limit=None).rows
        assert rows
        missing += sum(abs(row[0] - 1.0) > 1e-4 for row in rows)
    return missing


def test_reembedding_makes_all_vectors_anew_in_one_operation(mind: Soul) -> None:
    took(mind, graph(*TEA), "tea")
    took(mind, chat(*TALK), "talk")
    before, by_words = whole(mind), shown(mind.recall("green tea"))
    letters = Letters()
    told: list[tuple[int, int]] = []
    operation = mind.reembed(letters, progress=lambda done, total: told.append((done, total)))
    assert (operation.number, operation.command) == (3, "reembed")
    assert (mind.record.name, mind.record.dimension) == ("letters", 26)
    assert told[-1][0] == told[-1][1] > 0
    assert whole(mind) == before and vectors_missing(mind) == 0 and mind.check() == ()
    assert mind.recall("green tea").memories[0].key == "sem_tea"
    once = letters.calls
    took(mind, graph(concept("sem_new", "lemon tree")), "new")
    assert letters.calls == once + 1 and mind.recall("lemon tree").memories[0].key == "sem_new"
    path = mind.store.path
    mind.close()
    with opened(path, embedder=HashingEmbedder()) as soul, pytest.raises(EmbedderMismatchError):
        soul.recall("green tea")
    with opened(path, embedder=Letters()) as soul:
        assert vectors_missing(soul) == 0
        soul.reembed("hashing")
        assert vectors_missing(soul) == 0
        found = soul.recall("green tea")
        assert found.memories[0].key == "sem_tea" and shown(found).count("sem_tea") == by_words.count("sem_tea")


def test_reembedding_is_seen_by_who_else_has_the_mind_open(mind: Soul) -> None:
    took(mind, graph(*TEA), "tea")
    with opened(mind.store.path) as other, opened(mind.store.path, embedder=Letters()) as third:
        other.recall("green tea")
        mind.reembed(Letters())
        for use in (lambda: other.recall("green tea"), lambda: took(other, chat(*TALK))):
            with pytest.raises(EmbedderMismatchError, match="letters"):
                use()
        assert third.recall("green tea").memories[0].key == "sem_tea"


def test_an_embedder_that_fails_leaves_the_mind_as_it_was(mind: Soul) -> None:
    took(mind, graph(*TEA), "tea")
    before, found = whole(mind), shown(mind.recall("green tea"))
    with pytest.raises(EmbedderError, match="gone away"):
        mind.reembed(Failing())
    assert whole(mind) == before and mind.record.name == "hashing" and len(mind.log()) == 1
    assert shown(mind.recall("green tea")) == found and vectors_missing_notes(mind) == 0


def vectors_missing_notes(soul: Soul) -> int:
    return len(soul.cypher("MATCH (n:Semantic) WHERE n.v_content IS NULL RETURN n.key").rows)


def test_stopping_while_texts_are_embedded_leaves_the_mind_as_it_was(mind: Soul) -> None:
    took(mind, graph(*TEA), "tea")
    before = whole(mind)
    with opened(mind.store.path, embedder=Interrupted()) as soul, pytest.raises(KeyboardInterrupt):
        soul.ingest_bytes(chat(*TALK), name="talk")
    assert whole(mind) == before
    assert took(mind, chat(*TALK), "talk").new == len(TALK), "nobody holds the turn any more"


def test_progress_is_told_of_texts_embedded(minds: Minds) -> None:
    told: list[tuple[str, int, int]] = []
    soul = minds()
    folder = soul.store.path.parent / "files"
    folder.mkdir()
    (folder / "tea.json").write_bytes(graph(*TEA))
    (folder / "talk.jsonl").write_bytes(chat(*TALK))
    names = ("tea.json", "talk.jsonl")
    soul.ingest(*(folder / name for name in names), at=AT, progress=lambda *step: told.append(step))
    for name in names:
        steps = [(done, total) for file, done, total in told if file.endswith(name)]
        assert steps and steps == sorted(steps) and steps[-1][0] == steps[-1][1]


# -- vectors that are those of a message or situation


def _kept(soul: Soul, ids: Sequence[str]) -> dict[str, str]:
    return {row["id"]: row["vector"] for row in soul.store.query("store.embeddings", ids=list(ids))}


def _said(soul: Soul) -> dict[str, str]:
    """What was said and what situations tell: cache id → text."""
    texts = [text for _, text in whole_texts(all_notes(soul.store), soul.store.messages(_lines(soul)))]
    return {cache_id(soul.record.name, "passage", text): text for text in texts}


def _lines(soul: Soul) -> list[str]:
    return [row["id"] for row in soul.store.query("store.all_messages")]


def test_what_is_said_has_one_vector_in_the_file_which_is_known_again(mind: Soul) -> None:
    took(mind, chat(*TALK))
    texts = _said(mind)
    kept = _kept(mind, list(texts))
    assert kept.keys() == texts.keys() and len(texts) > len(TALK)
    assert all(place_of(text) for text in kept.values())
    vectors = kept_vectors(mind.store)(list(texts))
    assert vectors.keys() == texts.keys()
    for cache, text in texts.items():
        assert np.array_equal(vectors[cache], mind.embedder.passages([text])[0])


def test_what_is_taken_back_and_done_again_is_not_embedded_again(minds: Minds) -> None:
    embedder = Counting()
    mind = minds(embedder=embedder)
    took(mind, graph(*TEA), "tea.json")
    took(mind, chat(*TALK))
    texts, before = _said(mind), whole(mind)
    asked = Counter(embedder.passages_asked)
    mind.undo()
    assert kept_vectors(mind.store)(list(texts)).keys() == texts.keys()
    mind.redo()
    assert embedder.passages_asked == asked and whole(mind) == before
    mind.undo()
    took(mind, chat(*TALK))
    assert embedder.passages_asked == asked


def test_the_vector_of_what_a_situation_said_before_is_not_what_it_says_now(minds: Minds) -> None:
    embedder = Counting()
    mind = minds(embedder=embedder)
    took(mind, chat(*TALK))
    situation = next(note for note in all_notes(mind.store) if isinstance(note.body, SpecificSituation))
    text, before = situation.body.narrative, whole(mind)
    former, vector = cache_id(embedder.name, "passage", text), HashingEmbedder().passages([text])[0]
    mind.edit(situation.key, Edit(text="They sold the boat to a man from Halden."))
    assert np.array_equal(kept_vectors(mind.store)([former])[former], vector)
    mind.reembed(embedder)
    assert np.array_equal(kept_vectors(mind.store)([former])[former], vector)
    mind.reembed(Letters())
    mind.reembed(embedder)
    mind.undo(mind.log(9)[-2].number)
    assert mind.export_graph() == before[0]
    (row,) = mind.store.query("store.vectors_of_situations", ids=[situation.id])
    assert np.array_equal(np.asarray(row["vector"], dtype=np.float32), vector)
    assert embedder.passages_asked[text] == 1


def test_what_was_written_past_soulmem_is_no_vector(minds: Minds) -> None:
    embedder = Counting()
    mind = minds(embedder=embedder)
    took(mind, chat(*TALK))
    texts = _said(mind)
    for value in ("'not base64'", "'AAAA'", "NULL", "''", "'@Message'", "'@Nothing/x'"):
        mind.cypher(f"MATCH (e:Embedding) SET e.vector = {value}", write=True)
        assert not any(vector.size == embedder.dimension for vector in kept_vectors(mind.store)(list(texts)).values())
        mind.reembed(embedder)
        kept = kept_vectors(mind.store)(list(texts))
        assert all(np.array_equal(kept[cache], HashingEmbedder().passages([text])[0]) for cache, text in texts.items())


def test_a_former_embedder_is_not_asked_again_for_what_was_said(minds: Minds) -> None:
    embedder = Counting()
    mind = minds(embedder=embedder)
    took(mind, chat(*TALK))
    texts, before = _said(mind), whole(mind)
    asked = Counter(embedder.passages_asked)
    mind.reembed(Letters())
    vectors = kept_vectors(mind.store)(list(texts))
    assert all(np.array_equal(vectors[cache], HashingEmbedder().passages([text])[0]) for cache, text in texts.items())
    mind.reembed(embedder)
    assert {text: number for text, number in embedder.passages_asked.items() if text in asked} == asked
    assert whole(mind) == before


def test_another_line_with_the_same_words_does_not_tell_of_one_that_was_forgotten(mind: Soul) -> None:
    took(mind, chat(said("Bo", "The boat is called Selkie.", 1), said("Ann", "A seal's name.", 2)), "one.jsonl")
    took(mind, chat(said("Bo", "The boat is called Selkie.", 900)), "two.jsonl")
    first, *_ = (row["id"] for row in mind.store.query("store.all_messages") if row["text"] == "The boat is called Selkie.")
    mind.forget_messages([first])
    kept = mind.store.cypher("MATCH (e:Embedding) RETURN e.vector", {}, limit=None).rows
    assert not any(first in vector for (vector,) in kept)
    cache = cache_id(mind.record.name, "passage", "Bo: The boat is called Selkie.")
    assert np.array_equal(kept_vectors(mind.store)([cache])[cache], mind.embedder.passages(["Bo: The boat is called Selkie."])[0])
