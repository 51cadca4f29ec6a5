"""For all tests: no property fails for how busy the machine is; pytest's own timeout stops what hangs.

``HYPOTHESIS_PROFILE=thorough`` tries each property ten times as long.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("suite", deadline=None, max_examples=30)
settings.register_profile("thorough", deadline=None, max_examples=500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))
