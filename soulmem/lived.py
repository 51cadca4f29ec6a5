"""A shipped character who has lived for some months: the talk of the fixtures, heard on its days, and asked about afterwards.

What the notebooks show where no mind is named. Everything has the dates of the talk, so that the same mind comes out every time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from importlib.resources import as_file
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any

from soulmem._data_files import data_folder
from soulmem.embed import Embedder
from soulmem.errors import NotFoundError
from soulmem.ingest.contract import SaidLine
from soulmem.ingest.formats import read
from soulmem.model.results import Recollection, Stage
from soulmem.soul import Soul, utc_now
from soulmem.working.observer import Line

#: The characters there are.
CHARACTERS = ("wren", "xiaohong")

#: How many days after its answer was said a question is asked: some once, some twice, some three times.
_ASKED_AFTER = ((1,), (1, 6), (1, 6, 20))
#: How many memories each of these questions uses.
_USED = 3
#: How long after the last line it is.
_AFTERWARDS = timedelta(days=10)


def live(mind: str | Path, character: str = CHARACTERS[0], embedder: str | Embedder = "hashing", days: int = 8) -> Soul:
    """Make a new mind at ``mind`` and let ``character`` live: know what its graph says, hear its talk, be asked about it.

    ``days``: on how many days, at least 1, it hears the talk: the last of those on which there was any (each takes a second or
    two). The mind is open; its clock stands still some days after the last line. The caller closes it.

    Raises :class:`NotFoundError` for a character that is not shipped.
    """
    if character not in CHARACTERS:
        raise NotFoundError(f"there is no shipped character {character!r}", advice=f"There are: {', '.join(CHARACTERS)}.")
    with as_file(data_folder("fixtures") / character) as folder:
        said = _said(folder / "chat.jsonl")
        heard = list(_days(said))[-days:]
        questions = json.loads((folder / "chat.evidence.json").read_text("utf-8"))["questions"]
        asked = [one for one in _asked(questions, said) if one[0] > heard[0][-1].at]
        begin, end = heard[0][0].at - timedelta(days=1), said[-1].at + _AFTERWARDS
        soul = Soul.create(mind, embedder=embedder, clock=lambda: end)
        try:
            soul.ingest(folder / "graph.json", at=begin)
            _pass_days(soul, heard, asked, end)
        except BaseException:
            soul.close()
            raise
    return soul


def _said(chat: Path) -> list[Line]:
    lines: Sequence[SaidLine] = read(chat.read_bytes(), utc_now()).messages
    return [
        Line(text=one.text, speaker=one.speaker, role=one.role, at=one.sent_at, hidden=one.hidden)
        for one in lines
        if one.sent_at is not None
    ]


def _asked(questions: Sequence[Mapping[str, Any]], said: Sequence[Line]) -> list[tuple[datetime, str]]:
    asked: list[tuple[datetime, str]] = []
    for number, question in enumerate(questions):
        if question["evidence"]:
            told = said[max(question["evidence"])].at
            days = _ASKED_AFTER[number % len(_ASKED_AFTER)]
            asked += [(told + timedelta(days=day, minutes=number), question["q"]) for day in days]
    return sorted(asked)


def _pass_days(soul: Soul, days: Sequence[Sequence[Line]], asked: Sequence[tuple[datetime, str]], end: datetime) -> None:
    """Hear the lines of a day, make memories of them in the quiet afterwards, and answer what is asked between the days."""
    for day in days:
        asked = _answer(soul, asked, day[0].at)
        soul.observe_many(day)
        soul.idle(day[-1].at + timedelta(hours=1))
    _answer(soul, asked, end)


def _days(said: Sequence[Line]) -> Iterator[list[Line]]:
    """The lines of each day; an hour that a clock shows wrongly does not turn back time."""
    times = accumulate((line.at for line in said), max)
    lines = [replace(line, at=at) for line, at in zip(said, times, strict=True)]
    for _, day in groupby(lines, key=lambda line: line.at.date()):
        yield list(day)


def _answer(soul: Soul, asked: Sequence[tuple[datetime, str]], until: datetime) -> Sequence[tuple[datetime, str]]:
    """Answer what is asked before ``until``; what is asked later is given back."""
    for at, question in asked:
        if at < until:
            found = soul.recall(question, at=at, chat=None)
            soul.commit(found, used=_best(found))
    return [one for one in asked if one[0] >= until]


def _best(found: Recollection) -> list[Any]:
    return [memory for memory in found.memories if memory.stage is not Stage.CORE][:_USED]
