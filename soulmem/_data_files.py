"""Where the folders that travel beside the code are: ``schema``, ``queries``, ``fixtures``."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


def data_folder(kind: str) -> Traversable:
    """The folder ``kind``: inside the installed package, else beside it in a checkout."""
    packaged = files("soulmem") / "_data" / kind
    if packaged.is_dir():
        return packaged
    return Path(__file__).resolve().parent.parent / kind
