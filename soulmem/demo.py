"""The demonstration: a mind made from a shipped character, English or Chinese, talked to for a few seconds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import as_file
from pathlib import Path

from soulmem._data_files import data_folder
from soulmem.model.results import Memory, Recollection, Stage
from soulmem.recall.explain import path_lines
from soulmem.soul import Soul


@dataclass(frozen=True, slots=True, kw_only=True)
class Character:
    """A shipped character: the folder of its files, and what it is asked, each with what that shows: a question that only walking
    answers, one that calls for an action, and one about the chat. ``next_question``: what to ask a mind that was kept."""

    folder: str
    questions: tuple[tuple[str, str], ...]
    next_question: str


#: Language → the character that speaks it.
CHARACTERS = {
    "en": Character(
        folder="wren",
        questions=(
            ("Shall we share satay skewers tonight?", "found by walking: nothing remembered of satay mentions the clinic"),
            ("The fog is coming down and a passenger is frightened.", "how she acts: patterns she knows trigger it"),
            ("Which part of the engine was cracked in February?", "from the chat: the very lines that say it"),
        ),
        next_question="What is your cat called?",
    ),
    "zh": Character(
        folder="xiaohong",
        questions=(
            ("我们去吃沙嗲吧？", "found by walking: nothing remembered of satay mentions the hospital"),
            ("下周要你给三十个人讲怎么补书。", "how she acts: a pattern she knows triggers it"),
            ("林宁的婚礼现在定在哪一天？", "from the chat: the very lines that say it"),
        ),
        next_question="你家的猫叫什么？",
    ),
}


def language_of(variables: Mapping[str, str]) -> str:
    """The language of the demonstration for the locale that the environment ``variables`` name: ``zh`` or ``en``."""
    locale = next((found for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (found := variables.get(name))), "")
    return "zh" if locale.startswith("zh") else "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A question, what it shows, and what came to mind."""

    question: str
    shows: str
    recollection: Recollection


def build(mind: str | Path, character: Character, tell: Callable[[str], None], embedder: str = "e5") -> Soul:
    """Make the demonstration's mind at ``mind``, a name or a path; ``tell`` is told what is being done. The caller closes it."""
    soul = Soul.create(mind, embedder=embedder)
    try:
        with as_file(data_folder("fixtures")) as folder:
            for name in ("graph.json", "chat.jsonl"):
                report = soul.ingest(folder / character.folder / name).files[0]
                tell(f"ingest {name}: {report.read} read, {report.new} new, {report.derived} drawn from them")
    except BaseException:
        soul.close()
        raise
    return soul


def answers(soul: Soul, character: Character) -> list[Answer]:
    """Ask all questions."""
    return [
        Answer(question=text, shows=shows, recollection=soul.recall(text, top=6, messages=3))
        for text, shows in character.questions
    ]


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
