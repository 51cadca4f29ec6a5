"""Whatever a file holds: it is read into the mind as a dry run says, or refused, and then the mind is as it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from damage import GOOD, damaged, replaced, wrapped
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import AT
from seeds import SEEDS

from soulmem.ingest.report import FileReport
from soulmem.soul import Soul


@pytest.fixture(scope="module")
def mind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Soul]:
    """A mind that knows who it is, and has heard a chat; for all that changes nothing."""
    with Soul.create(tmp_path_factory.mktemp("minds") / "a.mind", embedder="hashing", clock=lambda: AT) as soul:
        for name in ("card-json", "sillytavern", "graph-json"):
            assert soul.ingest_bytes(SEEDS[name][0], name=name).refused is None
        yield soul


@pytest.fixture(scope="module")
def growing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Soul]:
    """A mind that takes in whatever comes."""
    with Soul.create(tmp_path_factory.mktemp("minds") / "b.mind", embedder="hashing", clock=lambda: AT) as soul:
        yield soul


def whole(soul: Soul) -> tuple[object, ...]:
    """All that a mind holds, and what was ever done to it."""
    return soul.export_graph(), soul.export_messages(), soul.stats(), soul.log(), operations(soul)


def operations(soul: Soul) -> int:
    """How many operations the mind has seen."""
    return max((operation.number for operation in soul.log(limit=1)), default=0)


def counted(report: FileReport) -> FileReport:
    assert report.read == report.new + report.existing + report.skipped
    assert report.refused is None or report.new == report.existing == 0
    return report


FILES = damaged() | replaced().map(lambda file: (file[0], wrapped(file[1], file[0])))


def test_refusals_and_dry_runs_leave_a_mind_as_it_was(mind: Soul) -> None:
    before, refused = whole(mind), Counter[str]()

    @given(FILES, st.booleans(), st.booleans())
    def law(file: tuple[str, bytes], strict: bool, forced: bool) -> None:
        name, data = file
        how = {"format": name if forced else None, "strict": strict}
        report = counted(mind.ingest_bytes(data, dry_run=True, **how))
        if report.refused is not None:
            refused[name] += 1
            assert counted(mind.ingest_bytes(data, **how)) == report

    law()
    assert refused and whole(mind) == before


def test_what_is_no_file_of_a_format_is_refused_as_one_and_changes_nothing(mind: Soul) -> None:
    before = whole(mind)
    for name in SEEDS:
        for data in (b"", b"\x00\x01\x02", b"{}", b"[" * 10_000):
            assert counted(mind.ingest_bytes(data, format=name)).refused
        for _, data in GOOD[:: len(GOOD) // 8]:
            counted(mind.ingest_bytes(data, format=name, dry_run=True))
    assert whole(mind) == before


@given(FILES)
@settings(max_examples=20)
def test_a_file_that_is_not_whole_comes_in_as_its_dry_run_says_and_once(growing: Soul, file: tuple[str, bytes]) -> None:
    name, data = file
    promised = counted(growing.ingest_bytes(data, format=name, dry_run=True))
    before = operations(growing)
    assert growing.ingest_bytes(data, format=name) == promised
    written = operations(growing) - before
    assert bool(promised.new) <= written <= 1, "what is kept of a card or a lorebook is none of its items, and may be new alone"
    again = counted(growing.ingest_bytes(data, format=name))
    assert again.new == 0 and again.read == promised.read
    assert operations(growing) == before + written
