"""Macros of cards and lorebooks: what a chat program replaces when it builds a prompt, resolved once or removed."""

from __future__ import annotations

import re
from itertools import pairwise

#: What stands for the character where its name is not known yet: a character of the private use area, since braces are signs of
#: the forms in which descriptions are written.
CHARACTER = "\ue003"

_INNERMOST = re.compile(r"\{\{([^{}]*)\}\}")
_MARKS = {
    re.compile(r"<(?:BOT|CHAR)>", re.IGNORECASE): "{{char}}",
    re.compile(r"<USER>", re.IGNORECASE): "{{user}}",
}
# Macros stand inside one another at most so deep; what is deeper is left out.
_PASSES = 8
_CHOICES = ("random", "pick")
# Private stand-ins for names while macros are resolved, so that no name is taken for one.
_OPEN, _CLOSE = "\ue001", "\ue002"
_SPEAKS = re.compile(r"[ \t]*[:：]")
_BEGINS = re.compile(r"(?:\A|[\n.!?。！？:：]|[\n.!?][\"”’*]*)\s*[\"“*(]*\Z")


def resolved(text: str, character: str | None, chinese: bool) -> str:
    """``text`` with names in place of macros, choices side by side, and without all other macros.

    ``character``: what ``{{char}}`` stands for; :data:`CHARACTER` where that is not known. The user has no name in a card: *User*
    before a colon, *the user* elsewhere (用户).
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    for mark, macro in _MARKS.items():
        text = mark.sub(macro, text) if "<" in text else text
    if "{{" not in text:
        return text
    for _ in range(_PASSES):
        text, number = _INNERMOST.subn(_value, text)
        if not number:
            break
    text = _INNERMOST.sub("", text)
    text = _users(text, chinese)
    return text.replace(f"{_OPEN}char{_CLOSE}", character if character is not None else CHARACTER)


def _value(match: re.Match[str]) -> str:
    body = match[1].strip()
    name = body.lower()
    if name in ("char", "bot", "charname"):
        return f"{_OPEN}char{_CLOSE}"
    if name in ("user", "username"):
        return f"{_OPEN}user{_CLOSE}"
    if name == "newline":
        return "\n"
    kind, separator, rest = body.partition(":")
    if separator and kind.strip().lower() in _CHOICES:
        return " / ".join(choice.strip() for choice in _choices(rest) if choice.strip())
    return ""


def _choices(text: str) -> list[str]:
    """``{{random:a,b}}`` and ``{{random::a::b}}``."""
    return text[1:].split("::") if text.startswith(":") else re.split(r"(?<!\\),", text)


def _users(text: str, chinese: bool) -> str:
    parts = text.split(f"{_OPEN}user{_CLOSE}")
    done = [parts[0]]
    for before, after in pairwise(parts):
        done += (_user(before[-12:], after[:4], chinese), after)
    return "".join(done)


def _user(before: str, after: str, chinese: bool) -> str:
    if chinese:
        return "用户"
    if _SPEAKS.match(after):
        return "User"
    return "The user" if _BEGINS.search(before) else "the user"


def with_character(text: str, name: str) -> str:
    """``text`` in which the character, who had no name when it was read, is called ``name``."""
    return text.replace(CHARACTER, name)
