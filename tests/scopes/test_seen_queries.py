"""Whatever recalling asks of a mind may be asked in a context too."""

from __future__ import annotations

import re
from pathlib import Path

import soulmem.recall
from soulmem.scopes import seen

_NAME = re.compile(r'"(recall\.[a-z_]+)"')


def test_every_query_of_recall_is_to_be_had_in_a_context() -> None:
    folder = Path(soulmem.recall.__path__[0])
    asked = {name for file in folder.glob("*.py") for name in _NAME.findall(file.read_text(encoding="utf-8"))}
    tables = (seen._NOTES, seen._LINES, seen._BARE, seen._TOLD, seen._VECTORS, seen._BOTH, seen._SPECIAL, seen._SPECIAL_COLUMNS)
    known = {name for table in tables for name in table}
    assert len(asked) > 10
    assert asked <= known
