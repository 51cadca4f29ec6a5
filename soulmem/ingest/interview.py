"""A character made by answering questions: a file of the answers, as ``soulmem new --save`` writes it.

An object ``{"soulmem": "interview", "version": 1, "name": …}``; its other members are those of
:class:`soulmem.ingest.answers.Answers`.
"""

from __future__ import annotations

from datetime import datetime

from soulmem.ingest.contract import INTERVIEW, Document, Format
from soulmem.ingest.encodings import decode_json, head


def sniff(data: bytes) -> float:
    """Certain where the file says so at its beginning."""
    start = "".join(head(data)[:200].split())
    return 1.0 if start.startswith('{"soulmem":"interview"') else 0.0


def read(data: bytes, at: datetime) -> Document:
    """What the answers leave in a mind. :raises FormatError: they are none, or broken."""
    from soulmem.ingest.answers import answers_of, document  # pydantic is loaded only where there are answers to read

    decoded = decode_json(data)
    return document(answers_of(decoded.text), at, decoded.problems, decoded.text)


FORMAT = Format(INTERVIEW, "answers that make a character, as soulmem new writes them (.json)", sniff, read)
