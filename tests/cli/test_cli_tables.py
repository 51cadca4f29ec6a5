"""Tables: what fits, what is left out, what is never lost."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from soulmem_cli.tables import _plain_lines, _with_last, fitted, print_table

NATURAL = st.lists(st.integers(1, 200), min_size=1, max_size=8)


@given(NATURAL, st.integers(8, 300))
@example([46, 46], 91)
@settings(deadline=None)
def test_widths_fit_and_the_widest_give_way(natural: list[int], room: int) -> None:
    widths = fitted(natural, room)
    assert all(1 <= got <= wanted for got, wanted in zip(widths, natural, strict=True))
    if sum(natural) <= room:
        assert widths == natural
    else:
        assert sum(widths) <= room
        shortened = [got for got, wanted in zip(widths, natural, strict=True) if got < wanted]
        assert max(shortened) - min(shortened) <= 1 and max(widths) <= max(shortened) + 1


@given(NATURAL, st.integers(8, 300), st.data())
@settings(deadline=None)
def test_the_column_that_may_be_cut_gives_way_first(natural: list[int], room: int, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(natural) - 1))
    widths = fitted(natural, room, cut)
    assert sum(widths) <= room
    others = sum(natural) - natural[cut]
    if others + room // 3 <= room:
        assert [got for place, got in enumerate(widths) if place != cut] == [
            wanted for place, wanted in enumerate(natural) if place != cut
        ]


ROWS = [("sem_a_key_of_some_length", "Semantic", "words " * 20, 1.0, 0, "a tag"), ("b", "Procedure", "短", 0.25, 12, "")]
COLUMNS = ("key", "type", "text", "retention", "recalled", "tags")
SPARE = ("tags", "recalled", "type", "retention")


def printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int | None) -> list[str]:
    if columns is None:
        monkeypatch.delenv("COLUMNS", raising=False)
    else:
        monkeypatch.setenv("COLUMNS", str(columns))
    print_table(COLUMNS, ROWS, cut="text", spare=SPARE)
    return capsys.readouterr().out.splitlines()


def test_a_pipe_gets_every_row_whole_on_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    lines = printed(capsys, monkeypatch, None)
    assert len(lines) == 4 and lines[0].split() == [*(name for name in COLUMNS if name != "text"), "text"]
    assert ("words " * 20).strip() in lines[2]
    assert max(map(cell_len, (lines[0], lines[1], lines[3]))) <= 40 * len(COLUMNS)
    assert not any(line.endswith(" ") for line in lines)


@given(st.lists(st.tuples(st.sampled_from(["k" * 90, "短" * 30, "b"]), st.just("t" * 99), st.text("xy", max_size=9)), min_size=1))
def test_in_a_pipe_every_row_has_its_columns_where_their_names_are(rows: list[tuple[str, str, str]]) -> None:
    lines = _plain_lines(*_with_last(("key", "text", "tags"), [list(row) for row in rows], "text"), None)
    begin = cell_len(lines[0].partition("text")[0])
    assert all(cell_len(line.partition("ttt")[0]) == begin for line in lines[2:])


@pytest.mark.parametrize(
    ("columns", "left"),
    [
        (200, COLUMNS),
        (100, COLUMNS),
        (90, ("key", "type", "text", "retention", "recalled")),
        (80, ("key", "type", "text", "retention")),
        (66, ("key", "text", "retention")),
        (50, ("key", "text")),
        (40, ("key", "text")),
    ],
)
def test_a_terminal_gets_what_fits_and_the_key_whole(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int, left: tuple[str, ...]
) -> None:
    lines = printed(capsys, monkeypatch, columns)
    assert tuple(lines[0].split()) == left
    assert len(lines) == 4 and max(map(cell_len, lines)) <= columns
    assert "sem_a_key_of_some_length" in lines[2]


def test_too_many_columns_become_blocks(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    print_table([f"n{place}" for place in range(9)], [["a long value of a cell"] * 9, [1] * 9])
    text = capsys.readouterr().out
    assert text.startswith("── 1 ──\n") and "── 2 ──\n" in text
    assert text.count("a long value of a cell") == 9 and max(map(cell_len, text.splitlines())) <= 40


def test_a_table_without_rows_has_its_names(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for columns in ("", "40"):
        monkeypatch.setenv("COLUMNS", columns)
        print_table(("a", "b"), [])
        assert capsys.readouterr().out.split()[:2] == ["a", "b"]
