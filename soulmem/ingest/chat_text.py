"""What was said, without what a chat program or a model wrapped around it.

Removed with all they hold, where they are closed again: thoughts (``<think>``, ``<details type="reasoning">``, and of what a
model wrote ``[THINK]``, ``<|channel|>analysis`` and the like), calls of tools, style sheets, scripts, HTML comments, status bars,
updates of variables. What is opened and never closed was cut off only where a character's message begins with it; anywhere else
somebody talks about it. Removed as marks, their content kept: the tags of HTML; of a user only pairs, and those that have
attributes or stand alone. Removed: images that stand in the text as data. Replaced: macros for the names of the speakers. Kept:
``*actions*``, links to images, code (between backticks), other macros, and anything else in angle brackets.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from sys import intern

_BLOCKS = "|".join(
    (
        "think|thinking|thought|reasoning|style|script|head|svg",
        "UpdateVariable|StatusBlock|status_block|StatusBar|status_bar|status|状态栏|状态|memo|initvar",
    )
)
# Tags in which models think. A user who writes them gives a model a form to fill in.
_OF_MODELS = "|".join(
    (
        "thoughts|thinking_process|thought_process|reasoning_process|inner_thoughts?|inner_monologue|analysis|scratchpad|reflection",
        "seed:think|seed:cot_budget_reflect",
    )
)
# The same in the marks of single models: what opens a thought, and what closes it. Each opens in one way only.
_SIGNS = {
    "[THINK]": r"\[/THINK\]",
    "◁think▷": r"◁/think▷",
    "<|begin_of_thought|>": r"<\|end_of_thought\|>",
    "<|START_THINKING|>": r"<\|END_THINKING\|>",
    "<|channel>": r"<channel\|>",
    "<|channel|>": r"<\|(?:end|call|return)\|>|(?=<\|start\|>)",
}
_SIGN = "|".join(map(re.escape, _SIGNS))
_MARKS = "|".join(
    (
        "a|abbr|article|aside|audio|b|big|blockquote|body|button|center|code|content|dd|del|details|div|dl|dt|em|figure|font|footer",
        "form|h[1-6]|header|hr|html|i|iframe|img|input|ins|kbd|label|li|main|mark|meta|nav|ol|option|p|pre|q|rp|rt|ruby|s|section",
        "select|small|source|span|strike|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul|video|StatusPlaceHolderImpl",
    )
)
_ALONE = frozenset({"br", "hr", "img", "input", "meta", "source", "statusplaceholderimpl"})
# name=value, or one of the names that HTML has without a value: "<b and b>" has none of them.
_VALUE = r"(?:\"[^\"<>]{0,2000}\"|'[^'<>]{0,2000}'|[^\s\"'<>=]{1,2000})"
_BARE = "open|hidden|controls|disabled|checked|selected|loop|muted|autoplay|reversed"
_ATTRIBUTES = rf"(?P<attributes>(?:\s+[\w:@.-]{{1,60}}\s*=\s*{_VALUE}|\s+(?:{_BARE})(?=[\s/>]))*)"
# Every pattern reads each character a bounded number of times, and what closes a block is looked for once for each kind.
_TOKEN = re.compile(
    rf"(?=[<`\[◁])(?:(?P<code>```.*?(?:```|\Z)|`[^`\n]{{1,300}}`)|(?P<comment><!--)|<(?P<block>{_BLOCKS}|{_OF_MODELS})\b[^<>]{{0,500}}>"
    r"|(?P<details><details\b[^<>]{0,500}\btype=[\"']?(?:reasoning|tool_calls|code_interpreter)\b[^<>]{0,2000}>)"
    r"|(?P<answer><\|channel\|>(?:final|commentary)<\|message\|>|<\|start\|>assistant|<\|(?:end|return)\|>)"
    rf"|(?P<sign>(?-i:{_SIGN}))"
    r"|(?P<thought></(?:think(?:ing)?|thoughts?|seed:think)>|(?-i:\[/THINK\])|◁/think▷)|(?P<break><br\s{0,9}/?>)"
    rf"|<(?P<closes>/?)(?P<mark>{_MARKS}){_ATTRIBUTES}\s*/?>)",
    re.IGNORECASE | re.DOTALL,
)
_THOUGHTS = frozenset({"think", "thinking", "thought", "thoughts", "seed:think", *map(str.lower, _SIGNS)})
_ONLY_OF_MODELS = re.compile(_OF_MODELS, re.IGNORECASE)
# Where somebody talks of a mark, one of these stands on both sides of it.
_BEFORE_MENTION = re.compile(r"(?<![.!?…。！？*])[ \t]\Z|[\"'“‘(「『]\Z")
_AFTER_MENTION = re.compile(r"[ \t\"'”’)」』.,;:!?。，；：！？]")
_OPENINGS = ("<", "[THINK]", "[/THINK]", "◁")
_DATA_IMAGE = re.compile(r"!\[[^\[\]\n]{0,200}\]\(\s{0,9}data:[^)\s]*(?:[^)\n]{0,500}\))?")
_DATA = re.compile(r"data:[\w.+-]{1,40}/[\w.+-]{1,60}(?:;[\w=.-]{1,60}){0,4},[A-Za-z0-9+/=%_-]*")
# Spaces without width and marks of direction; joiners are part of emoji and of letters.
_UNSEEN = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_USER = re.compile(r"\{\{user\}\}|<USER>", re.IGNORECASE)
_CHARACTER = re.compile(r"\{\{char\}\}|<BOT>|<CHAR>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Heard:
    """The words of a message, and what was taken out of them, by its marks (``<think>``), each once."""

    text: str
    removed: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """What was taken out, as a sentence; empty when nothing was."""
        return f"left out of what was said: {', '.join(self.removed)}" if self.removed else ""


def said(text: str, user: str | None, character: str | None) -> str:
    """The words of a character's message, or of a text of its author, as :func:`heard` has them."""
    return heard(text, user, character, by_character=True).text


