"""The demonstration: a mind made from the shipped Chinese character, talked to for a few seconds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import as_file
from pathlib import Path

from soulmem._data_files import data_folder
from soulmem.model.results import Memory, Recollection, Stage
from soulmem.recall.explain import path_lines
from soulmem.soul import Soul

#: What is asked: a direct question, one that only walking answers, one that calls for an action, and one about the chat.
QUESTIONS = (
    ("我们去吃沙嗲吧？", "found by walking: nothing remembered of satay mentions the hospital"),
    ("下周要你给三十个人讲怎么补书。", "how she acts: a pattern she knows triggers it"),
    ("林宁的婚礼现在定在哪一天？", "from the chat: the very lines that say it"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A question, what it shows, and what came to mind."""

    question: str
    shows: str
    recollection: Recollection


def build(mind: str | Path, tell: Callable[[str], None], embedder: str = "e5") -> Soul:
    """Make the demonstration's mind at ``mind``, a name or a path; ``tell`` is told what is being done. The caller closes it."""
    soul = Soul.create(mind, embedder=embedder)
    try:
        with as_file(data_folder("fixtures")) as folder:
            for name in ("graph.json", "chat.jsonl"):
                report = soul.ingest(folder / "xiaohong" / name).files[0]
                tell(f"ingest {name}: {report.read} read, {report.new} new, {report.derived} drawn from them")
    except BaseException:
        soul.close()
        raise
    return soul


def answers(soul: Soul) -> list[Answer]:
    """Ask all questions."""
    return [Answer(question=text, shows=shows, recollection=soul.recall(text, top=6, messages=3)) for text, shows in QUESTIONS]


def answer_lines(answer: Answer) -> list[str]:
    """An answer in words, with its reasons."""
    found = answer.recollection
    lines = [f"» {answer.question}", f"  ({answer.shows})"]
    for memory in found.memories:
        if memory.stage is not Stage.CORE:
            lines += _memory_lines(memory)
    lines += [f"  → {action.action_type}: {action.text}  [{action.key}, {action.score:.2f}]" for action in found.actions[:2]]
    return lines + [f"  “{said.speaker}: {said.text}”  [{Path(said.file).name}:{said.line}]" for said in found.messages[:2]]


def _memory_lines(memory: Memory) -> list[str]:
    first = memory.text.split("\n")[0]
    channels = ", ".join(f"{name} {value:.2f}" for name, value in memory.channels.items())
    lines = [f"  {memory.score:.2f} {memory.stage.value:<11} {first[:60]}  [{memory.key}]"]
    if memory.stage is Stage.SIMILARITY:
        return [*lines, f"       because: {channels}"]
    return [*lines, *(f"     {line}" for line in path_lines(memory.path))]
