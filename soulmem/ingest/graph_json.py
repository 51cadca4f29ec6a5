"""Graph JSON: the notes and links of a mind in one array (SPEC §2), or as JSON Lines, a node each.

A node that cannot be read is skipped with a problem that names its line; a link likewise, without its node.
A file that breaks off gives what stands before the break.
What is merely unusual (the deviations of real files, a feeling above 1) is mended.
"""

from __future__ import annotations

import json
from datetime import datetime

from soulmem.errors import FormatError
from soulmem.ingest.contract import Document, Format, Problem
from soulmem.ingest.encodings import decode_json, head
from soulmem.ingest.graph_scan import LINKS
from soulmem.ingest.json_places import first_names


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


def read(data: bytes, at: datetime) -> Document:
    """The notes and links of a Graph JSON file. ``at``: when they are imported, which is the birth of notes that state none.

    :raises FormatError: not an array, broken before the end of the first node, or nested too deeply.
    """
    from soulmem.ingest.graph_reader import read_graph  # pydantic is loaded only when there is a graph to read

    decoded = decode_json(data)
    opening, names = first_names(decoded.text[:_BEGINNING])
    if opening != "{" or not set(names) >= _NODE:
        return read_graph(decoded.text, decoded.problems, at, FORMAT.name)
    text, broken = _as_array(decoded.text)
    return read_graph(text, (*decoded.problems, *broken), at, FORMAT.name)


#: What a node says at least, and within how many characters the first of them says it.
_NODE = {"id", "mem_type"}
_BEGINNING = 65536


def _as_array(text: str) -> tuple[str, list[Problem]]:
    """JSON Lines as an array of the same lines, without those that are broken, each of which is a problem."""
    whole: list[tuple[int, str]] = []
    problems = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            json.loads(line)
            whole.append((number, line))
        except (ValueError, RecursionError) as error:
            what = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
            problems.append(Problem(number, f"not JSON: {what}; the line was skipped"))
    if not whole:
        raise FormatError("none of its lines is JSON", place="line 1", advice="No node could be read.")
    lines = [""] * whole[-1][0]
    for place, (number, line) in enumerate(whole):
        lines[number - 1] = f"{',' if place else '['}{line}"
    return "\n".join(lines) + "]", problems


FORMAT = Format("graph-json", "Graph JSON: the notes and links of a mind (.json, .jsonl)", sniff, read)
