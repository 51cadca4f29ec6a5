"""The public names: a sorted list that is what the package really exports."""

from __future__ import annotations

import subprocess
import sys

import pytest

import soulmem


def test_all_is_sorted_and_every_name_is_there() -> None:
    assert soulmem.__all__ == sorted(soulmem.__all__)
    for name in soulmem.__all__:
        assert getattr(soulmem, name) is not None
    assert dir(soulmem) == soulmem.__all__


def test_what_is_not_public_is_not_there() -> None:
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        soulmem.nothing_of_the_kind  # noqa: B018


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = "import sys, soulmem; print(sorted({'numpy', 'kuzu', 'polars', 'pydantic', 'numba', 'jieba'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
