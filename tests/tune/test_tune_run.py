"""Evaluating a mind: the same answers however it is done, and what the settings of an evaluation are."""

from __future__ import annotations

import numpy as np
import pytest
from tune_minds import AT, CASES, EVIDENCE, asks, case, chat, opening, question_file, suite, written

from soulmem.errors import InputError, QueryError
from soulmem.settings import Settings
from soulmem.soul import Soul
from soulmem.tune.judge import judge
from soulmem.tune.questions import Suite, read_questions
from soulmem.tune.remembered import RememberedEmbedder, RememberedStore
from soulmem.tune.run import base_settings, evaluate
from soulmem.tune.weights import grid

POINTS = grid({"damping": 0.2}, {"max_results": (1, 3)})
RETRIEVE = (Suite.SIMILARITY, Suite.ASSOCIATION, Suite.FULL)


@pytest.mark.parametrize("suite_of", RETRIEVE)
def test_a_run_is_what_asking_one_by_one_gives(mind, soul, tmp_path, suite_of):
    questions = question_file(tmp_path)
    run = evaluate(questions, suite_of, opening(mind), points=POINTS, at=AT)
    for point, outcomes in zip(POINTS, run.outcomes, strict=True):
        base = Settings(similarity_floor=0.5, max_results=3, association_time_limit_ms=600_000.0)
        with soul(read_only=True, settings=base.with_values(**point)) as fresh:
            for one, outcome in zip(questions.cases, outcomes, strict=True):
                top = 100_000 if suite_of is Suite.SIMILARITY else 10
                found = fresh.recall_queries(one.queries, top=top, at=AT)
                expected = judge(suite_of, one, found, run.depths)
                assert (outcome.ranking, outcome.actions, outcome.passed) == (expected.ranking, expected.actions, expected.passed)
                assert expected.scores.items() <= outcome.scores.items()


def test_the_small_mind_is_found_as_it_was_made(mind, tmp_path):
    run = evaluate(question_file(tmp_path), Suite.FULL, opening(mind), at=AT)
    direct, two, walk, negative = run.outcomes[0]
    assert direct.ranking[0] == "sem_lantern" and direct.passed and two.passed and negative.passed
    assert walk.passed and walk.scores["association_only"] == walk.scores["action_hit"] == 1.0
    assert run.embedder == "hashing" and run.depths == (1, 3, 5, 10, 25)
    run = evaluate(question_file(tmp_path), Suite.SIMILARITY, opening(mind), at=AT)
    assert [outcome.passed for outcome in run.outcomes[0]] == [True, True, False, True]
    assert run.outcomes[0][0].scores["per_query_recall"] == 1.0
    run = evaluate(question_file(tmp_path), Suite.ASSOCIATION, opening(mind), at=AT)
    assert [outcome.judged for outcome in run.outcomes[0]] == [False, False, True, True]


def test_two_processes_give_the_same_and_tell_how_far_they_are(mind, tmp_path):
    questions = question_file(tmp_path)
    told: list[tuple[str, int, int]] = []
    alone = evaluate(questions, Suite.FULL, opening(mind), points=POINTS, at=AT)
    both = evaluate(
        questions, Suite.FULL, opening(mind), points=POINTS, at=AT, jobs=2, progress=lambda *told_of: told.append(told_of)
    )
    assert both == alone
    total = len(POINTS) * len(CASES)
    assert told[-1] == ("queries.json", total, total) and [done for _, done, _ in told] == sorted(done for _, done, _ in told)


def test_an_evaluation_changes_nothing_in_the_mind(mind, soul, tmp_path):
    with soul(read_only=True) as before:
        state = (before.export_graph(), before.log(100), before.stats()["recalls"])
    evaluate(question_file(tmp_path), Suite.FULL, opening(mind), at=AT)
    with soul(read_only=True) as after:
        assert (after.export_graph(), after.log(100), after.stats()["recalls"]) == state


