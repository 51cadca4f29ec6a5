"""The frames of a mind: what is in the mind is in them, with the columns that the documentation says."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
from analysis_minds import LEARNED, WREN_END, Read

from soulmem.analysis.columns import FRAMES, schema
from soulmem.analysis.frames import decay, kind_of
from soulmem.analysis.survival import fitted, implied, lifetimes, survival
from soulmem.errors import InputError, NotFoundError
from soulmem.lived import live
from soulmem.model.notes import Category, NoteType
from soulmem.recall.reinforce import envelope_of

DOCS = Path(__file__).parents[2] / "docs" / "frames.md"
#: The frames that a mind gives; the others are computed of them.
READ = ("notes", "links", "messages", "sources", "recalls", "operations", "supersedings", "strength_events")


def test_the_documented_columns_are_those_of_the_frames() -> None:
    sections = re.split(r"^### `(\w+)`.*$", DOCS.read_text("utf-8"), flags=re.M)[1:]
    told = dict(zip(sections[::2], sections[1::2], strict=True))
    assert list(told) == list(FRAMES)
    for name, columns in FRAMES.items():
        rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \| (.*?) \|$", told[name], flags=re.M)
        assert rows == [(column.name, str(column.dtype), column.unit, column.meaning) for column in columns], name


def test_an_empty_mind_has_empty_frames(nobody, read: Read) -> None:
    soul = read(nobody)
    frames = soul.frames()
    for name in READ:
        frame = getattr(frames, name)()
        assert frame.is_empty() and frame.schema == schema(name), name
    assert frames.decay([0, 1]).schema == schema("decay")
    lives = lifetimes(frames.strength_events(), frames.at, soul.settings)
    assert lives.is_empty() and lives.schema == schema("lifetimes")
    assert survival(lives).is_empty() and survival(lives).schema == schema("survival")
    told = implied(frames.strength_events(), soul.settings)
    assert fitted(told).is_empty() and fitted(told).schema == schema("fitted")


@pytest.mark.parametrize("mind", ["xiaohong"])
def test_every_frame_has_its_schema_and_the_same_rows_twice(mind, request, read: Read) -> None:
    soul = read(request.getfixturevalue(mind))
    for name in READ:
        frame = getattr(soul.frames(WREN_END), name)()
        assert frame.schema == schema(name)
        assert frame.equals(getattr(soul.frames(WREN_END), name)())
    counts = soul.stats()
    frames = soul.frames(WREN_END)
    assert frames.notes().height == sum(counts["notes"].values())
    assert frames.links().height == sum(counts["links"].values())
    assert frames.messages().height == counts["messages"]
    assert frames.recalls()["recall"].n_unique() == counts["recalls"]
    assert frames.operations()["operation"].to_list() == list(range(1, counts["operations"] + 1))


def test_notes_are_as_show_tells_them(wren, read: Read) -> None:
    soul = read(wren)
    notes = soul.frames(WREN_END).notes()
    assert notes["key"].is_sorted() and notes["key"].is_unique().all()
    for row in notes.sample(12, seed=1).iter_rows(named=True):
        view = soul.show(row["key"], at=WREN_END)
        assert row["retention"] == pytest.approx(view.retention) and row["missing_degree"] == pytest.approx(1 - view.retention)
        assert row["sources"] == len(view.note.sources) and row["created_at"] == view.note.created_at
        envelope = envelope_of(soul.store.query("recall.envelopes", ids=[row["note"]])[0])
        assert row["half_life_hours"] == envelope.half_life_hours(soul.settings)
    operations = soul.frames(WREN_END).operations()
    born = notes.join(operations, left_on="born_operation", right_on="operation", how="left")
    assert born.height == notes.height and (born["born_at"] == born["at"]).all()
    assert operations["notes_added"].sum() == notes.height


def test_links_are_as_strong_as_they_are_then(wren, read: Read) -> None:
    soul = read(wren)
    links = soul.frames(WREN_END).links()
    later = soul.frames(WREN_END + timedelta(hours=soul.settings.half_life_link_hours)).links()
    assert links["source_key"].is_sorted()
    assert later["effective_intensity"].to_list() == pytest.approx((links["effective_intensity"] / 2).to_list())
    assert (links["effective_intensity"] <= links["intensity"]).all()
    assert set(links["type"]) == {"Sem", "Proc", "Situation"}
    for kind, column in (("Sem", "verb"), ("Sem", "confidence"), ("Proc", "prob")):
        assert (links[column].is_not_null() == (links["type"] == kind)).all()


@pytest.mark.parametrize("mind", ["wren", "xiaohong"])
def test_strength_events_end_in_what_the_notes_are(mind, request, read: Read) -> None:
    soul = read(request.getfixturevalue(mind))
    frames = soul.frames(WREN_END)
    events, notes = frames.strength_events(), frames.notes()
    assert events["operation"].is_sorted()
    last = events.group_by("note", maintain_order=True).last().join(notes, on="note")
    assert last.height == notes.height, "every note was born"
    for was, now in (("strength_after", "strength"), ("decayed_at_after", "decayed_at"), ("half_life_after", "half_life_hours")):
        assert (last[was] == last[now]).all()
    assert (last["retrieval_count_after"] == last["retrieval_count"]).all()
    uses = events.filter(pl.col("cause") == "recall").group_by("operation").len("uses")
    told = frames.operations().join(uses, on="operation").filter(pl.col("command") == "ask")
    assert (told["uses"] == told["notes_changed"]).all() and told.height == uses.height > 0


def test_what_was_taken_back_and_what_was_forgotten(xiaohong, read: Read) -> None:
    soul = read(xiaohong)
    events, operations = soul.frames().strength_events(), soul.frames().operations()
    undoing = operations.filter(pl.col("undoes").is_not_null())
    taken_back = operations.filter(pl.col("undone_by").is_not_null())
    assert undoing["undoes"].to_list() == taken_back["operation"].to_list()
    back = events.filter(pl.col("operation") == undoing["operation"][0])
    there = events.filter(pl.col("operation") == taken_back["operation"][0])
    assert back["cause"].unique().to_list() == ["undo"] and there["cause"].unique().to_list() == ["recall"]
    assert back.sort("note")["strength_after"].to_list() == there.sort("note")["strength_before"].to_list()
    assert events.filter(pl.col("cause") == "gone").is_empty(), "of what was forgotten for good nothing is told"
    assert set(events["note"]) == set(soul.frames().notes()["note"])


def test_the_half_life_that_fits_is_the_one_that_is_set(wren, read: Read) -> None:
    soul = read(wren)
    events = soul.frames(WREN_END).strength_events()
    fit = fitted(implied(events, soul.settings))
    assert {"episode", "event"} <= set(fit["kind"]) and fit["events"].sum() > 20
    assert fit["least_squares"].to_list() == pytest.approx(fit["configured"].to_list(), rel=1e-6)
    assert fit["median"].to_list() == pytest.approx(fit["configured"].to_list(), rel=1e-6)


def test_recalls_tell_what_was_asked_and_used(xiaohong, read: Read) -> None:
    recalls = read(xiaohong).frames().recalls()
    assert recalls["at"].is_sorted() and set(recalls["query"]) == {"小白", "外婆的故事", "小白怕什么"}, "one was taken back"
    assert recalls["stage"].is_in(["similarity", "association", "both", "core"]).all()
    assert recalls["at"].min() == LEARNED + timedelta(days=1)


def test_decay_goes_on_from_what_is_left(wren, read: Read) -> None:
    frames = read(wren).frames(WREN_END)
    long, notes = frames.decay([0.0, 24.0]), frames.notes()
    assert long.equals(decay(notes, [0.0, 24.0], WREN_END))
    assert long["note"].to_list() == [note for note in notes["note"] for _ in range(2)]
    assert long.filter(pl.col("hours") == 0)["retention"].to_list() == pytest.approx(notes["retention"].to_list())
    assert (long.filter(pl.col("hours") == 24)["retention"] <= notes["retention"]).all()


def test_what_is_asked_wrongly_is_refused(wren, read: Read, tmp_path: Path) -> None:
    soul = read(wren)
    with pytest.raises(InputError, match="time zone"):
        soul.frames(datetime(2026, 1, 1))
    with pytest.raises(NotFoundError, match="strengths"):
        schema("strengths")
    with pytest.raises(NotFoundError, match="no note"):
        soul.leads_to("sem_nobody")
    with pytest.raises(NotFoundError, match="nobody"):
        live(tmp_path / "x.mind", "nobody")
    assert not (tmp_path / "x.mind").exists()


def test_what_a_note_leads_to(wren, read: Read) -> None:
    soul = read(wren)
    links = soul.frames(WREN_END).links()
    led = soul.leads_to("sem_tomas", top=8, at=WREN_END)
    assert len(led) == 8 and "sem_tomas" not in {one.key for one in led}
    assert [one.score for one in led] == sorted((one.score for one in led), reverse=True) and sum(one.score for one in led) < 1
    steps = {(row[0], row[1]) for row in links.select("source_key", "target_key").iter_rows()}
    for one in led:
        assert one.path[0].source == "sem_tomas" and one.path[-1].target == one.key
        assert {(step.source, step.target) for step in one.path} <= steps


@pytest.mark.parametrize(
    ("note_type", "category", "kind"),
    [
        (NoteType.SEMANTIC, None, "event"),
        (NoteType.SEMANTIC, Category.DATE, "date"),
        (NoteType.SPECIFIC, None, "episode"),
        (NoteType.ABSTRACT, None, "pattern"),
        (NoteType.PROCEDURE, None, "procedure"),
    ],
)
def test_the_kind_of_a_note_is_what_sets_its_half_life(note_type, category, kind) -> None:
    assert kind_of(note_type, category) == kind
