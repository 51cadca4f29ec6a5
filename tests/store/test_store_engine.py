"""The engine is imported without asyncio, and asyncio is there all the same for who wants it."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import sys
from soulmem.store import load_engine

load_engine()
assert "kuzu" in sys.modules and "asyncio" not in sys.modules
load_engine()
import asyncio
from kuzu import async_connection

async def one() -> int:
    assert async_connection.asyncio.get_running_loop() is asyncio.get_running_loop()
    return 1

print(asyncio.run(one()))
"""


def test_the_engine_is_loaded_without_asyncio_which_works_later() -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", CODE], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("1\n", "")
