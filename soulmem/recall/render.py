"""The text of a recollection, for a person or a model, within a budget that cuts the least important first (SPEC §4.7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from soulmem.model.results import Action, Memory, Recollection, SaidMessage, Stage
from soulmem.text.language import has_cjk

_TITLES = {
    "zh": {
        "summary": "【摘要】",
        "memories": "【相关记忆】",
        "associations": "【联想】",
        "actions": "【行为倾向】",
        "self": "【自我认知】",
        "messages": "【原话】",
        "window": "【最近对话】",
    },
    "en": {
        "summary": "[Summary]",
        "memories": "[Memories]",
        "associations": "[Associations]",
        "actions": "[Tendencies]",
        "self": "[Self-knowledge]",
        "messages": "[What was said]",
        "window": "[Recent talk]",
    },
}
#: Sections as they are printed, and how important each is: the highest number is cut first.
_ORDER = ("summary", "memories", "associations", "actions", "self", "messages", "window")
_IMPORTANCE = {"memories": 0, "window": 1, "summary": 2, "actions": 3, "messages": 4, "associations": 5, "self": 6}


def render(recollection: Recollection, budget: int, language: str | None = None) -> str:
    """Sections with their lines; empty ones are left out. At most ``budget`` characters, whole lines only.

    ``language``: ``zh`` or ``en``; by default that of the memories.
    """
    sections = {name: lines for name, lines in _sections(recollection).items() if lines}
    titles = _TITLES[language or _language(sections)]
    kept = _within(sections, titles, budget)
    return "\n\n".join("\n".join((titles[name], *kept[name])) for name in _ORDER if kept.get(name))


def _sections(recollection: Recollection) -> dict[str, list[str]]:
    direct = [memory for memory in recollection.memories if memory.stage is not Stage.ASSOCIATION]
    carried = [memory for memory in recollection.memories if memory.stage is Stage.ASSOCIATION]
    lines = {
        "summary": _summary_lines(recollection.summary),
        "memories": list(_memory_lines(direct)),
        "associations": list(_memory_lines(carried)),
        "actions": [_action_line(action) for action in recollection.actions],
        "self": [f"- {action.text}" for action in recollection.self_knowledge],
        "messages": [_message_line(message) for message in recollection.messages],
        "window": [f"{message.speaker}：{message.text}" for message in recollection.window],
    }
    # What was said over several lines is indented, so that no text can look like a title or an item of another section.
    return {name: [line.replace("\n", "\n  ") for line in texts] for name, texts in lines.items()}


def _memory_lines(memories: Sequence[Memory]) -> Iterator[str]:
    """A line each; what contradicts each other, and nobody knows which is newer, in one line, with who said it and when: so no
    budget takes one of them alone."""
    by_key = {memory.key: memory for memory in memories}
    told: set[str] = set()
    for memory in memories:
        group = [memory, *(by_key[key] for key in memory.contradicts if key in by_key)]
        if memory.key not in told:
            told.update(one.key for one in group)
            yield f"- {memory.text}" if len(group) == 1 else f"- {_undecided(group)}"


def _undecided(memories: Sequence[Memory]) -> str:
    """*Undecided: Tom lives in Cork (Ann, 2026-03-08) / Tom lives in Rome (Bo, 2026-03-09)*."""
    if any(has_cjk(memory.text) for memory in memories):
        return "说法不一：" + "／".join(f"{memory.text}（{_said(memory)}）" for memory in memories)
    return "Undecided: " + " / ".join(f"{memory.text} ({_said(memory)})" for memory in memories)


def _said(memory: Memory) -> str:
    """Who said it last, and when."""
    if not memory.sources:
        return "?"
    last = memory.sources[-1]
    return f"{last.speaker}, {last.time:%Y-%m-%d}" if last.time else last.speaker


def _summary_lines(summary: str) -> list[str]:
    """One line each, so that a budget may take some; all but the first are indented, as lines of one text are."""
    first, *others = summary.split("\n")
    return [first, *(f"  {line}" for line in others)] if summary else []


def _action_line(action: Action) -> str:
    return f"- [{action.action_type}] {action.text}"


def _message_line(message: SaidMessage) -> str:
    when = f"{message.time:%Y-%m-%d} " if message.time else ""
    return f"- {when}{message.speaker}: {message.text}"


def _language(sections: dict[str, list[str]]) -> str:
    return "zh" if any(has_cjk(line) for lines in sections.values() for line in lines) else "en"


def _within(sections: dict[str, list[str]], titles: dict[str, str], budget: int) -> dict[str, list[str]]:
    """The lines that fit, from the most important section on; within a section the best come first, in the window the latest."""
    left = budget
    kept: dict[str, list[str]] = {}
    for name in sorted(sections, key=_IMPORTANCE.__getitem__):
        room = left - len(titles[name]) - (2 if kept else 0)
        lines = _fitting(sections[name][::-1], room)[::-1] if name == "window" else _fitting(sections[name], room)
        if lines:
            kept[name] = lines
            left = room - sum(len(line) + 1 for line in lines)
    return kept


def _fitting(lines: Sequence[str], room: int) -> list[str]:
    """The lines that fit in their order; one that is too long for the room does not take it from the others."""
    fitting: list[str] = []
    for line in lines:
        if len(line) + 1 <= room:
            fitting.append(line)
            room -= len(line) + 1
    return fitting
