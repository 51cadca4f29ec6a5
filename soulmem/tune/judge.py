"""Judging one answer against the truth: what was found, what is missing, and the measures of it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from soulmem.model.notes import NoteType
from soulmem.model.results import Action, Memory, Recollection, Stage
from soulmem.tune.metrics import hit_at, ndcg_at, precision_at, recall_at, reciprocal_rank
from soulmem.tune.questions import Case, Suite

#: The depths at which rankings are always cut.
DEPTHS = (5, 10, 25)
#: How many places of each type of action count.
ACTION_DEPTH = 3

Scores = dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One answer, judged. ``ranking`` and ``actions``: keys, best first (lines of a chat: their numbers). ``judged``: whether the
    truth says anything about this suite; ``passed``: whether nothing it says is ``missing``. ``scores``: measure → 0..1."""

    ranking: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    passed: bool = True
    judged: bool = True
    missing: tuple[str, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)


def ranking_scores(ranking: Sequence[str], musts: Sequence[str], bonus: Sequence[str], depths: Sequence[int]) -> Scores:
    """The measures of a ranking of which ``musts`` (not empty) must be found and ``bonus`` may be.

    Recall, hit rate and nDCG know the musts only; precision counts a bonus as right. ``mrr``: of the first must, the places that
    bonus notes take not counted, since they are no mistakes; ``mrr_strict``: with those places counted. ``must_hit``: whether all
    musts are found, at whatever place.
    """
    scores = {f"recall@{k}": recall_at(ranking, musts, k) for k in depths}
    scores |= {f"precision@{k}": precision_at(ranking, (*musts, *bonus), k) for k in depths}
    scores["hit_rate"] = hit_at(ranking, musts, 10)
    scores["must_hit"] = float(set(musts) <= set(ranking))
    only_bonus = set(bonus) - set(musts)
    scores["mrr"] = reciprocal_rank([one for one in ranking if one not in only_bonus], musts)
    scores["mrr_strict"] = reciprocal_rank(ranking, musts)
    scores["ndcg@10"] = ndcg_at(ranking, musts, 10)
    return scores


def judge(suite: Suite, case: Case, found: Recollection, depths: Sequence[int]) -> Outcome:
    """Judge the answer to a structured question. ``depths``: where rankings are cut."""
    judges: Mapping[Suite, Callable[[Case, Recollection, Sequence[int]], Outcome]] = {
        Suite.SIMILARITY: _judge_similarity,
        Suite.ASSOCIATION: _judge_association,
        Suite.FULL: _judge_full,
    }
    return judges[suite](case, found, depths)


# Core notes are always there: they count where they are asked for, and are no mistake where they are not.


def _counts(memory: Memory, case: Case) -> bool:
    return memory.stage is not Stage.CORE or memory.key in case.musts


def _is_direct(memory: Memory) -> bool:
    return memory.stage in (Stage.SIMILARITY, Stage.BOTH) or (memory.stage is Stage.CORE and memory.score > 0)


def _direct(found: Recollection, case: Case) -> tuple[str, ...]:
    return tuple(memory.key for memory in found.memories if _is_direct(memory) and _counts(memory, case))


def _walked(found: Recollection) -> tuple[str, ...]:
    return tuple(memory.key for memory in found.memories if memory.stage is Stage.ASSOCIATION)


def _judge_full(case: Case, found: Recollection, depths: Sequence[int]) -> Outcome:
    ranking = tuple(memory.key for memory in found.memories if _counts(memory, case))
    if case.negative:
        return negative(ranking)
    scores = ranking_scores(ranking, case.musts, case.bonus, depths) if case.musts else {}
    distant = _distant(case, found)
    if distant:
        scores["association_only"] = float(set(distant) <= set(_walked(found)))
    action_scores, without_action = _judge_actions(case, found.actions)
    pattern_scores, without_pattern = _judge_patterns(case, found)
    missing = [must for must in case.musts if must not in ranking]
    missing += [*without_action, *without_pattern]
    return Outcome(
        ranking=ranking,
        actions=tuple(action.key for action in found.actions),
        passed=not missing,
        judged=bool(case.musts or case.actions or action_scores or pattern_scores),
        missing=tuple(dict.fromkeys(missing)),
        scores={**scores, **action_scores, **pattern_scores},
    )


