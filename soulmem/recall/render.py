"""The text of a recollection, for a person or a model, within a budget that cuts the least important first (SPEC §4.7)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from soulmem.model.notes import ActionType
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
        "hazy": "（〔…〕是记不清的地方，〔…〕里的字只是大概；不要编。）",
    },
    "en": {
        "summary": "[Summary]",
        "memories": "[Memories]",
        "associations": "[Associations]",
        "actions": "[Tendencies]",
        "self": "[Self-knowledge]",
        "messages": "[What was said]",
        "window": "[Recent talk]",
        "hazy": "(What stands as […] is not remembered, what stands in it only roughly: do not invent it.)",
    },
}
#: What the types of actions are called, by language.
ACTION_NAMES = {
    "zh": {ActionType.SPEAK: "说", ActionType.THINK: "想", ActionType.SKILL: "做"},
    "en": {kind: kind.value for kind in ActionType},
}
#: Sections as they are printed, and how important each is: the highest number is cut first.
_ORDER = ("summary", "memories", "associations", "actions", "self", "messages", "window")
_IMPORTANCE = {"memories": 0, "window": 1, "summary": 2, "actions": 3, "messages": 4, "associations": 5, "self": 6}


def render(recollection: Recollection, budget: int, language: str | None = None) -> str:
    """Sections with their lines; empty ones are left out. At most ``budget`` characters, whole lines only. Where parts of a
    memory are forgotten, a line before all says how they are marked, and that they are not to be invented.

    ``language``: ``zh`` or ``en``; by default that of the memories.
    """
    sections = {name: lines for name, lines in _sections(recollection).items() if lines}
    titles = _TITLES[language or _language(sections)]
    groups = _parted(_telling(recollection.memories))
    hazy = {_indented(_memory_line(group)) for group in groups if any(memory.masked for memory in group)}
    kept = _within(sections, titles, budget - (len(titles["hazy"]) + 2 if hazy else 0))
    is_hazy = any(line in hazy for name in ("memories", "associations") for line in kept.get(name, ()))
    blocks = ["\n".join((titles[name], *kept[name])) for name in _ORDER if kept.get(name)]
    return "\n\n".join([titles["hazy"], *blocks] if is_hazy else blocks)


def _sections(recollection: Recollection) -> dict[str, list[str]]:
    groups = _parted(_telling(recollection.memories))
    lines = {
        "summary": _summary_lines(recollection.summary),
        "memories": [_memory_line(group) for group in groups if group[0].stage is not Stage.ASSOCIATION],
        "associations": [_memory_line(group) for group in groups if group[0].stage is Stage.ASSOCIATION],
        "actions": [_action_line(action) for action in recollection.actions],
        "self": [f"- {action.text}" for action in recollection.self_knowledge],
        "messages": [_message_line(message) for message in recollection.messages],
        "window": [f"{message.speaker}：{message.text}" for message in recollection.window],
    }
    return {name: [_indented(line) for line in texts] for name, texts in lines.items()}


def _indented(line: str) -> str:
    """What was said over several lines is indented, so that no text can look like a title or an item of another section."""
    return line.replace("\n", "\n  ")


#: A gap in a text, with its gist.
_GAP = re.compile(r"\[…[^\]]*\]|〔…[^〕]*〕")


def _telling(memories: Sequence[Memory]) -> list[Memory]:
    """Those of which a word is left: gaps alone tell nothing."""
    return [one for one in memories if not one.masked or any(map(str.isalnum, _GAP.sub("", one.text)))]


def _parted(memories: Sequence[Memory]) -> list[list[Memory]]:
    """Each memory alone, but together what contradicts each other, where nobody knows which is newer."""
    by_key = {memory.key: memory for memory in memories}
    told: set[str] = set()
    groups: list[list[Memory]] = []
    for memory in memories:
        if memory.key not in told:
            groups.append([memory, *(by_key[key] for key in memory.contradicts if key in by_key)])
            told.update(one.key for one in groups[-1])
    return groups


def _memory_line(memories: Sequence[Memory]) -> str:
    """One line, also of several that contradict each other, so that no budget takes one of them alone: *Undecided: Tom lives in
    Cork (Ann, 2026-03-08) / Tom lives in Rome (Bo, 2026-03-09)*."""
    texts = [f"{memory.text}{_confidence(memory.text, memory.kept_from)}" for memory in memories]
    if len(texts) == 1:
        return f"- {texts[0]}"
    said = zip(texts, map(_said, memories), strict=True)
    if any(map(has_cjk, texts)):
        return "- 说法不一：" + "／".join(f"{text}（{who}）" for text, who in said)
    return "- Undecided: " + " / ".join(f"{text} ({who})" for text, who in said)


def _said(memory: Memory) -> str:
    """Who said it last, and when; of what nobody said, where it was read."""
    if not memory.sources:
        return memory.origins[-1] if memory.origins else "?"
    last = memory.sources[-1]
    return f"{last.speaker}, {last.time:%Y-%m-%d}" if last.time else last.speaker


def _summary_lines(summary: str) -> list[str]:
    """One line each, so that a budget may take some; all but the first are indented, as lines of one text are."""
    first, *others = summary.split("\n")
    return [first, *(f"  {line}" for line in others)] if summary else []


def _action_line(action: Action) -> str:
    names = ACTION_NAMES["zh" if has_cjk(action.text) else "en"]
    return f"- [{names[action.action_type]}] {action.text}"


def _message_line(message: SaidMessage) -> str:
    when = f"{message.time:%Y-%m-%d} " if message.time else ""
    return f"- {when}{message.speaker}: {message.text}{_confidence(message.text, message.kept_from)}"


def _confidence(text: str, kept_from: Sequence[str]) -> str:
    """What whoever is told a secret must know of it."""
    if not kept_from:
        return ""
    names = [name for name in kept_from if name != "*"]
    if has_cjk(text):
        return f"（秘密，不能告诉{'、'.join(names)}）" if names else "（秘密，不能说出去）"
    return f" (a secret, not to be told to {', '.join(names)})" if names else " (a secret, not to be passed on)"


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
