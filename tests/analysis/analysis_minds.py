"""What the tests of analysis know of the minds they share."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from soulmem.soul import Soul

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
#: The end of Wren's story, and the day on which 小红 learned all she knows.
WREN_END = datetime(2026, 6, 29, 15, 28, tzinfo=UTC)
LEARNED = datetime(2026, 6, 1, tzinfo=UTC)

Read = Callable[[Path], Soul]
