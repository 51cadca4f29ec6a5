"""Synthetic chats of any length, seeded: the sentences of the shipped chats, recombined, with other words in them.

The words come from vocabularies as long as life's, the rare ones rarely: so new words go on turning up, as they do in years of
talk, and so do new names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import jieba
import numpy as np

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
