"""What was said, without what a chat program or a model wrapped around it.

Removed with all they hold: thoughts (``<think>``, ``<details type="reasoning">``), calls of tools, style sheets, scripts, HTML
comments, status bars, updates of variables.
Removed as marks, their content kept: the tags of HTML. Removed: images that stand in the text as data. Replaced: macros for
the names of the speakers. Kept: ``*actions*``, links to images, other macros, and anything else in angle brackets.
"""

from __future__ import annotations

import re
import unicodedata

_BLOCKS = "|".join(
    (
        "think|thinking|thought|reasoning|style|script|head|svg",
        "UpdateVariable|StatusBlock|status_block|StatusBar|status_bar|status|状态栏|状态|memo|initvar",
    )
)
_MARKS = "|".join(
    (
        "a|abbr|article|aside|audio|b|big|blockquote|body|button|center|code|content|dd|del|details|div|dl|dt|em|figure|font|footer",
        "form|h[1-6]|header|hr|html|i|iframe|img|input|ins|kbd|label|li|main|mark|meta|nav|ol|option|p|pre|q|rp|rt|ruby|s|section",
        "select|small|source|span|strike|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul|video|StatusPlaceHolderImpl",
    )
)
# Every pattern reads each character a bounded number of times: what is opened and never closed reaches to the end.
_BLOCK = re.compile(rf"<({_BLOCKS})\b[^<>]{{0,500}}>.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_DETAILS = re.compile(
    r"<details\b[^<>]{0,500}\btype=[\"']?(?:reasoning|tool_calls|code_interpreter)\b[^<>]{0,2000}>.*?(?:</details\s*>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_THOUGHT_END = re.compile(r"</(?:think|thinking)>", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_BREAK = re.compile(r"<br\s{0,9}/?>", re.IGNORECASE)
_MARK = re.compile(rf"</?(?:{_MARKS})(?:[\s/][^<>]*)?>", re.IGNORECASE)
_DATA_IMAGE = re.compile(r"!\[[^\[\]\n]{0,200}\]\(\s{0,9}data:[^)\s]*(?:[^)\n]*\))?")
_DATA = re.compile(r"data:[\w.+-]{1,40}/[\w.+-]{1,60}(?:;[\w=.-]{1,60}){0,4},[A-Za-z0-9+/=%_-]*")
_USER = re.compile(r"\{\{user\}\}|<USER>", re.IGNORECASE)
_CHARACTER = re.compile(r"\{\{char\}\}|<BOT>|<CHAR>", re.IGNORECASE)


def said(text: str, user: str | None, character: str | None) -> str:
    """The words of a message. A macro is kept as it is where its name is not known."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "data:" in text:
        text = _DATA.sub("", _DATA_IMAGE.sub("", text))
    if "<" in text or "{{" in text:
        text = _unwrapped(text, user, character)
    return text.strip()


def _unwrapped(text: str, user: str | None, character: str | None) -> str:
    if user is not None:
        text = _USER.sub(lambda _: user, text)
    if character is not None:
        text = _CHARACTER.sub(lambda _: character, text)
    if "<" not in text:
        return text
    text = _BLOCK.sub("", _DETAILS.sub("", _COMMENT.sub("", text)))
    ends = list(_THOUGHT_END.finditer(text))
    if ends:  # some programs cut off the opening mark of a thought
        text = text[ends[-1].end() :]
    return _MARK.sub("", _BREAK.sub("\n", text))


def speaker_name(value: object) -> str:
    """A name as it is compared: in NFC, without white space around it; empty if ``value`` is no text."""
    return unicodedata.normalize("NFC", value).strip() if isinstance(value, str) else ""
