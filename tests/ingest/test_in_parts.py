"""A very long file is read in as if it had grown: the same memories as of that, and whoever stops keeps what is in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from new_minds import created
from numpy.typing import NDArray

from soulmem.embed import Embedder
from soulmem.embed.hashing import HashingEmbedder
from soulmem.errors import StoreError
from soulmem.ingest.contract import Conversation, Document, Problem, SaidLine
from soulmem.ingest.in_parts import beginnings, together
from soulmem.ingest.ingest import Ingest
from soulmem.ingest.report import FileReport
from soulmem.model.messages import Role
from soulmem.soul import Soul

AT = datetime(2026, 11, 1, tzinfo=UTC)
FIXTURES = Path(__file__).parents[2] / "fixtures"


def in_parts(soul: Soul, data: bytes, most: int, embedder: Embedder | None = None, *, dry_run: bool = False) -> FileReport:
    run = Ingest(
        store=soul.store, embedder=lambda: embedder or soul.embedder, at=AT, most_messages=most, dry_run=dry_run, present=("Bo",)
    )
    return run.data(data, "chat.jsonl", None)


def whole(soul: Soul) -> tuple[str, str]:
    return soul.export_graph(), soul.export_messages()


def told(soul: Soul) -> list[tuple[str, str, list[str]]]:
    lines = [json.loads(line).get("message") for line in soul.export_messages().splitlines()]
    return [(one["speaker"], one["text"], one["kept_from"]) for one in lines if one]


@pytest.mark.parametrize(("name", "most"), [("wren", 30), ("xiaohong", 25), ("wren", 1000)])
def test_it_is_as_if_the_file_had_grown(tmp_path: Path, name: str, most: int) -> None:
    lines = (FIXTURES / name / "chat.jsonl").read_bytes().splitlines(keepends=True)[:70]
    with created(tmp_path / "parts.mind", AT) as parts, created(tmp_path / "grown.mind", AT) as grown:
        report = in_parts(parts, b"".join(lines), most)
        for number in (*range(most, len(lines) - 1, most), len(lines) - 1):
            last = grown.ingest_bytes(b"".join(lines[: number + 1]), name="chat.jsonl", present=("Bo",))
        assert whole(parts) == whole(grown)
        assert (report.read, report.new, report.existing, report.skipped) == (last.read, last.read, 0, 0)
        assert len(parts.log(99)) == len(grown.log(99)) == -(-(len(lines) - 1) // most)
        again = in_parts(parts, b"".join(lines), most)
        assert (again.read, again.new, again.existing) == (report.read, 0, report.read)
        assert parts.check() == () and whole(parts) == whole(grown)


def test_what_was_asked_behind_the_seam_holds_before_it(tmp_path: Path) -> None:
    lines = ["Bo: Good night then.", "Ann: I will leave the choir.", "Ann: Don't tell Bo.", "Wren: I won't.", "Ann: Thank you."]
    with created(tmp_path / "a.mind", AT) as soul, created(tmp_path / "b.mind", AT) as other:
        in_parts(soul, "\n".join(lines).encode(), 2)
        in_parts(other, "\n".join(lines).encode(), 99)
        assert told(soul) == told(other)
        assert "bo" in told(soul)[1][2]


def test_conversations_of_one_file_are_cut_where_a_part_ends(tmp_path: Path) -> None:
    talks = [
        [{"role": ("user", "assistant")[n % 2], "content": f"In talk {talk} we come to number {n}."} for n in range(7)]
        for talk in range(4)
    ]
    data = "".join(json.dumps({"messages": talk}) + "\n" for talk in talks).encode()
    with created(tmp_path / "a.mind", AT) as soul, created(tmp_path / "b.mind", AT) as other:
        report = in_parts(soul, data, 10)
        in_parts(other, data, 99)
        assert (report.read, report.new, report.existing) == (28, 28, 0)
        assert told(soul) == told(other)
        assert len(soul.log(99)) == len(other.log(99)) + 2


class _Tired(HashingEmbedder):
    """Stops at a text that holds a certain word."""

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if any("number 15" in text for text in texts):
            raise KeyboardInterrupt
        return super().passages(texts)


LONG = "".join(f"{('Ann', 'Bo')[n % 2]}: We come to number {n} of the list.\n" for n in range(20)).encode()


def test_who_stops_keeps_the_parts_that_are_in(tmp_path: Path) -> None:
    with created(tmp_path / "a.mind", AT) as soul, created(tmp_path / "b.mind", AT) as other:
        with pytest.raises(KeyboardInterrupt):
            in_parts(soul, LONG, 6, _Tired())
        assert soul.stats()["messages"] == 12 and soul.check() == ()
        report = in_parts(soul, LONG, 6)
        assert (report.new, report.existing) == (8, 12)
        in_parts(other, LONG, 6)
        assert whole(soul) == whole(other)


def test_what_goes_wrong_says_how_much_is_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with created(tmp_path / "a.mind", AT) as soul:
        written = type(soul.store).apply

        def full(store: object, change: object, progress: object = None) -> object:
            if soul.stats()["messages"]:
                raise StoreError("the disk is full", advice="Make room.")
            return written(store, change, progress)  # type: ignore[arg-type]

        monkeypatch.setattr(type(soul.store), "apply", full)
        with pytest.raises(StoreError, match="its first 6 messages are in the mind"):
            in_parts(soul, LONG, 6)
        assert soul.stats()["messages"] == 6


def test_a_trial_run_takes_it_in_one(tmp_path: Path) -> None:
    with created(tmp_path / "a.mind", AT) as soul:
        report = in_parts(soul, LONG, 6, dry_run=True)
        assert (report.new, report.existing) == (20, 0) and soul.stats()["messages"] == 0


def _said(number: int) -> tuple[SaidLine, ...]:
    return tuple(SaidLine(index=n, line=n + 1, speaker="Ann", role=Role.USER, text=f"line {n}") for n in range(number))


def test_beginnings_grow_until_all_is_read() -> None:
    several = Document(
        format="x", read=9, conversations=tuple(Conversation(name=str(n), read=3, messages=_said(3)) for n in range(3))
    )
    found = [[len(one.messages) for one in part.conversations] for part in beginnings(several, 4)]
    assert found == [[3, 1], [3, 3, 2]]
    one = Document(format="x", read=8, messages=_said(8))
    assert [len(part.messages) for part in beginnings(one, 4)] == [4]
    assert [len(part.messages) for part in beginnings(one, 8)] == []
    assert list(beginnings(Document(format="x", read=8, messages=_said(8), about_self=True), 4)) == []


def test_reports_are_added_up_and_each_problem_is_told_once() -> None:
    problem, other = Problem(3, "is no line"), Problem(None, "is strange", skipped=False)
    first = FileReport(path="a", format="x", read=9, new=4, skipped=1, derived=2, problems=(problem, other))
    last = FileReport(path="a", format="x", read=9, new=4, existing=4, skipped=1, derived=3, problems=(problem,))
    assert together([first, last]) == FileReport(
        path="a", format="x", read=9, new=8, existing=0, skipped=1, derived=5, problems=(problem, other)
    )
