"""The notebooks run on both shipped minds, and show what is so."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import altair as alt
import polars as pl
import pytest
from analysis_minds import LEARNED, WREN_END

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
ENDS = {"wren": WREN_END, "xiaohong": LEARNED + timedelta(days=21), "nobody": LEARNED}

#: ``shown(notebook, mind)``: what the cells of a notebook define when it is run.
Shown = Callable[..., Any]


@pytest.fixture(scope="module")
def shown(request) -> Iterator[Shown]:
    sys.path.insert(0, str(NOTEBOOKS))

    def run(notebook: str, mind: str, start: date | None = None) -> Any:
        asked = import_module("minds").Asked(mind=str(request.getfixturevalue(mind)), at=ENDS[mind], start=start)
        _, defined = import_module(notebook).app.run(defs={"asked": asked, "character": SimpleNamespace(value=None)})
        return SimpleNamespace(**defined)

    yield run
    sys.path.remove(str(NOTEBOOKS))


def charts(shown: Any) -> dict[str, dict[str, Any]]:
    """The charts, as Vega-Lite has them; making them checks them against its schema."""
    found = {name: chart for name, chart in vars(shown).items() if name.endswith("_chart")}
    return {name: chart.to_dict() for name, chart in found.items() if isinstance(chart, alt.TopLevelMixin)}


@pytest.mark.parametrize("mind", ["wren", "xiaohong"])
def test_decay(mind, shown: Shown, capsys) -> None:
    told = shown("decay", mind)
    for _, group in told.curves.group_by("group"):
        assert group["survival"][0] == 1.0 and group["hours"][0] == 0.0
        assert group["survival"].is_sorted(descending=True) and group["survival"].is_between(0, 1).all()
    assert told.lives.height == told.notes.height
    episodes = told.lives.filter(pl.col("kind") == "episode")
    assert episodes.height > 5 and (episodes["hours"] > 79.7).all(), "24 h · log2(10) is the least a story lives"
    unused = episodes.filter(pl.col("recalls") == 0, pl.col("fell_asleep"))
    assert unused["hours"].to_list() == pytest.approx([24 * 3.3219280949] * unused.height)
    assert told.fit["least_squares"].to_list() == pytest.approx(told.fit["configured"].to_list(), rel=1e-6)
    assert (told.path["retention"] >= told.path["never_used"] - 1e-9).all() and told.path["retention"].max() <= 1.0
    assert told.soon["in_days"].is_sorted() and told.soon["in_days"].min() > 0
    awake_now = told.ahead.filter(pl.col("hours") == 0)["awake"].sum()
    assert awake_now == told.awake.height
    assert set(charts(told)) == {f"{name}_chart" for name in ("left", "survival", "recall", "ahead", "next", "fit")}
    assert f"{told.notes.height} notes, {told.awake.height} awake" in capsys.readouterr().out


@pytest.mark.parametrize("mind", ["wren", "xiaohong"])
def test_association(mind, shown: Shown, capsys) -> None:
    told = shown("association", mind)
    assert told.degrees["out"].sum() == told.degrees["into"].sum() == told.links.height
    assert told.hubs["degree"].is_sorted(descending=True)
    linked = told.degrees.filter(pl.col("degree") > 0)
    assert told.communities["notes"].sum() == linked.height and told.communities["notes"].is_sorted(descending=True)
    assert told.communities.height > 3 and 0.2 < told.modularity < 1.0
    for direction, column in (("leaving", "out"), ("arriving", "into")):
        part = told.spread.filter(pl.col("direction") == direction)
        assert part["notes"].sum() == told.notes.height
        for row in part.iter_rows(named=True):
            assert row["share"] == pytest.approx((told.degrees[column] >= row["links"]).mean())
    assert told.reached["share"].is_sorted(descending=True) and 0 < told.reached["share"].sum() < 1
    assert told.spots.select("x", "y").to_numpy().min() >= 0 and told.spots.select("x", "y").to_numpy().max() <= 1
    assert set(charts(told)) == {f"{name}_chart" for name in ("degree", "hub", "map", "lead")}
    assert told.hubs["key"][0] in capsys.readouterr().out


def test_a_week(shown: Shown, capsys) -> None:
    told = shown("week", "wren", date(2026, 6, 17))
    assert [told.days[0], told.days[-1]] == [date(2026, 6, 15), date(2026, 6, 21)]
    sums = dict(told.counts.group_by("what").agg(pl.col("count").sum()).iter_rows())
    on = told.counts.filter(pl.col("count") > 0).group_by("what").agg("day")
    assert dict(on.iter_rows())["said"] == [date(2026, 6, 19)]
    assert sums["said"] == told.messages.filter(~pl.col("hidden")).height
    assert sums["learned"] == told.notes.height, "all of it in the week of the talk and the day before"
    assert sums["recalled"] == told.recalls.filter(pl.col("at") < datetime(2026, 6, 22, tzinfo=UTC)).height > 0
    assert told.of_week.filter(pl.col("what") == "forgotten").height == sums["forgotten"]
    assert told.journal["operation"].is_sorted() and told.journal.height > 3
    assert set(charts(told)) == {"week_chart", "life_chart"}
    assert "learned" in capsys.readouterr().out


def test_a_week_is_chosen_where_none_is_named(shown: Shown) -> None:
    told = shown("week", "xiaohong")
    assert told.days[0] == date(2026, 6, 1) and told.days[0].weekday() == 0
    whole = dict(told.happened.group_by("what").len().iter_rows())
    assert whole["learned"] == told.notes.height and whole["recalled"] == told.recalls.height


@pytest.mark.parametrize(
    ("notebook", "said"), [("decay", "0 notes"), ("association", "hub notes"), ("week", "Nothing has happened")]
)
def test_a_mind_without_notes_is_shown_too(notebook, said, shown: Shown, capsys) -> None:
    told = shown(notebook, "nobody")
    assert charts(told) and said in capsys.readouterr().out


def test_what_a_notebook_is_called_with(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = import_module("minds").asked
    monkeypatch.delenv("SOULMEM_MIND", raising=False)
    assert asked({}).mind is None and asked({}).at is None
    given = asked({"mind": "aria", "at": "2026-05-01", "from": "2026-04-29"})
    assert (given.mind, given.at, given.start) == ("aria", datetime(2026, 5, 1, tzinfo=UTC), date(2026, 4, 29))
    monkeypatch.setenv("SOULMEM_MIND", "bo")
    assert asked({}).mind == "bo" and asked({"mind": "aria"}).mind == "aria"


def test_a_script_says_in_words_that_there_is_no_such_mind(shown: Shown, tmp_path: Path) -> None:
    minds = import_module("minds")
    with pytest.raises(SystemExit, match="there is no such mind"):
        minds.opened(minds.Asked(mind=str(tmp_path / "nothing.mind")), "wren")


@pytest.mark.parametrize(
    ("text", "length", "label"),
    [("short", 10, "short"), ("小白怕打雷", 6, "小白怕…"), ("one\ntwo", 10, "one"), ("", 5, ""), ("abcdef", 3, "abc…")],
)
def test_labels_fit(text, length, label, shown: Shown) -> None:
    assert import_module("look").short(text, length) == label


def test_labels_stand_apart(shown: Shown) -> None:
    apart = import_module("look").apart
    assert apart([(0, 0, "Wren"), (3, 2, "Tomas"), (0, 40, "小红"), (300, 0, "Pike")]) == [True, False, True, True]
