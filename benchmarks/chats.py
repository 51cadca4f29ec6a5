"""What ingesting a long chat costs: ``python benchmarks/chats.py [--messages 100000] [--languages en,zh]``.

The chats are synthetic and seeded: the sentences of the shipped chats, recombined, with other words in them. The words come
from vocabularies as long as life's, the rare ones rarely: so new words go on turning up, as they do in years of talk, and so do
new names. Each chat is ingested by a fresh process, whose peak memory is told. Vectors are drawn (:mod:`minds`); the time that
takes is left out. Prints a table in Markdown; where others work too, processor time says more than wall time.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import jieba
import numpy as np
from minds import NOW, DrawnEmbedder
from numpy.typing import NDArray

from soulmem.soul import Soul

FIXTURES = Path(__file__).parents[1] / "fixtures"
#: The languages, and whose chat is recombined.
CHATS = {"en": "wren", "zh": "xiaohong"}
#: This share of the words is exchanged, this share of what an English word is exchanged for is a name.
_EXCHANGED, _NAMES = 0.08, 0.1
#: So many English words are made up; they are as unlike each other as real ones.
_ENGLISH = 60_000
_BEGIN = datetime(2023, 1, 1, 18, tzinfo=UTC)
_SENTENCE = re.compile(r"[^.!?。！？…\n]+[.!?。！？…\n]*\s*")
_BETWEEN = {"en": " ", "zh": ""}
_PARTS = {"en": re.compile(r"[A-Za-z']{5,}"), "zh": re.compile("[\u4e00-\u9fff]{2,}")}
_SYLLABLES = ("ba", "ke", "li", "mo", "nu", "ra", "si", "ta", "vo", "we", "xi", "yo", "za", "den", "fir", "gul", "hap", "jor")


def write_chat(path: Path, language: str, messages: int, seed: int = 1) -> None:
    """Write a SillyTavern chat of so many messages, over some sittings a week."""
    with path.open("w", encoding="utf-8") as file:
        for line in chat_lines(language, messages, seed):
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def chat_lines(language: str, messages: int, seed: int = 1) -> Iterator[dict[str, object]]:
    """The lines of such a chat, the header first."""
    header, *said = map(json.loads, (FIXTURES / CHATS[language] / "chat.jsonl").read_text(encoding="utf-8").splitlines())
    random = np.random.default_rng(seed)
    speakers = (header["user_name"], header["character_name"])
    sentences = [sentence.strip() for line in said for sentence in _SENTENCE.findall(line["mes"])]
    when = _BEGIN
    yield {**header, "create_date": when.isoformat()}
    for number in range(messages):
        when += timedelta(seconds=float(random.exponential(90))) + timedelta(hours=20 * (random.random() < 0.02))
        chosen = random.integers(len(sentences), size=random.integers(1, 5)).tolist()
        text = _BETWEEN[language].join(_varied(sentences[place], language, random) for place in chosen)
        yield {
            "name": speakers[number % 2],
            "is_user": number % 2 == 0,
            "send_date": when.isoformat(),
            "mes": text,
            "extra": {},
        }


def _varied(sentence: str, language: str, random: np.random.Generator) -> str:
    words = {"en": _english_words, "zh": _chinese_words}[language](sentence)
    return "".join(_other(word, language, random) if random.random() < _EXCHANGED else word for word in words)


def _other(word: str, language: str, random: np.random.Generator) -> str:
    """Another word in the place of one that means something."""
    if _PARTS[language].fullmatch(word) is None:
        return word
    words, cumulated = _VOCABULARIES[language]()
    other = words[int(np.searchsorted(cumulated, random.random() * cumulated[-1]))]
    return other.capitalize() if language == "en" and random.random() < _NAMES else other


@cache
def _english_words(sentence: str) -> list[str]:
    return re.findall(r"[\w']+|[^\w']+", sentence)


@cache
def _chinese_words(sentence: str) -> list[str]:
    return jieba.lcut(sentence)


def _made_up() -> tuple[list[str], np.ndarray]:
    random = np.random.default_rng(3)
    words = ["".join(_SYLLABLES[place] for place in random.integers(len(_SYLLABLES), size=4)) for _ in range(_ENGLISH)]
    return words, np.cumsum(1.0 / np.arange(1, len(words) + 1))


def _dictionary() -> tuple[list[str], np.ndarray]:
    """jieba's words of two and more characters with their frequencies: real ones, names among them."""
    with jieba.get_dict_file() as file:
        lines = [line.split(" ") for line in file.read().decode().splitlines()]
    known = [(word, int(frequency)) for word, frequency, _ in lines if len(word) > 1]
    return [word for word, _ in known], np.cumsum([float(frequency) for _, frequency in known])


