"""Pictures of cards: kept but for the texts in them, as text in which no word is by chance; what is too much is told."""

from __future__ import annotations

import base64
import io
import json
import re
import struct
import zipfile
from datetime import UTC, datetime

import pytest
from card_files import CARD, card, chunk, encoded, packed_chunk, png, text_chunk, webp, zipped
from hypothesis import given
from hypothesis import strategies as st

from soulmem.export.charx import charx_of, portrait_of
from soulmem.export.png import png_of
from soulmem.ingest.cards import charx as charx_reader
from soulmem.ingest.cards import json_file, pictures
from soulmem.ingest.cards import png as png_reader
from soulmem.ingest.cards import webp as webp_reader
from soulmem.ingest.cards.pictures import PORTRAIT, Picture, as_text, data_uri, from_text, kept_pictures
from soulmem.ingest.contract import Document, Problem

AT = datetime(2026, 11, 1, tzinfo=UTC)
BARE = png()
JPEG = b"\xff\xd8\xff\xe0\x00\x04ok\xff\xda\x00\x02scan\xff\xd9"
SECRET = b"a word that was put there"


def found(document: Document) -> dict[str, bytes]:
    kept = document.kept["card"]
    return {one["path"]: from_text(document.pictures[one["picture"]]) for one in kept.get("pictures", ())}


@given(st.binary(max_size=2000))
def test_bytes_as_text_and_back(data: bytes) -> None:
    text = as_text(data)
    assert from_text(text) == data
    assert re.fullmatch("[012][\ue000-\uefff]*", text), "nothing that could be a word"


@given(st.binary(max_size=300), st.sampled_from([BARE, JPEG, webp(b"x")]), st.integers(0, 200))
def test_whatever_is_given_is_kept_or_told(noise: bytes, picture: bytes, cut: int) -> None:
    problems: list[Problem] = []
    data = picture[:cut] + noise + picture[cut:]
    kept = kept_pictures([("a", data)], problems)
    assert len(kept) + len(problems) == 1 and not any(problem.skipped for problem in problems)
    assert all(kept_pictures([("a", one.data)], []) == (one,) for one in kept), "what is kept has nothing more to lose"


def test_texts_in_pictures_are_not_kept() -> None:
    in_png = png([chunk(b"gAMA", bytes(4)), text_chunk(b"Author", SECRET), packed_chunk(b"x", SECRET)], [chunk(b"eXIf", SECRET)])
    in_jpeg = JPEG[:2] + b"\xff\xe1" + struct.pack(">H", 2 + len(SECRET)) + SECRET + b"\xff\xfe" + struct.pack(">H", 2) + JPEG[2:]
    kept = kept_pictures([("p", in_png), ("j", in_jpeg), ("w", webp(SECRET))], [])
    assert [one.media for one in kept] == ["png", "jpeg", "webp"]
    assert not any(SECRET in one.data for one in kept)
    assert kept[0].data == png([chunk(b"gAMA", bytes(4))]) and kept[1].data == JPEG


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    problems: list[Problem] = []
    monkeypatch.setattr(pictures, "MOST_BYTES", len(BARE))
    monkeypatch.setattr(pictures, "MOST_TOGETHER", 2 * len(BARE))
    large = png([chunk(b"gAMA", bytes(4))])
    kept = kept_pictures([("large", large), ("a", BARE), ("song.mp3", b"ID3"), ("b", BARE), ("c", BARE)], problems)
    assert [one.path for one in kept] == ["a", "b"]
    assert [name in problems[0].what for name in ("large", "song.mp3", "c (")] == [True] * 3


def with_assets(*assets: dict[str, str]) -> dict[str, object]:
    return {**card(assets=list(assets)), "spec": "chara_card_v3"}


def test_the_picture_that_a_card_came_in() -> None:
    document = png_reader.read(png([], [text_chunk(b"chara", encoded(CARD))]), AT)
    assert found(document) == {PORTRAIT: BARE}
    assert document.kept["card"]["card"] == CARD


def test_assets_in_a_png_and_back() -> None:
    asset = {"type": "emotion", "uri": "embeded://Smile.png", "name": "smile", "ext": "png"}
    made = png_of(with_assets(asset), BARE, [("Smile.png", BARE)])
    document = png_reader.read(made, AT)
    assert found(document) == {PORTRAIT: BARE, "Smile.png": BARE}
    again = png_of(document.kept["card"]["card"], found(document)[PORTRAIT], [("Smile.png", BARE)])
    assert again == made


def test_assets_in_a_zip_and_back() -> None:
    icon = {"type": "icon", "uri": "embeded://assets/icon/main.png", "name": "main", "ext": "png"}
    whole = with_assets(icon)
    data = zipped({"card.json": json.dumps(whole).encode(), "assets/icon/main.png": BARE, "assets/other/a.mp3": b"ID3"})
    document = charx_reader.read(data, AT)
    assert found(document) == {"assets/icon/main.png": BARE}
    assert any("a.mp3" in problem.what for problem in document.problems)
    kept = [Picture(path, one) for path, one in found(document).items()]
    own = portrait_of(whole, kept)
    assert own is not None and own.path == "assets/icon/main.png"
    again = charx_of(document.kept["card"]["card"], None, kept)
    with zipfile.ZipFile(io.BytesIO(again)) as archive:
        assert archive.namelist() == ["card.json", "assets/icon/main.png"]
        assert json.loads(archive.read("card.json")) == whole
    assert charx_reader.read(again, AT).kept == document.kept


def test_the_picture_of_a_png_card_becomes_the_icon_of_a_zip() -> None:
    kept = [Picture(PORTRAIT, BARE)]
    default = {"type": "icon", "uri": "ccdefault:", "name": "main", "ext": "png"}
    for whole, number in ((with_assets(default), 1), (with_assets(), 1), (CARD, 1)):
        document = charx_reader.read(charx_of(whole, None, kept), AT)
        assert found(document) == {"assets/icon/images/main.png": BARE}
        assert len(document.kept["card"]["card"]["data"]["assets"]) == number


def test_a_picture_in_the_text_of_a_card() -> None:
    uri = data_uri(Picture("", BARE))
    whole = with_assets({"type": "icon", "uri": uri, "name": "main", "ext": "png"}, {"type": "x", "uri": "https://example.org/a"})
    document = json_file.read(json.dumps(whole).encode(), AT)
    assert found(document) == {"assets/data/0.png": BARE}
    assets = document.kept["card"]["card"]["data"]["assets"]
    assert [asset["uri"] for asset in assets] == ["embeded://assets/data/0.png", "https://example.org/a"]
    assert base64.b64encode(BARE).decode() in uri


def test_a_webp_card_is_kept_without_the_card_in_it() -> None:
    document = webp_reader.read(
        webp(b"ASCII\0\0\0" + json.dumps({"name": "Ada", "description": "Old.", "first_mes": "Hi."}).encode()), AT
    )
    (kept,) = found(document).values()
    assert kept.startswith(b"RIFF") and b"Old." not in kept and struct.unpack("<I", kept[4:8])[0] == len(kept) - 8
