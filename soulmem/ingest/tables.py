"""Chats in tables (CSV): a line of names of columns, then a message in every row; Replika backups among them.

The columns are known by their names, in whatever order: who speaks, what is said, and, if there are such, when, in which role and
in which conversation. Commas, semicolons or tabs part them; cells may be in quotes and go over several lines. Rows whose times
fall stand the newest first, and are turned round.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from io import StringIO
from itertools import pairwise

from soulmem.errors import FormatError
from soulmem.ingest.contract import Document, Format, Problem
from soulmem.ingest.dates import times
from soulmem.ingest.encodings import decode, head
from soulmem.ingest.script import role_of, with_sides
from soulmem.ingest.transcript import Transcript, document
from soulmem.model.messages import Role

_SEPARATORS = ",;\t|"
# What programs and people call a column; where a table has several of a kind, the first named here counts.
_COLUMNS = {
    "text": "text strcontent content message body msg messagetext messagecontent utterance 内容 消息 消息内容 文本",
    "speaker": "speaker from name nickname displayname author sender sendername username fromname who 发送者 发言人 说话人 昵称",
    "time": "timestamp strtime datetime time date createdat createtime sentat senttime sendtime sentdate 发送时间 时间 日期",
    "role": "role issender sendertype 角色",
    "conversation": "conversation conversationid chat chatid chatname thread threadid session sessionid channel room 会话 群聊",
}
_LINES = re.compile(r"\r\n|\r|\n")
_LONGEST_HEADER = 2000
_PUNCTUATION = re.compile(r"[\W_]+")
_ROLES = {
    **dict.fromkeys(("rep", "robot", "bot", "ai", "assistant", "model", "character", "char"), Role.CHARACTER),
    **dict.fromkeys(("me", "user", "human", "you"), Role.USER),
    **dict.fromkeys(("system", "tool"), Role.SYSTEM),
}
_REPLIKA = ["timestamp", "from", "text", "reaction", "id"]


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    cells: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Table:
    """``columns``: kind → place; ``width``: how many there are. ``begin``: the 0-based line that the rows begin at."""

    separator: str
    columns: Mapping[str, int]
    width: int
    begin: int
    replika: bool


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins with the names of the columns of a chat."""
    return 0.0 if (table := _table(head(data))) is None else 0.95 if "speaker" in table.columns else 0.85


def read(data: bytes, at: datetime) -> Document:
    """The messages, the oldest first; several conversations where the table says which is which.

    :raises FormatError: it has no line of names of columns, or there is not one message in it."""
    del at
    decoded = decode(data)
    table = _table(decoded.text)
    if table is None:
        raise FormatError("the first line does not name the columns of a chat", place="line 1", advice=_ADVICE)
    problems = list(decoded.problems)
    rows = list(_rows(decoded.text, table, problems))
    found = times([row.cells.get("time", "").strip() for row in rows])
    if found.told:
        problems.append(Problem(None, found.told, skipped=False))
    timed = list(zip(rows, found.moments, strict=True))
    if _is_newest_first(found.moments):
        timed.reverse()
    told: dict[str, Transcript] = {}
    for row, moment in timed:
        name = row.cells.get("conversation", "").strip()
        _say(told.setdefault(name, Transcript(name=name)), row, moment, table.replika)
    if len(told) == 1:
        next(iter(told.values())).name = ""
    return with_sides(document(FORMAT.name, told.values(), problems))


_ADVICE = "It needs one with the text (text, message, content) and one with who says it (from, name, sender, role)."


def _table(text: str) -> _Table | None:
    begin = 0
    lines = _LINES.split(text, maxsplit=2)
    if len(lines) > 1 and lines[0].strip().lower().startswith("sep="):  # Excel's own word for it
        lines, begin = lines[1:], 1
    found = [one for separator in _SEPARATORS if (one := _header(lines[0], separator, begin)) is not None]
    return max(found, key=lambda table: len(table.columns), default=None)


def _header(line: str, separator: str, begin: int) -> _Table | None:
    cells = next(csv.reader([line.strip("\ufeff")[:_LONGEST_HEADER]], delimiter=separator), [])
    names = [_PUNCTUATION.sub("", cell).lower() for cell in cells]
    columns = {kind: place for kind, known in _COLUMNS.items() if (place := _place(names, known.split())) is not None}
    if "text" not in columns or not columns.keys() & {"speaker", "role"}:
        return None
    return _Table(separator, columns, len(cells), begin, names == _REPLIKA)


def _place(names: Sequence[str], known: Sequence[str]) -> int | None:
    return next((names.index(name) for name in known if name in names), None)


def _rows(text: str, table: _Table, problems: list[Problem]) -> Iterator[_Row]:
    counted = _Counted(text)
    reader = csv.reader(counted, delimiter=table.separator)
    header = table.begin + 1
    while True:
        line, row_begins = counted.line, reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            problems.append(Problem(line, f"not a row of a table ({error}); it was skipped"))
            continue
        if cells is None:
            return
        if row_begins <= header or not any(cell.strip() for cell in cells):
            continue
        if len(cells) <= table.columns["text"]:
            problems.append(Problem(line, f"the row has only {len(cells)} cells, and none for the text; it was skipped"))
            continue
        if len(cells) > table.width and (beyond := _beyond(cells, table)):
            problems.append(Problem(line, beyond))
            continue
        yield _Row(line, {kind: cells[place] for kind, place in table.columns.items() if place < len(cells)})


class _Counted:
    """The lines of a table, which may end at a ``\\r`` alone. ``line``: where the next one stands in the file, as files are
    counted everywhere: by ``\\n``."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.line = 1

    def __iter__(self) -> Iterator[str]:
        for piece in StringIO(self._text, newline=""):
            self.line += piece.endswith("\n")
            yield piece


def _beyond(cells: list[str], table: _Table) -> str:
    """What is wrong with a row that has more cells than there are columns. Where the text stands last nothing is: it was written
    without quotes, and its parts are put together again."""
    if not any(cell.strip() for cell in cells[table.width :]):
        return ""
    if table.columns["text"] != table.width - 1:
        what = f"the row has {len(cells)} cells in {table.width} columns"
        return f"{what} (a text with {table.separator!r} in it needs quotes); it was skipped"
    cells[table.width - 1 :] = [table.separator.join(cells[table.width - 1 :])]
    return ""


def _is_newest_first(moments: Sequence[datetime | str]) -> bool:
    known = [moment for moment in moments if isinstance(moment, datetime)]
    pairs = list(pairwise(known))
    return sum(two < one for one, two in pairs) > sum(two > one for one, two in pairs)


def _say(told: Transcript, row: _Row, moment: datetime | str, replika: bool) -> None:
    speaker = row.cells.get("speaker", "").strip()
    stated = _role(row.cells.get("role", "")) or _role(speaker)
    text = row.cells["text"]
    told.say(
        row.line,
        stated or role_of(speaker),
        text.replace("\\n", "\n") if replika else text,
        speaker="" if _role(speaker) and stated is not Role.SYSTEM else speaker,
        sent_at=moment,
        hidden=stated is Role.SYSTEM,
    )


def _role(cell: str) -> Role | None:
    return _ROLES.get(cell.strip().lower())


FORMAT = Format("csv", "chat in a table with columns for who speaks and what, also Replika backups (.csv, .tsv)", sniff, read)
