"""Talks in which something changes: heard, consolidated, and asked about now and back then."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from soulmem.model.messages import Role
from soulmem.model.results import Memory
from soulmem.soul import Soul

Script = Mapping[str, Any]
#: When the last word has been said.
NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
_OWN = {"en": "Wren", "zh": "小红"}


def scripts(tongue: str) -> list[Script]:
    """The scripts of a language, in order."""
    return list(json.loads((Path(__file__).parent / f"truth_{tongue}.json").read_text(encoding="utf-8")))


def hear(soul: Soul, all_: Sequence[Script], tongue: str) -> None:
    """Let a mind hear all scripts, each as a talk of its own, day by day; it consolidates at the end of every day."""
    days: dict[str, list[tuple[str, str, str]]] = {}
    for script in all_:
        for day, speaker, text in script["lines"]:
            days.setdefault(day, []).append((script["name"], speaker, text))
    for day, lines in sorted(days.items()):
        at = moment(f"{day}T09:00")
        for number, (chat, speaker, text) in enumerate(lines):
            role = Role.CHARACTER if speaker == _OWN[tongue] else Role.USER
            soul.observe(text, speaker=speaker, role=role, at=at + timedelta(minutes=number), chat=chat)
        soul.consolidate(at=at + timedelta(hours=8))


def moment(text: str) -> datetime:
    """A day, or a time of a day, UTC."""
    return datetime.fromisoformat(text if "T" in text else f"{text}T12:00").replace(tzinfo=UTC)


def problems(soul: Soul, script: Script) -> Iterator[str]:
    """What is not so of what a script wants; nothing where all of it is."""
    at = moment(script["at"]) if "at" in script else NOW
    now = script["now"]
    yield from _now(soul, now["q"], at, now["new"], now["old"])
    if "earlier" in script:
        old = script.get("earlier_old") or now["old"]
        yield from _earlier(soul, now["q"], moment(script["earlier"]), old, script.get("earlier_new") or now["new"])
    if "then" in script:
        then = script["then"]
        yield from _then(soul, then["q"], at, then["old"], then["new"])
    if "facts" in script:
        found = [memory for memory in facts(soul, now["q"], at) if all(word in memory.text for word in now["new"])]
        if len(found) != script["facts"] or len(found[0].sources) != script["sources"]:
            yield f"{[(memory.text, len(memory.sources)) for memory in found]} for {script['facts']} of {script['sources']} lines"


def facts(soul: Soul, question: str, at: datetime) -> list[Memory]:
    """The facts that a question brings to mind, whatever of their words has faded since."""
    found = soul.recall(question, at=at, chat=None, original=True).memories
    return [memory for memory in found if memory.key.startswith("fact_")]


def _now(soul: Soul, question: str, at: datetime, new: Sequence[str], old: Sequence[str]) -> Iterator[str]:
    found = [memory.text for memory in facts(soul, question, at)]
    if not any(all(word in text for word in new) for text in found):
        yield f"now: {new} is not in {found}"
    if any(word in text for word in old for text in found):
        yield f"now: {old} is in {found}"


def _earlier(soul: Soul, question: str, at: datetime, old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    found = [memory.text for memory in facts(soul, question, at)]
    if not any(word in text for word in old for text in found):
        yield f"on {at:%Y-%m-%d}: {old} is not in {found}"
    if new and any(all(word in text for word in new) for text in found):
        yield f"on {at:%Y-%m-%d}: {new} is in {found}"


def _then(soul: Soul, question: str, at: datetime, old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    found = facts(soul, question, at)
    held = [memory for memory in found if any(word in memory.text for word in old) and memory.valid_until]
    if not held:
        yield f"then: {old} is not in {[memory.text for memory in found]}"
    elif not all(f"{memory.valid_until:%Y-%m-%d}" in memory.text for memory in held):
        yield f"then: no time in {[memory.text for memory in held]}"
    if any(word in memory.text for word in new for memory in found):
        yield f"then: {new} is in {[memory.text for memory in found]}"
