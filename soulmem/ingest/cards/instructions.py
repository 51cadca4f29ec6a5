"""Sentences of a card that tell a model how to write: no memory of the character."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from soulmem.ingest.cards.traits import sentences
from soulmem.text.language import has_cjk

_STYLE = (
    r"verbose|vivid|descriptive|detailed|graphic|explicit|flowery|literary|evocative|eloquent|elaborate|lengthy|creative"
    r"|slow[- ]burn"
)
_WRITTEN = r"language|prose|descriptions?|writing|narration|narratives?|storytelling|repl(?:y|ies)|responses?"
_ORDER = (
    r"write|describe|narrate|reply|respond|use|avoid|keep|refrain|include|speak|talk|act|stay|roleplay|role-play|continue|end"
    r"|focus|make\s+sure|ensure|repeat|control|format"
)
_ABOUT_WRITING = (
    rf"{_WRITTEN}|(?:first|second|third)[- ]person|words|tokens|paragraphs?|messages?|in\s+(?:great\s+|vivid\s+)?detail"
    r"|dialogues?|(?:for|as|of)\s+(?:the\s+)?(?:user|you|\{\{user\}\})|(?:in|out\s+of)\s+character|role-?play|asterisks|markdown"
    r"|repetitions?"
)
_ENGLISH = re.compile(
    rf"\A\W*(?:(?:{_STYLE})(?:\s*,\s*|\s+and\s+|\s+))+(?:\w+\s+){{0,2}}(?:{_WRITTEN})\b(?!\s+(?:is|are|was|were)\b)"
    rf"|\A\W*(?:(?:please|always|never|do\s+not|don['’]t|only)\s+)*(?:{_ORDER})\b[^.!?\n]{{0,200}}\b(?:{_ABOUT_WRITING})\b"
    r"|\A\W*(?:system\s+note|ooc|instructions?|note\s+to\s+(?:the\s+)?(?:ai|model))\s*:",
    re.IGNORECASE,
)
_FOR_USER = r"[替代](?:用户|你|\{\{user\}\})(?:说话|行动|发言|做决定)"
_PERSON_OR_LENGTH = rf"第[一二三]人称|字数|\d+\s*个?字|{_FOR_USER}"
# Chinese sentences often leave out who does it: what the character does (避免回复父亲的信) must not look like an order.
_CHINESE = re.compile(
    rf"\A\W*请[^。！？\n]{{0,60}}(?:{_PERSON_OR_LENGTH}|回复|描写|叙述|输出|扮演)"
    rf"|\A\W*(?:务必|必须|始终|不要|不得|禁止|避免|使用|用|以)[^。！？\n]{{0,60}}(?:{_PERSON_OR_LENGTH})"
    r"|\A\W*(?:回复|每次回复|字数)[^。！？\n]{0,20}\d+\s*个?字"
)


def is_instruction(sentence: str) -> bool:
    """Whether a sentence says how to write (*Verbose language.*, *Never speak for the user.*, 请用第三人称叙述), rather than what
    is so."""
    return bool(_ENGLISH.match(sentence) or _CHINESE.match(sentence))


def without_instructions(text: str) -> tuple[str, tuple[str, ...]]:
    """``text`` without the sentences that are instructions, and those."""
    left: list[str] = []
    return "\n".join(_plain(text, left)).strip(), tuple(left)


def _plain(text: str, left: list[str]) -> Iterator[str]:
    for line in text.split("\n"):
        told = [sentence for sentence in sentences(line) if is_instruction(sentence)]
        if not told:
            yield line
            continue
        left += told
        if kept := [sentence for sentence in sentences(line) if not is_instruction(sentence)]:
            yield _joined(kept)


def _joined(parts: Iterable[str]) -> str:
    """Sentences in one line; where the script has spaces, with one between them."""
    line = ""
    for part in parts:
        line = f"{line} {part}" if line and not has_cjk(line[-2:] + part[:1]) else line + part
    return line
