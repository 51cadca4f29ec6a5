"""What is printed: JSON, CSV, text of strangers. Laws, without a mind."""

from __future__ import annotations

import csv
import io
import json
import math
import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.text.counts import counted
from soulmem_cli.as_json import line, plain, rfc3339
from soulmem_cli.options import at_option, parameter_option
from soulmem_cli.tables import cell, print_csv
from soulmem_cli.terminal import one_line, shown

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
@settings(deadline=None)
def test_what_is_json_already_stays_as_it_is(value: object) -> None:
    assert plain(value) == value
    assert json.loads(line(value)) == value
    assert "\n" not in line(value)


@given(st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=8)), timezone(timedelta(hours=-5, minutes=-30))])))
@settings(deadline=None)
def test_a_time_is_written_in_utc_and_read_back_as_the_same_moment(moment: datetime) -> None:
    try:
        moment.astimezone(UTC)
    except OverflowError:
        return
    text = rfc3339(moment)
    assert text.endswith("Z") and "+" not in text
    assert datetime.fromisoformat(text) == moment


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True, slots=True)
class Shape:
    name: str
    colour: Colour
    corners: tuple[int, ...]
    at: datetime


def test_values_of_the_library_become_what_json_has() -> None:
    shape = Shape("方", Colour.RED, (1, 2), datetime(2024, 5, 31, 8, tzinfo=UTC))
    assert plain({"s": [shape]}) == {"s": [{"name": "方", "colour": "red", "corners": [1, 2], "at": "2024-05-31T08:00:00Z"}]}
    assert plain((np.float32(0.5), np.int64(3), np.bool_(True), np.array([1.0, math.nan]))) == [0.5, 3, True, [1.0, None]]
    assert plain([math.inf, -math.inf, math.nan]) == [None, None, None]
    assert type(plain(Colour.RED)) is str
    assert plain(frozenset({"b", "a"})) == ["a", "b"]
    assert plain(Path("a") / "b") == str(Path("a") / "b")
    assert rfc3339(datetime(2024, 5, 31)) == "2024-05-31T00:00:00Z"


#: Controls and line separators by the Unicode database, but line feed and tab; and what changes the direction of writing.
CONTROLS = st.characters(categories=["Cc", "Cf", "Zl", "Zp", "Cs"])
BIDI = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def steers(sign: str) -> bool:
    controls = unicodedata.category(sign) in ("Cc", "Zl", "Zp", "Cs") and sign not in "\n\t"
    return controls or unicodedata.bidirectional(sign) in BIDI or sign in "\u200e\u200f\u061c"


@given(st.text(CONTROLS | st.characters()))
@settings(deadline=None)
def test_text_of_strangers_cannot_steer_a_terminal(text: str) -> None:
    clean = shown(text)
    assert not any(steers(sign) for sign in clean)
    assert shown(clean) == clean
    assert clean.encode("utf-8").decode("utf-8") == clean
    assert "\n" not in one_line(text) and "\t" not in one_line(text)


@given(st.text(st.characters(categories=["L", "N", "P", "S", "M"])))
@settings(deadline=None)
def test_nothing_else_is_changed(text: str) -> None:
    assert shown(text) == text


def test_ordinary_text_is_shown_as_it_is() -> None:
    assert shown("糯米 🐈\tναί\n") == "糯米 🐈\tναί\n"
    assert shown("a\r\nb") == "a\nb"


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("\x1b[31mred\a", r"\x1b[31mred\x07"),
        ("over\rwritten", r"over\x0dwritten"),
        ("\x9b2J", r"\x9b2J"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        ("\u2066a\u2069", r"\u2066a\u2069"),
        ("\ud800", r"\ud800"),
        ("a\0b", r"a\x00b"),
    ],
)
def test_what_would_steer_is_seen(text: str, escaped: str) -> None:
    assert shown(text) == one_line(text) == escaped


def test_one_and_many() -> None:
    assert [counted(number, "note") for number in (0, 1, 2)] == ["0 notes", "1 note", "2 notes"]


def test_cells_of_a_table() -> None:
    assert [cell(value) for value in (None, 0.123456, 7, "a\nb", ["辣"], {"a": 1}, True)] == [
        "",
        "0.1235",
        "7",
        "a b",
        '["辣"]',
        '{"a": 1}',
        "true",
    ]
    assert cell([0.5] * 3) == "[0.5, 0.5, 0.5]" and cell([7] * 300).count("7") == 300
    assert cell({"key": "a", "v": [[0.5] * 256]}) == '{"key": "a", "v": ["256 numbers"]}'


@given(st.lists(st.tuples(st.text(st.characters(exclude_categories=["Cs"])), st.integers()), max_size=5))
@settings(deadline=None)
def test_csv_is_read_back_as_it_was(rows: list[tuple[str, int]]) -> None:
    @click.command()
    def printing() -> None:
        print_csv(("text", "number"), rows)

    printed = CliRunner().invoke(printing).stdout_bytes.decode("utf-8")
    read = list(csv.reader(io.StringIO(printed, newline="")))
    assert printed.startswith("text,number\r\n") and read == [["text", "number"], *([text, str(number)] for text, number in rows)]


@click.command()
@at_option
@parameter_option
def given_values(at: datetime | None, parameters: dict[str, object]) -> None:
    click.echo(repr((at, parameters)))


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2024-05-31", datetime(2024, 5, 31, tzinfo=UTC)),
        ("2024-05-31T18:30", datetime(2024, 5, 31, 18, 30, tzinfo=UTC)),
        ("2024-05-31T18:30:00+08:00", datetime(2024, 5, 31, 10, 30, tzinfo=UTC)),
        ("2024-05-31T10:30:00Z", datetime(2024, 5, 31, 10, 30, tzinfo=UTC)),
    ],
)
def test_times_are_rfc_3339_or_dates(text: str, moment: datetime) -> None:
    assert CliRunner().invoke(given_values, ["--at", text]).output == f"{(moment, {})!r}\n"


@pytest.mark.parametrize("text", ["", "yesterday", "31.5.2024", "2024-02-30", "0001-01-01T00:00+14:00", "1717000000"])
def test_a_bad_time_is_a_usage_error(text: str) -> None:
    result = CliRunner().invoke(given_values, ["--at", text])
    assert result.exit_code == 2
    assert "is not a time" in result.stderr


def test_parameters_are_json_where_they_can_be() -> None:
    pairs = ["-p", "a=1", "-p", "b=辣", "-p", "c=[1, 2]", "-p", 'd="7"', "-p", "e=NaN", "-p", "f=x=y", "-p", "g="]
    expected = {"a": 1, "b": "辣", "c": [1, 2], "d": "7", "e": "NaN", "f": "x=y", "g": ""}
    assert CliRunner().invoke(given_values, pairs).output == f"{(None, expected)!r}\n"


@pytest.mark.parametrize("pairs", [["-p", "a"], ["-p", "=1"], ["-p", "a b=1"], ["-p", "a=1", "-p", "a=2"]])
def test_a_parameter_without_a_name_or_twice_is_a_usage_error(pairs: list[str]) -> None:
    assert CliRunner().invoke(given_values, pairs).exit_code == 2
