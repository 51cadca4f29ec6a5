"""Readers: one per format, bytes → notes, links or messages, and the problems with their lines."""

from soulmem.ingest.contract import Conversation, Document, Format, KeyedLink, Problem, SaidLine
from soulmem.ingest.formats import FORMATS, MAX_FILE_BYTES, detect, read

__all__ = [
    "FORMATS",
    "MAX_FILE_BYTES",
    "Conversation",
    "Document",
    "Format",
    "KeyedLink",
    "Problem",
    "SaidLine",
    "detect",
    "read",
]