def test_the_file_is_above_the_mind_and_the_profile_above_the_file(soul):
    config = {"similarity_floor": 0.1, "max_results": 7}
    with soul() as open_mind:
        assert base_settings(open_mind, config) == Settings(
            similarity_floor=0.1, max_results=7, association_time_limit_ms=600_000.0
        )
        open_mind.save_profile({"max_results": 2, "damping": 0.5})
        assert base_settings(open_mind, config) == Settings(
            similarity_floor=0.1, max_results=2, damping=0.5, association_time_limit_ms=600_000.0
        )


def test_what_the_mind_does_not_have_is_left_out_and_named(mind, tmp_path):
    cases = [
        case("some", asks("paper lantern"), musts=["sem_lantern", "sem_nowhere"]),
        case("all", asks("paper lantern"), musts=["sem_nowhere"]),
    ]
    run = evaluate(question_file(tmp_path, suite(cases)), Suite.FULL, opening(mind), at=AT)
    some, all_ = run.outcomes[0]
    assert some.passed and some.scores["recall@5"] == 1.0
    assert all_.passed and not all_.judged and not all_.scores, "an error of the file is no failed case, nor a negative one"
    assert [one.unknown for one in run.cases] == [("sem_nowhere",)] * 2


def test_a_mind_with_nothing_of_the_truth_is_the_wrong_one(mind, tmp_path):
    questions = question_file(tmp_path, suite([case("x", asks("a"), musts=["sem_nowhere"])]))
    with pytest.raises(InputError, match="right mind"):
        evaluate(questions, Suite.FULL, opening(mind), at=AT)


def test_a_case_that_asks_nothing_is_an_error(mind, tmp_path):
    questions = question_file(tmp_path, suite([case("empty one", musts=["sem_lantern"])]))
    with pytest.raises(InputError, match="empty one"):
        evaluate(questions, Suite.FULL, opening(mind), at=AT)


# -- evidence -----------------------------------------------------------------------------------------------------------------


def evidence_file(tmp_path, **more):
    return read_questions(written(tmp_path / "e.json", EVIDENCE | more), Suite.EVIDENCE)


def test_lines_are_ranked_and_judged(mind, tmp_path):
    run = evaluate(evidence_file(tmp_path), Suite.EVIDENCE, opening(mind), at=AT)
    ferry, key, nothing = run.outcomes[0]
    assert ferry.ranking[0] == "3" and ferry.scores["mrr"] == 1.0 and ferry.passed
    assert key.scores["recall@5"] == 1.0 and set(key.ranking) <= {"0", "1", "2", "3"}
    assert nothing.passed and nothing.scores == {"negatives_empty": 1.0}


def test_lines_of_other_chats_take_their_places_under_their_own_name(soul, mind, tmp_path):
    other = tmp_path / "other.jsonl"
    other.write_text(chat().replace("Greta", "Gerda"))
    with soul() as open_mind:
        open_mind.ingest(other)
    run = evaluate(evidence_file(tmp_path), Suite.EVIDENCE, opening(mind), at=AT)
    names = [line for line in run.outcomes[0][1].ranking if not line.isdigit()]
    assert names and all(line.startswith("other.jsonl:") for line in names)


def test_a_chat_is_known_by_its_content_its_place_or_its_name(mind, tmp_path):
    (tmp_path / "renamed.jsonl").write_text(chat())
    run = evaluate(evidence_file(tmp_path, chat="renamed.jsonl"), Suite.EVIDENCE, opening(mind), at=AT)
    assert run.outcomes[0][0].passed
    with pytest.raises(InputError, match=r"has not read nowhere\.jsonl"):
        evaluate(evidence_file(tmp_path, chat="nowhere.jsonl"), Suite.EVIDENCE, opening(mind), at=AT)


def test_lines_that_the_chat_does_not_have_are_left_out(mind, tmp_path):
    questions = [EVIDENCE["questions"][0] | {"evidence": [3, 99]}]
    run = evaluate(evidence_file(tmp_path, questions=questions), Suite.EVIDENCE, opening(mind), at=AT)
    assert run.cases[0].unknown == ("99",) and run.outcomes[0][0].scores["recall@5"] == 1.0


# -- reading once -------------------------------------------------------------------------------------------------------------


