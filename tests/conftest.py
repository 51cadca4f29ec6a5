"""For all tests: no property fails for how busy the machine is; pytest's own timeout stops what hangs."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("suite", deadline=None)
settings.load_profile("suite")
