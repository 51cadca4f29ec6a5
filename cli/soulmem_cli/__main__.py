"""``python -m soulmem_cli`` is ``soulmem``."""

from __future__ import annotations

import sys

from soulmem_cli.main import main

sys.exit(main())