class Counting:
    """The hashing embedder, which counts."""

    def __init__(self) -> None:
        from soulmem.embed.hashing import HashingEmbedder

        self.inner = HashingEmbedder()
        self.name, self.dimension, self.asked = self.inner.name, self.inner.dimension, []

    def queries(self, texts):
        self.asked += texts
        return self.inner.queries(texts)

    def passages(self, texts):
        return self.inner.passages(texts)


def test_a_sweep_embeds_every_text_once(mind, soul, tmp_path):
    counting = Counting()

    def open_it() -> Soul:
        return soul(read_only=True, embedder=counting)

    evaluate(question_file(tmp_path), Suite.SIMILARITY, open_it, points=POINTS, at=AT)
    assert sorted(counting.asked) == ["paper lantern", "rye bread", "zqxj vvkw"]
    assert np.array_equal(RememberedEmbedder(counting).queries(["a", "b", "a"]), counting.inner.queries(["a", "b", "a"]))
    assert RememberedEmbedder(counting).queries([]).shape == (0, counting.dimension)


def test_what_is_remembered_cannot_be_changed_by_who_reads_it(soul):
    with soul(read_only=True) as open_mind:
        store = RememberedStore(open_mind.store)
        for _ in range(2):
            rows = store.query("store.all_keys")
            assert rows == open_mind.store.query("store.all_keys")
            rows[0]["key"] = "changed"
            rows.clear()
            vector = [0.0] * open_mind.record.dimension
            asked = {"tags": vector, "concept": vector, "description": vector}
            columns = store.columns("recall.cosines_semantic", **asked)
            expected = open_mind.store.columns("recall.cosines_semantic", **asked)
            assert {name: list(map(str, values)) for name, values in columns.items()} == {
                name: list(map(str, values)) for name, values in expected.items()
            }
            assert len(set(columns["id"])) > 2
            for values in columns.values():
                values[:] = values[::-1]
        with pytest.raises(QueryError):
            store.query("recall.during", start=1, stop=2, limit=3)


def test_forgetting_reads_anew(soul):
    with soul() as open_mind:
        store = RememberedStore(open_mind.store)
        before = store.query("store.last_operation")
        note = open_mind.note("sem_oil")
        assert store.notes([note.id, "nobody", note.id]) == [note, note]
        open_mind.save_profile({"damping": 0.5})
        assert store.query("store.last_operation") == before
        store.forget()
        assert store.query("store.last_operation") != before
        assert store.notes([note.id]) == [note] and store.path == open_mind.store.path


# -- the profile in the mind --------------------------------------------------------------------------------------------------


def test_a_profile_is_used_by_later_recalls_journalled_and_removable(soul, mind):
    with soul() as open_mind:
        first = open_mind.recall("paper lantern").memories
        operation = open_mind.save_profile({"max_results": 1, "association_top_k": 1}, {"suite": "retrieve/full"})
        assert operation.command == "tune" and open_mind.log(1)[0] == operation
        few = open_mind.recall("paper lantern").memories
        assert len(few) < len(first)
    with soul(read_only=True) as open_mind:
        assert open_mind.settings == Settings(max_results=1, association_top_k=1)
        assert [one.key for one in open_mind.recall("paper lantern").memories] == [one.key for one in few]
        assert open_mind.profile.measured == {"suite": "retrieve/full"}
    with soul(settings=Settings()) as open_mind:
        assert open_mind.settings == Settings(), "settings that are given are taken as they are"
    with soul() as open_mind:
        assert open_mind.remove_profile() is not None and open_mind.remove_profile() is None
        assert open_mind.settings == Settings() and open_mind.profile.weights == {}
        assert [one.key for one in open_mind.recall("paper lantern").memories] == [one.key for one in first]
        assert open_mind.check() == ()


def test_an_impossible_profile_changes_nothing(soul):
    with soul() as open_mind:
        operations = open_mind.log(100)
        with pytest.raises(InputError):
            open_mind.save_profile({"damping": 1.0})
        assert open_mind.log(100) == operations and open_mind.settings == Settings()
