"""Runs of spaces."""

from __future__ import annotations

import re

_RUN = re.compile(r"\s{2,}|[^\S \n]")


def single_spaced(text: str) -> str:
    """``text`` with every run of spaces as one space, or as one line break if there is one in it.

    They tell nothing, and a pattern that looks for words with spaces between has many ways to divide a long run among them.
    """
    return _RUN.sub(lambda run: "\n" if "\n" in run[0] else " ", text)
