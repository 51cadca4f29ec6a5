"""The pictures of a card in a mind: given back by every export, and forgotten with it."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from soulmem.export.forms import Form
from soulmem.export.png import png_of
from soulmem.forget.finding import searched
from soulmem.ingest.cards import png as png_reader
from soulmem.ingest.cards.pictures import from_text
from soulmem.soul import Soul

AT = datetime(2026, 11, 1, tzinfo=UTC)
PICTURE = png_of({"spec": "x"})
CARD: dict[str, Any] = {
    "spec": "chara_card_v3",
    "spec_version": "3.0",
    "data": {
        "name": "Ada Quill",
        "description": "Ada keeps the lighthouse. Ada hates Zorblax.",
        "first_mes": "You are alive, then.",
        "assets": [{"type": "emotion", "uri": "embeded://zorblax.png", "name": "smile", "ext": "png"}],
        "extensions": {"other": [1, None]},
        "creator_notes": "x",
    },
}


@pytest.fixture
def soul(tmp_path: Path) -> Iterator[Soul]:
    with Soul.create(tmp_path / "a.mind", embedder="hashing", clock=lambda: AT) as soul:
        report = soul.ingest_bytes(png_of(CARD, PICTURE, [("zorblax.png", PICTURE)]), name="ada.png")
        assert report.refused is None and report.new == report.read
        yield soul


def of_png(data: bytes) -> tuple[dict[str, Any], dict[str, bytes]]:
    document = png_reader.read(data, AT)
    kept = document.kept["card"]
    return kept["card"], {one["path"]: from_text(document.pictures[one["picture"]]) for one in kept["pictures"]}


def test_a_card_round_trip_keeps_every_field_and_picture(soul: Soul, tmp_path: Path) -> None:
    soul.export(tmp_path / "out.png")
    whole, pictures = of_png((tmp_path / "out.png").read_bytes())
    assert {name: value for name, value in whole["data"].items() if name in CARD["data"]} == CARD["data"]
    assert set(pictures) == {"portrait:", "zorblax.png"}
    assert pictures["portrait:"] == pictures["zorblax.png"]
    soul.export(tmp_path / "out.charx")
    with zipfile.ZipFile(tmp_path / "out.charx") as archive:
        assert archive.read("zorblax.png") == pictures["zorblax.png"]
        assert archive.read("assets/icon/images/main.png") == pictures["portrait:"]
    soul.export(tmp_path / "out.json", form=Form.CARD)
    assets = json.loads((tmp_path / "out.json").read_text())["data"]["assets"]
    assert assets[0]["uri"].startswith("data:image/png;base64,")


def test_exported_messages_bring_the_pictures_along(soul: Soul, tmp_path: Path) -> None:
    soul.export(tmp_path / "ada.json", messages=True)
    with Soul.create(tmp_path / "b.mind", embedder="hashing", clock=lambda: AT) as other:
        other.ingest(tmp_path / "ada.json", tmp_path / "ada.messages.jsonl")
        assert other.export_messages() == soul.export_messages()
        other.export(tmp_path / "b.png")
    soul.export(tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_the_same_card_without_its_picture_takes_nothing(soul: Soul) -> None:
    before = soul.store.meta("card")
    report = soul.ingest_bytes(json.dumps(CARD).encode(), name="ada.json")
    assert (report.new, report.removed) == (0, 0)
    assert soul.store.meta("card") == before


def test_undo_takes_the_picture_from_the_card_and_redo_gives_it_back(soul: Soul, tmp_path: Path) -> None:
    soul.export(tmp_path / "before.png")
    soul.undo()
    assert soul.store.meta("card") is None
    soul.redo()
    soul.export(tmp_path / "after.png")
    assert (tmp_path / "before.png").read_bytes() == (tmp_path / "after.png").read_bytes()


def test_what_is_forgotten_goes_from_the_card_and_so_does_a_picture_that_tells_it(soul: Soul, tmp_path: Path) -> None:
    assert soul.forget(about=["Zorblax"]).operation is not None
    soul.export(tmp_path / "out.png")
    _, pictures = of_png((tmp_path / "out.png").read_bytes())
    assert set(pictures) == {"portrait:"}
    assert soul.check() == ()
    soul.close()
    assert not searched(tmp_path / "a.mind", "Zorblax").is_left
