"""A chat that is read in parts: what came next is linked over the seam, and reading it whole again adds nothing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from soulmem.soul import Soul

AT = datetime(2026, 11, 1, tzinfo=UTC)
NEXT = "MATCH (a:SpecificSituation)-[l:Situation]->(b:SpecificSituation) RETURN a.narrative, b.narrative, l.intensity"


@pytest.fixture
def soul(tmp_path: Path) -> Iterator[Soul]:
    with Soul.create(tmp_path / "a.mind", embedder="hashing", clock=lambda: AT) as soul:
        yield soul


def chat(*times: str) -> bytes:
    """Ann and Bo in turns, a line at each of ``times``."""
    lines = [f"[2024-05-0{time}] {'Ann' if place % 2 == 0 else 'Bo'}: line {place}" for place, time in enumerate(times)]
    return "\n".join(lines).encode()


def read(soul: Soul, data: bytes) -> None:
    report = soul.ingest_bytes(data, name="talk", format="script")
    assert report.refused is None


def next_links(soul: Soul) -> set[tuple[str, str, float]]:
    return {(one, other, intensity) for one, other, intensity in soul.cypher(NEXT, limit=None).rows}


EVENING = ("1 20:00", "1 20:01", "1 20:02", "1 20:03", "1 20:04", "1 20:05")


@pytest.mark.parametrize("cut", [2, 4])
def test_the_parts_are_linked_as_the_whole_is(soul: Soul, tmp_path: Path, cut: int) -> None:
    read(soul, chat(*EVENING[:cut]))
    read(soul, chat(*EVENING))
    with Soul.create(tmp_path / "whole.mind", embedder="hashing", clock=lambda: AT) as whole:
        read(whole, chat(*EVENING))
        assert next_links(soul) == next_links(whole)
    assert len(next_links(soul)) == 4
    links = soul.stats()["links"]
    read(soul, chat(*EVENING))
    assert soul.stats()["links"] == links


def test_another_session_does_not_come_next(soul: Soul) -> None:
    read(soul, chat(*EVENING[:2]))
    read(soul, chat(*EVENING[:2], "3 20:00", "3 20:01"))
    assert next_links(soul) == set()


def test_lines_that_were_put_in_before_do_not_come_next(soul: Soul) -> None:
    read(soul, chat(*EVENING[:4]))
    lines = chat(*EVENING[:4]).split(b"\n")
    read(soul, b"\n".join([lines[0], b"[2024-05-01 20:00] Cid: hello", *lines[1:]]))
    told = {(one, other) for one, other, _ in next_links(soul)}
    assert not [pair for pair in told if any("Cid" in text for text in pair)]
