"""Graph JSON: the notes and links of a mind in one array (SPEC §2), or as JSON Lines, a node each.

A node that cannot be read is skipped with a problem that names its line; a link likewise, without its node.
A file that breaks off gives what stands before the break.
What is merely unusual (the deviations of real files, a feeling above 1) is mended.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime

from soulmem.errors import FormatError, json_fault
from soulmem.ingest.contract import Document, Format, Problem
from soulmem.ingest.encodings import Text, head
from soulmem.ingest.graph_scan import LINKS
from soulmem.ingest.json_places import Cursor, first_names
from soulmem.ingest.mapped import PIECE, Data


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like a graph."""
    text = head(data)
    opening, names = first_names(text)
    if opening == "{":
        return 0.9 if set(names) >= _NODE else 0.0
    if opening != "[":
        return 0.0
    if "mem_type" in names:
        return 1.0
    if LINKS in names or {"id", "tags"} <= set(names):
        return 0.7
    return 0.5 if not names and text.split() in (["[]"], ["[", "]"]) else 0.0


def read(data: Data, at: datetime) -> Document:
    """The notes and links of a Graph JSON file. ``at``: when they are imported, which is the birth of notes that state none.

    :raises FormatError: not an array, broken before the end of the first node, or nested too deeply.
    """
    from soulmem.ingest.graph_reader import read_graph  # pydantic is loaded only when there is a graph to read

    text, broken = Text(data, json=True), list[Problem]()
    opening, names = first_names(text.begin(_BEGINNING)[:_BEGINNING])
    lines = opening == "{" and set(names) >= _NODE
    cursor = Cursor(_as_array(text, broken) if lines else text.pieces())
    return read_graph(cursor, lambda: (*text.problems, *broken), at, FORMAT.name)


#: What a node says at least, and within how many characters the first of them says it.
_NODE = {"id", "mem_type"}
_BEGINNING = 65536


def _as_array(text: Text, problems: list[Problem]) -> Iterator[str]:
    """JSON Lines as an array of the same lines, in pieces, without those that are broken, each of which is added to ``problems``.

    :raises FormatError: all of them are."""
    parts, last, size = list[str](), 0, 0
    for number, line in text.lines():
        if not line.strip() or not _is_json(line, number, problems):
            continue
        parts += ("\n" * (number - max(last, 1)), "," if last else "[", line)
        last, size = number, size + len(line)
        if size > PIECE:
            yield "".join(parts)
            parts, size = [], 0
    if not last:
        raise FormatError("none of its lines is JSON", place="line 1", advice="No node could be read.")
    yield "".join((*parts, "]"))


def _is_json(line: str, number: int, problems: list[Problem]) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError) as error:
        what = json_fault(error.msg) if isinstance(error, json.JSONDecodeError) else "nested too deeply"
        problems.append(Problem(number, f"not JSON: {what}; the line was skipped"))
        return False
    return True


FORMAT = Format("graph-json", "Graph JSON: the notes and links of a mind (.json, .jsonl)", sniff, read, stream=read)
