"""What came to mind, for a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from soulmem_cli.as_json import rfc3339
from soulmem_cli.terminal import one_line, print_rich, say, styled

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from soulmem.model.results import Action, Memory, Recollection, SaidMessage

#: So many core notes are told, so many characters of each: they are the same whatever is asked, and may be pages.
_MOST_CORE, _MOST_TEXT = 5, 320
#: So many places are told that one note comes from.
_MOST_PLACES = 6

_WORDS = {
    "en": {
        "core": "Always in mind",
        "memories": "Memories",
        "associations": "Associations",
        "actions": "Tendencies",
        "self": "Self-knowledge",
        "messages": "What was said",
        "behind": "How it was found",
        "nothing": "Nothing comes to mind.",
        "kept": "kept from {}",
        "others": "whoever did not hear it",
        "and": ", ",
        "of": "{}: {}",
        "places": "… and {} more",
        "more": "… and {} more; --json has all of them",
        "cut": "Shortened: soulmem show KEY has all of a note, --json of every one.",
    },
    "zh": {
        "core": "时刻在心",
        "memories": "相关记忆",
        "associations": "联想",
        "actions": "行为倾向",
        "self": "自我认知",
        "messages": "原话",
        "behind": "检索过程",
        "nothing": "什么也没想起来。",
        "kept": "不能告诉{}",
        "others": "没有听到的人",
        "and": "、",
        "of": "{}：{}",
        "places": "……还有 {} 处",
        "more": "……还有 {} 条，--json 显示全部",
        "cut": "有删节：soulmem show KEY 显示这一条的全文，--json 显示全部。",
    },
}


def print_recollection(found: Recollection, *, explain: bool) -> None:
    """Memories, associations, tendencies, self-knowledge and lines, each under its title; empty ones are left out."""
    from rich.text import Text

    language = _language(found)
    words = _WORDS[language]
    sections = [(words[name], rows) for name, rows in _sections(found, language, explain=explain) if rows]
    nothing = all(title == words["core"] for title, _ in sections)
    blocks: list[RenderableType] = [Text(words["nothing"])] if nothing else []
    for title, rows in sections + ([(words["behind"], _behind(found))] if explain else []):
        blocks += [Text(), Text(title, style="bold"), _grid(rows)] if blocks else [Text(title, style="bold"), _grid(rows)]
    print_rich(*blocks)
    reached = [name for name in ("time", "nodes") if found.limits.get(f"{name}_reached")]
    if reached:
        say(f"The walk over the links was ended early by its limit of {' and '.join(reached)}: there may be more associations.")
    if gaps := found.limits.get("index_gaps"):
        say(f"The index is stale: {gaps} texts have lost their words or vectors and may not be found. Mend it: soulmem reembed")


def _language(found: Recollection) -> str:
    from soulmem.text.language import has_cjk

    texts = (found.query, *(memory.text for memory in found.memories), *(said.text for said in found.messages))
    return "zh" if any(has_cjk(text) for text in texts) else "en"


def _sections(found: Recollection, language: str, *, explain: bool) -> Iterator[tuple[str, list[Row]]]:
    from soulmem.model.results import Stage

    by_stage: dict[str, list[Memory]] = {"core": [], "memories": [], "associations": []}
    for memory in found.memories:
        by_stage[{Stage.CORE: "core", Stage.ASSOCIATION: "associations"}.get(memory.stage, "memories")].append(memory)
    for name in ("memories", "associations"):
        yield name, [row for memory in by_stage[name] for row in _memory(memory, language, explain=explain)]
    actions = sorted(found.actions, key=lambda action: -action.score)
    yield "actions", [row for action in actions for row in _action(action, language)]
    yield "self", [row for action in _known(found, explain=explain) for row in _action(action, language)]
    yield "messages", [row for said in found.messages for row in _said(said, explain=explain)]
    yield "core", list(_core(by_stage["core"], language, explain=explain))


def _core(memories: list[Memory], language: str, *, explain: bool) -> Iterator[Row]:
    """The first core notes with the beginnings of their texts, and how to see the rest."""
    words = _WORDS[language]
    told = memories[:_MOST_CORE]
    for memory in told:
        yield from _memory(replace(memory, text=_begun(memory.text)), language, explain=explain)
    if len(memories) > _MOST_CORE:
        yield "", words["more"].format(len(memories) - _MOST_CORE), True
    if any(len(memory.text) > _MOST_TEXT for memory in told):
        yield "", words["cut"], True


def _begun(text: str) -> str:
    return text if len(text) <= _MOST_TEXT else f"{text[:_MOST_TEXT].rstrip()}…"


def _known(found: Recollection, *, explain: bool) -> list[Action]:
    """The self-knowledge that is told. What the question does not speak of weighs nothing: it is left out, unless reasons are
    asked for, or nothing else comes to mind."""
    from soulmem.model.results import Stage

    weighed = [action for action in found.self_knowledge if float(f"{action.score:.2f}")]
    others = found.actions or any(memory.stage is not Stage.CORE for memory in found.memories)
    return weighed if not explain and (weighed or others) else list(found.self_knowledge)


#: What stands before a text (a score), the text, and whether it is small print.
Row = tuple[str, str, bool]


def _grid(rows: list[Row]) -> Table:
    from rich.table import Table

    grid = Table.grid(padding=(0, 1))
    grid.add_column(min_width=6, justify="right", no_wrap=True)
    grid.add_column(overflow="fold")
    for before, text, small in rows:
        grid.add_row(styled(before, "cyan"), styled(text, "dim" if small else ""))
    return grid


def _memory(memory: Memory, language: str, *, explain: bool) -> Iterator[Row]:
    from soulmem.model.results import Stage

    yield "" if memory.stage is Stage.CORE else f"{memory.score:.2f}", memory.text, False
    yield "", " · ".join([f"[{one_line(memory.key)}]", *_heard_by(memory, language), *_read_from(memory, language)]), True
    if explain:
        yield from (("", line, True) for line in _reasons(memory))


def _read_from(told: Memory | Action, language: str) -> list[str]:
    """Where a note comes from: places in files that state it, and lines it was drawn from; of many the first."""
    from soulmem.model.results import spoken_lines

    sources = [f"{source.file}:{source.line} {source.speaker}" for source in spoken_lines(told.sources, told.origins)]
    places = [one_line(place) for place in (*told.origins, *sources)]
    more = len(places) - _MOST_PLACES
    return [*places[:_MOST_PLACES], _WORDS[language]["places"].format(more)] if more > 0 else places


def _heard_by(memory: Memory, language: str) -> list[str]:
    """Who must not hear of a memory."""
    from soulmem.scopes.contexts import EVERYBODY

    words = _WORDS[language]
    others = [words["others"] if name == EVERYBODY else one_line(name) for name in memory.kept_from]
    return [words["kept"].format(words["and"].join(others))] if others else []


def _reasons(memory: Memory) -> Iterator[str]:
    parts = [name for name in ("masked", "revised") if getattr(memory, name)]
    yield ", ".join([f"{memory.type}, by {memory.stage}, retention {memory.retention:.2f}", *parts])
    if memory.channels:
        yield _numbers(memory.channels)
    yield from (f"{step.source} —{step.verb or step.type} ({step.weight:.3f})→ {step.target}" for step in memory.path)


def _action(action: Action, language: str) -> Iterator[Row]:
    from soulmem.recall.render import ACTION_NAMES

    yield f"{action.score:.2f}", _WORDS[language]["of"].format(ACTION_NAMES[language][action.action_type], action.text), False
    yield "", " · ".join([f"[{one_line(action.key)}]", *_read_from(action, language)]), True


def _said(said: SaidMessage, *, explain: bool) -> Iterator[Row]:
    when = f" {rfc3339(said.time)}" if said.time else ""
    yield f"{said.score:.2f}", f"{said.speaker}: {said.text}", False
    yield "", f"{one_line(said.file)}:{said.line}{when}", True
    if explain and said.channels:
        yield "", _numbers(said.channels), True


def _behind(found: Recollection) -> list[Row]:
    named = {"withheld": found.withheld, "limits": found.limits, "ms": found.timings_ms}
    return [("", f"{name}: {_numbers(values)}", True) for name, values in named.items() if values]


def _numbers(values: Mapping[str, float | bool]) -> str:
    return ", ".join(f"{name} {_number(value)}" for name, value in values.items())


def _number(value: float | bool) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
