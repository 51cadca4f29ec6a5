"""Merging: what the queries found, and what the walk brought, into one list with seats for both (SPEC §4.5)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from soulmem.graph.walk import Association
from soulmem.model.notes import NoteType
from soulmem.model.results import Stage
from soulmem.recall.similarity import Candidate
from soulmem.settings import Settings

#: The share of the seats, in whole ones, that association-only notes keep, whatever was found directly.
ASSOCIATION_SHARE = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """``candidates`` by id, with merged scores; ``seeds``: note id → score of those that passed floor and cut, best first;
    ``procedures``: ways of acting that the question speaks of, apart, where they do not compete."""

    candidates: Mapping[str, Candidate]
    seeds: Mapping[str, float]
    procedures: Mapping[str, float]


def merge_queries(
    found: Sequence[tuple[float, Sequence[Candidate]]],
    settings: Settings,
    *,
    procedures_compete: bool,
    held: Collection[str] = (),
) -> Merged:
    """Merge (priority, candidates best first) of every query: per note the priority-weighted mean over the queries in which it
    appears. A query's seeds are its best ``max_results`` at or above the floor, without the notes ``held`` back."""
    sums: dict[str, tuple[float, float]] = {}
    best: dict[str, Candidate] = {}
    procedures: dict[str, float] = {}
    for priority, candidates in found:
        competing = [
            one for one in candidates if (procedures_compete or one.type is not NoteType.PROCEDURE) and one.id not in held
        ]
        aside = [one for one in candidates if not procedures_compete and one.type is NoteType.PROCEDURE]
        procedures |= {one.id: one.score for one in _passing(aside, settings)}
        for one in _passing(competing, settings):
            total, weight = sums.get(one.id, (0.0, 0.0))
            sums[one.id] = (total + priority * one.score, weight + priority)
        for one in candidates:
            if one.id not in best or one.score > best[one.id].score:
                best[one.id] = one
    means = {note: total / weight for note, (total, weight) in sums.items()}
    order = sorted(means, key=lambda note: (-means[note], best[note].key))
    return Merged(candidates=best, seeds={note: means[note] for note in order}, procedures=procedures)


def _passing(candidates: Sequence[Candidate], settings: Settings) -> Sequence[Candidate]:
    """The floor judges what the question resembles; what is half forgotten comes after the rest, but is not silenced."""
    return [one for one in candidates if one.relevance >= settings.similarity_floor and one.score > 0][: settings.max_results]


def association_scores(
    association: Association | None, seeds: Mapping[str, float], without: frozenset[str], settings: Settings
) -> dict[str, float]:
    """The best notes the walk brought besides the seeds, on the scale of the seeds' scores: what the walk gives most to among
    the seeds stands for the best of their scores. So a note much walked to comes before what the question hardly resembles, and
    none before what it resembles most."""
    if association is None:
        return {}
    top = association.top(settings.association_top_k, without={*seeds, *without})
    if not top:
        return {}
    places = [association.graph.places[note] for note in seeds]
    best, most = max(seeds.values()), float(association.values[places].max())
    return {note: best * min(score / most, 1.0) for note, score in top}


def linked_seeds(association: Association | None, seeds: Mapping[str, float]) -> frozenset[str]:
    """Seeds to which another seed links: the walk leads to them too."""
    if association is None:
        return frozenset()
    graph = association.graph
    places = {graph.places[note] for note in seeds}
    reached: set[int] = set()
    for place in places:
        targets, shares = graph.row(place)
        reached |= {
            target for target, share in zip(targets.tolist(), shares.tolist(), strict=True) if share > 0 and target != place
        }
    return frozenset(graph.ids[place] for place in reached & places)


def seats(seeds: Mapping[str, float], carried: Mapping[str, float], both: Collection[str], top: int) -> dict[str, Stage]:
    """Who gets one of the ``top`` seats: seeds and carried notes in order, but neither side drowns the other.

    ``both``: seeds that the walk leads to as well.
    """
    kept = min(len(carried), int(top * ASSOCIATION_SHARE))
    direct = list(seeds)[: max(top - kept, 0)]
    rest = list(carried)[: max(top - len(direct), 0)]
    found = {note: Stage.BOTH if note in both else Stage.SIMILARITY for note in direct}
    return found | dict.fromkeys(rest, Stage.ASSOCIATION)