def heard(text: str, user: str | None = None, character: str | None = None, *, by_character: bool) -> Heard:
    """The words of a message. A macro is kept as it is where its name is not known.

    ``by_character``: a program wrote it, which may have been cut off within a thought; else a person typed it."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    removed: list[str] = []
    if "data:" in text:
        bare = _DATA.sub("", _DATA_IMAGE.sub("", text))
        removed += ["an image as data"] if bare != text else []
        text = bare
    if "<" in text or "{{" in text:
        text = _named(text, user, character)
    if any(opening in text for opening in _OPENINGS):
        unwrapping = _Unwrapping(text.strip(), by_character)
        text = unwrapping.run()
        removed += unwrapping.removed
    return Heard(text.strip(), tuple(dict.fromkeys(removed)))


def _named(text: str, user: str | None, character: str | None) -> str:
    if user is not None:
        text = _USER.sub(lambda _: user, text)
    return text if character is None else _CHARACTER.sub(lambda _: character, text)


@dataclass(slots=True)
class _Unwrapping:
    """One message, from its beginning to its end."""

    text: str
    by_character: bool
    removed: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    open_for_ever: set[str] = field(default_factory=set)
    paired: frozenset[str] = frozenset()
    thought: bool = False

    def run(self) -> str:
        if not self.by_character:
            self.paired = _paired(self.text)
        at = 0
        while (match := _TOKEN.search(self.text, at)) is not None:
            self.kept.append(self.text[at : match.start()])
            at = self._after(match)
        return "".join(self.kept) + self.text[at:]

    def _after(self, match: re.Match[str]) -> int:
        """Where to go on behind a mark, which is kept or taken out."""
        if self._is_block(match):
            return self._behind_block(match)
        if match["thought"]:
            return self._behind_thought(match)
        if match["answer"] and self.by_character:
            return match.end()
        if match["break"]:
            self.kept.append("\n")
        elif match["mark"] and self._is_mark(match):
            self.removed.append(f"<{match['mark']}>")
        else:
            self.kept.append(match[0])
        return match.end()

    def _is_block(self, match: re.Match[str]) -> bool:
        if match["details"] or match["comment"]:
            return True
        if match["block"] and not _ONLY_OF_MODELS.fullmatch(match["block"]):
            return True
        return self.by_character and bool(match["block"] or match["sign"])

    def _behind_block(self, match: re.Match[str]) -> int:
        name = match["block"] or match["sign"] or ("details" if match["details"] else "!--")
        end = self._closed(name, match.end())
        if end is None and self.by_character and match.start() == 0:
            end = len(self.text)
        if end is None:
            self.kept.append(match[0])
            return match.end()
        self.thought = self.thought or name.lower() in _THOUGHTS
        self.removed.append("<!-- -->" if name == "!--" else match["sign"] or f"<{name}>")
        return end

    def _closed(self, name: str, begin: int) -> int | None:
        if name.lower() in self.open_for_ever:
            return None
        closing = "-->" if name == "!--" else _SIGNS.get(name, rf"</{re.escape(name)}\s{{0,9}}>")
        found = re.compile(closing, re.IGNORECASE).search(self.text, begin)
        if found is None:
            self.open_for_ever.add(name.lower())
            return None
        return found.end()

    def _behind_thought(self, match: re.Match[str]) -> int:
        """Some programs cut off the mark that opens a thought; all that stands before the one that closes it is the thought."""
        if self.by_character and (self.thought or not self._is_mention(match)):
            self.kept.clear()
            self.removed.append(match[0])
        else:
            self.kept.append(match[0])
        return match.end()

    def _is_mention(self, match: re.Match[str]) -> bool:
        """Whether a mark stands among words like one of them."""
        before = _BEFORE_MENTION.search(self.text[max(match.start() - 2, 0) : match.start()])
        return before is not None and _AFTER_MENTION.match(self.text, match.end()) is not None

    def _is_mark(self, match: re.Match[str]) -> bool:
        name = match["mark"].lower()
        return self.by_character or name in _ALONE or name in self.paired or bool(match["attributes"])


def _paired(text: str) -> frozenset[str]:
    """The tags of HTML that are opened and closed."""
    found = [(match["mark"].lower(), match["closes"]) for match in _TOKEN.finditer(text) if match["mark"]]
    return frozenset(name for name, closes in found if not closes) & frozenset(name for name, closes in found if closes)


def speaker_name(value: object) -> str:
    """A name as it is compared: in NFC, on one line, without what nobody sees and white space around it; empty if ``value`` is no
    text. The same name is the same object, however many lines have it."""
    if not isinstance(value, str):
        return ""
    seen = value if value.isascii() else _UNSEEN.sub("", unicodedata.normalize("NFC", value))
    return intern((seen if seen.isprintable() else _CONTROL.sub(" ", seen)).strip())