_VOCABULARIES: dict[str, Callable[[], tuple[list[str], np.ndarray]]] = {"en": cache(_made_up), "zh": cache(_dictionary)}


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one chat: seconds besides embedding, wall and processor, of ingesting it and of the first question; MiB at most."""

    language: str
    messages: int
    wall: float
    cpu: float
    peak: float
    file: float
    asked: float


class _TimedEmbedder(DrawnEmbedder):
    """Counts its own time."""

    def __init__(self) -> None:
        super().__init__()
        self.wall = self.cpu = 0.0

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        wall, cpu = time.perf_counter(), time.process_time()
        rows = super().passages(texts)
        self.wall += time.perf_counter() - wall
        self.cpu += time.process_time() - cpu
        return rows


def cost(chat: Path, language: str) -> Cost:
    """Ingest a chat in this process."""
    embedder = _TimedEmbedder()
    path = chat.with_suffix(".mind")
    with Soul.create(path, embedder=embedder, clock=lambda: NOW) as soul:
        wall, cpu = time.perf_counter(), time.process_time()
        messages = soul.ingest(chat).files[0].new
        wall, cpu = time.perf_counter() - wall - embedder.wall, time.process_time() - cpu - embedder.cpu
        peak = _peak_mib()
        begun = time.process_time()
        soul.recall({"en": "what about the relief boat?", "zh": "豆豆那天讲了什么？"}[language])
        asked = time.process_time() - begun
    return Cost(language, messages, wall, cpu, peak, path.stat().st_size / 2**20, asked)


def _peak_mib() -> float:
    """Resident memory of this process, at most so far."""
    if sys.platform != "linux":
        return float("nan")
    found = re.search(r"VmHWM:\s*(\d+)", Path("/proc/self/status").read_text())
    return int(found[1]) / 1024 if found else float("nan")


def in_markdown(costs: Sequence[Cost]) -> str:
    lines = [
        "| language | messages | messages/s, wall | CPU | memory at most | a message | file | first recall, CPU |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for one in costs:
        rates = f"{one.messages / one.wall:,.0f} | {one.messages / one.cpu:,.0f}"
        room = f"{one.peak:,.0f} MiB | {1024 * one.peak / one.messages:.0f} KiB | {one.file:,.0f} MiB"
        lines.append(f"| {one.language} | {one.messages:,} | {rates} | {room} | {one.asked:.2f} s |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--languages", default="en,zh")
    parser.add_argument("--only", type=Path, help="ingest this chat, of the one language, in this process, and print JSON")
    given = parser.parse_args()
    languages = given.languages.split(",")
    if given.only:
        print(json.dumps(asdict(cost(given.only, languages[0]))))
        return
    print(in_markdown([_cost_apart(language, given.messages) for language in languages]))


def _cost_apart(language: str, messages: int) -> Cost:
    """Ingest a chat in a fresh process."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with tempfile.TemporaryDirectory() as folder:
        chat = Path(folder) / "chat.jsonl"
        write_chat(chat, language, messages)
        run = [sys.executable, __file__, "--languages", language, "--only", str(chat)]
        done = subprocess.run(run, check=True, capture_output=True, text=True, env=environment)
    return Cost(**json.loads(done.stdout))


if __name__ == "__main__":
    main()
