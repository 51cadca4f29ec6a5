"""Why a note was, or was not, recalled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from soulmem.model.results import Memory, Recollection, Stage, Step
from soulmem.recall.recollect import Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """``verdict``: ``recalled``, ``action``, ``self_knowledge``, ``below_floor``, ``cut``, ``no_seat``, ``superseded``,
    ``asleep`` or ``not_reached``; ``text`` says it in words, ``fields`` in numbers."""

    key: str
    verdict: str
    text: str
    fields: Mapping[str, Any]


def explain(
    note: str,
    key: str,
    recollection: Recollection,
    trace: Trace,
    superseded_by: Sequence[tuple[str, datetime]] = (),
    asleep_since: datetime | None = None,
) -> Explanation:
    """Explain the place, or the absence, of ``note`` (an id) in ``recollection``. ``superseded_by``: keys of what holds instead
    of it, each since when; ``asleep_since``: when it fell asleep, if it sleeps."""
    told = _explained(note, key, recollection, trace, superseded_by)
    return told if asleep_since is None else _asleep(told, asleep_since, trace)


def _asleep(told: Explanation, since: datetime, trace: Trace) -> Explanation:
    """The explanation of a note that is asleep."""
    line = f"  asleep since {since:%Y-%m-%d %H:%M} UTC, when what was left of it had fallen to {trace.settings.sleep_below:g}: "
    line += "a question finds it directly, no association does; recalling it wakes it"
    verdict = "asleep" if told.verdict in ("not_reached", "below_floor") else told.verdict
    return replace(told, verdict=verdict, text=f"{told.text}\n{line}", fields={**told.fields, "asleep_since": since})


def _explained(
    note: str, key: str, recollection: Recollection, trace: Trace, superseded_by: Sequence[tuple[str, datetime]]
) -> Explanation:
    memory = next((memory for memory in recollection.memories if memory.id == note), None)
    if memory:
        return _recalled(memory, trace)
    fields = _numbers(note, trace)
    if acting := _acting(note, key, recollection):
        verdict, text = acting
        return Explanation(key=key, verdict=verdict, text="\n".join([text, *_channel_lines(fields)]), fields=fields)
    if note in trace.held:
        fields = fields | {"superseded_by": [{"key": other, "at": since} for other, since in superseded_by]}
        verdict, reason = "superseded", _superseded(superseded_by)
    else:
        verdict, reason = _absence(note, fields, trace)
    lines = [f"{key} was not recalled: {reason}", *_channel_lines(fields)]
    return Explanation(key=key, verdict=verdict, text="\n".join(lines), fields=fields)


def _recalled(memory: Memory, trace: Trace) -> Explanation:
    hidden = list(trace.hidden.get(memory.id, ()))
    fields = _numbers(memory.id, trace) | {"stage": memory.stage.value, "final_score": memory.score}
    fields |= {"fading": memory.fading.value, "missing": memory.missing, "hidden": hidden, "revised": memory.revised}
    lines = [f"{memory.key} was recalled: {_STAGES[memory.stage]} (score {memory.score:.3f})"]
    lines += path_lines(memory.path)
    lines += [*_channel_lines(fields), *_fading_lines(memory, hidden)]
    return Explanation(key=memory.key, verdict="recalled", text="\n".join(lines), fields=fields)


def _fading_lines(memory: Memory, hidden: Sequence[str]) -> list[str]:
    lines = [f"  guessed by a model, in place of: {memory.original}"] if memory.revised else []
    told = " · ".join(" ".join(text.split()) for text in hidden)
    return lines + ([f"  forgotten: {memory.missing:.2f} of it ({memory.fading}); does not show: {told}"] if hidden else [])


def _acting(note: str, key: str, recollection: Recollection) -> tuple[str, str] | None:
    """A way of acting has no seat among the memories: it fires, or is known of."""
    for action in recollection.actions:
        if action.id == note:
            return "action", f"{key} fires: the situations recalled lead to it (score {action.score:.3f})"
    if any(action.id == note for action in recollection.self_knowledge):
        return "self_knowledge", f"{key} is only known of: the question or a recalled concept leads to it, no situation does"
    return None


_STAGES = {
    Stage.SIMILARITY: "the question resembles it",
    Stage.ASSOCIATION: "the walk over the links led to it",
    Stage.BOTH: "the question resembles it, and the walk from the other memories led to it too",
    Stage.CORE: "it is a core note, which is always in",
}


def path_lines(path: Sequence[Step]) -> list[str]:
    """One line for each step: where from, by which link, with which probability, where to."""
    return [f"  {step.source} —{step.verb or step.type.value} ({step.weight:.3f})→ {step.target}" for step in path]


def _numbers(note: str, trace: Trace) -> dict[str, Any]:
    candidate = trace.candidates.get(note)
    walk = trace.association
    place = walk.graph.places.get(note) if walk else None
    return {
        "similarity": candidate.relevance if candidate else None,
        "score": candidate.score if candidate else None,
        "channels": dict(candidate.channels) if candidate else {},
        "retention": candidate.retention if candidate else None,
        "floor": trace.settings.similarity_floor,
        "max_results": trace.settings.max_results,
        "association": float(walk.values[place]) if walk and place is not None else 0.0,
        "least_association": _least_association(trace),
    }


def _least_association(trace: Trace) -> float:
    walk = trace.association
    return min((float(walk.values[walk.graph.places[note]]) for note in trace.carried), default=0.0) if walk else 0.0


def _absence(note: str, fields: Mapping[str, Any], trace: Trace) -> tuple[str, str]:
    score, floor = fields["similarity"], fields["floor"]
    walked = _walked(fields)
    if note in trace.seeds or note in trace.carried:
        return "no_seat", "it was found, but better ones took the places (--top gives more)"
    if score is not None and score >= floor:
        return "cut", f"its similarity {score:.3f} is enough, but {fields['max_results']} others are nearer; {walked}"
    if score:
        return "below_floor", f"its similarity {score:.3f} is below the floor {floor:.2f}; {walked}"
    return "not_reached", f"no channel found it like the question; {walked}"


def _superseded(by: Sequence[tuple[str, datetime]]) -> str:
    told = " and ".join(f"by {key} since {since:%Y-%m-%d %H:%M} UTC" for key, since in by)
    held = f"superseded {told}" if told else "it holds no longer"
    return f"{held}; a question about an earlier time brings it"


def _walked(fields: Mapping[str, Any]) -> str:
    if not fields["association"]:
        return "no link that the walk followed leads to it"
    reached, least = fields["association"], fields["least_association"]
    return f"the walk reached it with {reached:.5f}, the last one that came in had {least:.5f}"


def _channel_lines(fields: Mapping[str, Any]) -> list[str]:
    channels = [f"{name} {value:.3f}" for name, value in sorted(fields["channels"].items())]
    lines = [f"  channels: {', '.join(channels)}"] if channels else []
    return lines + ([f"  retention: {fields['retention']:.3f}"] if fields["retention"] is not None else [])