def _distant(case: Case, found: Recollection) -> tuple[str, ...]:
    """The musts that the question does not resemble: those only the walk can bring. Core notes are there without it."""
    near = {memory.key for memory in found.memories if _is_direct(memory) or memory.stage is Stage.CORE}
    return tuple(must for must in case.musts if must not in near)


def _judge_similarity(case: Case, found: Recollection, depths: Sequence[int]) -> Outcome:
    ranking = _direct(found, case)
    if case.negative:
        return negative(ranking)
    missing = tuple(must for must in case.musts if must not in ranking)
    return Outcome(
        ranking=ranking,
        passed=not missing,
        judged=bool(case.musts),
        missing=missing,
        scores=ranking_scores(ranking, case.musts, case.bonus, depths) if case.musts else {},
    )


def per_query_scores(case: Case, alone: Sequence[Recollection]) -> Scores:
    """How much of what each sub-query must find it finds when it is asked alone; the mean over those that must find anything."""
    shares = [
        recall_at([memory.key for memory in found.memories if _is_direct(memory)], musts, len(found.memories))
        for musts, found in zip(case.per_query, alone, strict=True)
        if musts
    ]
    return {"per_query_recall": sum(shares) / len(shares)} if shares else {}


def _judge_association(case: Case, found: Recollection, depths: Sequence[int]) -> Outcome:
    """Only what the question does not resemble is asked of the walk."""
    ranking = _walked(found)
    if case.negative:
        return negative(ranking)
    distant = _distant(case, found)
    missing = tuple(must for must in distant if must not in ranking)
    scores = ranking_scores(ranking, distant, case.bonus, depths) if distant else {}
    if distant:
        scores["association_only"] = float(not missing)
    pattern_scores, _ = _judge_patterns(case, found)
    by_walk = {name: value for name, value in pattern_scores.items() if name == "abstract_by_association"}
    return Outcome(ranking=ranking, passed=not missing, judged=bool(distant), missing=missing, scores={**scores, **by_walk})


def negative(ranking: Sequence[str]) -> Outcome:
    """Judge the answer to a question about nothing the mind knows: there must be none."""
    return Outcome(ranking=tuple(ranking), passed=not ranking, scores={"negatives_empty": float(not ranking)})


def _judge_actions(case: Case, actions: Sequence[Action]) -> tuple[Scores, tuple[str, ...]]:
    """``action_hit``: any expected action fires; ``action_recall@3``: share of them among the first three of their type."""
    if not case.actions:
        return {}, ()
    keys = [action.key for action in actions]
    first = [key for key, action in zip(keys, actions, strict=True) if _place_in_type(action, actions) < ACTION_DEPTH]
    hit = hit_at(keys, case.actions, len(keys))
    scores = {"action_hit": hit, f"action_recall@{ACTION_DEPTH}": recall_at(first, case.actions, len(first))}
    return scores, () if hit else case.actions


def _place_in_type(action: Action, actions: Sequence[Action]) -> int:
    same = [one.key for one in actions if one.action_type is action.action_type]
    return same.index(action.key)


def _judge_patterns(case: Case, found: Recollection) -> tuple[Scores, tuple[str, ...]]:
    """``abstract_detected``: all expected patterns are found (any, where none is named); ``abstract_direct``: all of them by
    likeness; ``abstract_by_association``: all are found, and some by walking alone."""
    if not case.abstracts and not case.pattern:
        return {}, ()
    patterns = {memory.key: memory for memory in found.memories if memory.type is NoteType.ABSTRACT}
    wanted = case.abstracts or tuple(patterns)[:1]
    missing = tuple(one for one in wanted if one not in patterns)
    detected = bool(wanted) and not missing
    direct = detected and all(_is_direct(patterns[one]) for one in wanted)
    scores = {
        "abstract_detected": float(detected),
        "abstract_direct": float(direct),
        "abstract_by_association": float(detected and not direct),
    }
    return scores, missing if wanted else ("any pattern",)


def judge_lines(case: Case, ranking: Sequence[str], depths: Sequence[int]) -> Outcome:
    """Judge the lines found for a question about a conversation: it passes when all its evidence is among the first ten."""
    if case.negative:
        return negative(ranking)
    missing = tuple(line for line in case.musts if line not in ranking[:10])
    return Outcome(
        ranking=tuple(ranking),
        passed=not missing,
        judged=bool(case.musts),
        missing=missing,
        scores=ranking_scores(ranking, case.musts, (), depths) if case.musts else {},
    )
