"""Gemini as Google Takeout exports it (``MyActivity.json``): what was asked, with the answer in HTML, the newest first.

Which questions belong together is not in the file: they are one conversation, cut where nothing was said for long. Activities
without a question (settings, feedback) are not read.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from soulmem.ingest.contract import Document, Format
from soulmem.ingest.encodings import head
from soulmem.ingest.json_places import first_names
from soulmem.ingest.mapped import Data
from soulmem.ingest.placed import ANY, Made, Placed, read_tree
from soulmem.ingest.transcript import ASSISTANT, Said, Transcript, document
from soulmem.model.messages import Role

_DEPTH = 2
_HEADERS = re.compile(r'"header"\s*:\s*"(?:Gemini|Bard)')
# What stands before the words of the user in the title of an activity, in English.
_ASKED = re.compile(r"(?:Prompted with:|Prompted|Asked Gemini|Asked|Said|Answered|Branched)\s+")
# Patterns, as the parser of HTML in Python takes hours for a page that is made to harm.
_ITEM = re.compile(r"<li\b[^<>]{0,200}>", re.IGNORECASE)
_LINE = re.compile(r"<br\b[^<>]{0,200}>|</(?:li|tr|pre|div|h[1-6])>", re.IGNORECASE)
_PARAGRAPH = re.compile(r"</p>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,2000}>")
_BLANK = re.compile(r"\n{3,}")


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like such an export."""
    text = head(data)
    _, names = first_names(text)
    return 1.0 if {"header", "title"} <= set(names) and _HEADERS.search(text) else 0.0


def read(data: Data, at: datetime) -> Document:
    """Questions and answers, the oldest first.

    :raises FormatError: there is no question in it."""
    del at
    value, problems = read_tree(data, _DEPTH, _MADE)
    told = Transcript(nameless=ASSISTANT)
    for activity in reversed(value) if isinstance(value, list) else ():
        for said in activity:
            told.take(said, 1)
    return document(FORMAT.name, [told], problems)


def _activity(activity: Any) -> tuple[Said, ...]:
    if not isinstance(activity, Placed):
        return (Said(None, skipped="this is not an activity"),)
    title, answers = activity.get("title"), list(_answers(activity.get("safeHtmlItem")))
    asked = _ASKED.match(title) if isinstance(title, str) else None
    if not answers and asked is None:
        return ()
    words = title[asked.end() :] if asked and isinstance(title, str) else title
    spoken = [(Role.USER, words), *((Role.CHARACTER, answer) for answer in answers)]
    return tuple(Said(activity.line, role, text, sent_at=activity.get("time")) for role, text in spoken)


# An answer is a page, of which its words are kept when it is read.
_MADE = Made({(ANY,): _activity})


def _answers(items: Any) -> Iterator[str]:
    for item in items if isinstance(items, list) else [items]:
        page = item.get("html") if isinstance(item, dict) else None
        if isinstance(page, str) and page.strip():
            yield _words(page)


def _words(page: str) -> str:
    """The words of a page, its lines and paragraphs apart."""
    text = _PARAGRAPH.sub("\n\n", _LINE.sub("\n", _ITEM.sub("- ", page)))
    return _BLANK.sub("\n\n", html.unescape(_TAG.sub("", text))).strip()


FORMAT = Format("gemini", "Gemini activity from Google Takeout (MyActivity.json)", sniff, read, stream=read)
