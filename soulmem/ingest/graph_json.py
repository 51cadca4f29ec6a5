"""Graph JSON: the notes and links of a mind in one array (SPEC §2).

A node that cannot be read is skipped with a problem that names its line; a link likewise, without its node.
A file that breaks off gives what stands before the break.
What is merely unusual (the deviations of real files, a feeling above 1) is mended.
"""

from __future__ import annotations

from datetime import datetime

from soulmem.ingest.contract import Document, Format
from soulmem.ingest.encodings import decode_json, head
from soulmem.ingest.graph_scan import LINKS
from soulmem.ingest.json_places import first_names


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like a graph."""
    text = head(data)
    opening, names = first_names(text)
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
    return read_graph(decoded.text, decoded.problems, at, FORMAT.name)


FORMAT = Format("graph-json", "Graph JSON: the notes and links of a mind (.json)", sniff, read)
