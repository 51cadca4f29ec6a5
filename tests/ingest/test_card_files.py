"""Cards in images and zips: wherever the text stands, however it is packed, within limits."""

from __future__ import annotations

import base64
import json
import struct
import zipfile
import zlib
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import pytest
from card_files import CARD, card, chunk, encoded, international_chunk, packed_chunk, png, text_chunk, webp, zipped

from soulmem.errors import FormatError
from soulmem.ingest import Document, detect, read
from soulmem.ingest.cards import charx
from soulmem.ingest.cards import png as png_reader
from soulmem.model.notes import SELF_KEY, Semantic

AT = datetime(2026, 1, 1, tzinfo=UTC)
JPEG = b"\xff\xd8\xff\xe0\0\x10JFIF\0" + b"picture" * 100 + b"\xff\xd9"


def name_in(data: bytes) -> str:
    return name_of(read(data, AT))


def name_of(document: Document) -> str:
    body = next(note.body for note in document.notes if note.key == SELF_KEY)
    assert isinstance(body, Semantic)
    return body.content


def problems(data: bytes) -> str:
    return "\n".join(problem.what for problem in read(data, AT).problems)


def same(data: bytes) -> None:
    """The card in ``data`` leaves what the same card leaves as JSON."""
    ours, plain = read(data, AT), read(json.dumps(CARD).encode(), AT)
    assert (ours.notes, ours.links, ours.messages) == (plain.notes, plain.links, plain.messages)
    assert {name: value for name, value in ours.kept["card"].items() if name != "pictures"} == plain.kept["card"]


# PNG.


@pytest.mark.parametrize(
    "made",
    [
        text_chunk(b"chara", encoded(CARD)),
        text_chunk(b"Chara", encoded(CARD)),
        text_chunk(b"ccv3", encoded(CARD)),
        packed_chunk(b"chara", encoded(CARD)),
        international_chunk(b"chara", encoded(CARD), packed=False),
        international_chunk(b"chara", encoded(CARD), packed=True),
        text_chunk(b"chara", json.dumps(CARD).encode()),
        text_chunk(b"chara", encoded(CARD).rstrip(b"=")),
        text_chunk(b"chara", encoded(CARD).replace(b"+", b"-").replace(b"/", b"_")),
        text_chunk(b"chara", base64.encodebytes(json.dumps(CARD).encode())),
        text_chunk(b"chara", encoded(CARD).replace(b"Q", b"Q\r\n")),
    ],
    ids=[
        "text",
        "capital",
        "ccv3",
        "packed",
        "international",
        "international packed",
        "plain",
        "unpadded",
        "url-safe",
        "wrapped",
        "CRLF",
    ],
)
def test_a_card_is_found_in_any_kind_of_chunk_before_and_after_the_picture(made: bytes) -> None:
    for data in (
        png(before=[made]),
        png(after=[made]),
        png(before=[text_chunk(b"Title", b"x"), packed_chunk(b"Description", b"y")], after=[made]),
    ):
        assert detect(data).name == "card-png"
        same(data)


def test_of_two_that_disagree_ccv3_counts_and_is_told() -> None:
    old, new = text_chunk(b"chara", encoded(card(name="Old"))), text_chunk(b"ccv3", encoded(card(name="New")))
    for chunks in ((old, new), (new, old)):
        data = png(after=chunks)
        assert name_in(data) == "New"
        assert "disagree (name)" in problems(data)
    agreeing = png(after=[text_chunk(b"chara", encoded(CARD)), text_chunk(b"ccv3", encoded({**CARD, "spec": "chara_card_v3"}))])
    assert "disagree" not in problems(agreeing)


def test_a_broken_ccv3_leaves_the_older_card() -> None:
    data = png(after=[text_chunk(b"ccv3", b"!!!"), text_chunk(b"chara", encoded(CARD))])
    assert name_in(data) == "Ada Quill"
    assert "the chunk ccv3 cannot be read" in problems(data)


def test_long_private_chunks_are_passed_over() -> None:
    same(
        png(
            before=[chunk(b"rISU", b"\x93" * 3_500_000)],
            after=[text_chunk(b"risuai", b"\x81" * 3_500_000), text_chunk(b"chara", encoded(CARD))],
        )
    )


def test_pictures_beside_the_card_are_told() -> None:
    data = png(after=[text_chunk(b"chara-ext-asset_:1", b"abcd"), text_chunk(b"chara", encoded(CARD))])
    assert "not kept of the pictures and files of the card: 1 (0.0 MB)" in problems(data)


def test_an_image_that_breaks_off() -> None:
    whole = png(after=[text_chunk(b"chara", encoded(CARD))])
    same(whole[:-14])
    with pytest.raises(FormatError, match=r"JSON|Base64"):
        read(whole[: len(whole) // 2], AT, "card-png")


def test_an_image_without_a_card_is_refused_as_such() -> None:
    with pytest.raises(FormatError, match="PNG image without a character card"):
        read(png(after=[text_chunk(b"Title", b"A picture")]), AT)
    with pytest.raises(FormatError, match="no character card in this image"):
        read(png(), AT, "card-png")
    with pytest.raises(FormatError, match="no PNG image"):
        read(b"GIF8", AT, "card-png")


@pytest.mark.parametrize(
    "body", [b"", b"%%%", b"eyJ", base64.b64encode(b'{"name"'), base64.b64encode(b"[1]"), base64.b64encode(b"\xff\xff")]
)
def test_a_chunk_that_holds_no_card_is_refused(body: bytes) -> None:
    with pytest.raises(FormatError):
        read(png(after=[text_chunk(b"chara", body)]), AT)


def test_packed_text_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png_reader, "MOST_CHUNK", 2**20)
    bomb = png(after=[packed_chunk(b"chara", b"A" * (2**20 + 1))])
    with pytest.raises(FormatError, match="longer than 1 MB"):
        read(bomb, AT)
    with pytest.raises(FormatError, match="cannot be unpacked"):
        read(png(after=[chunk(b"zTXt", b"chara\0\0nothing")]), AT)
    with pytest.raises(FormatError, match="broken"):
        read(png(after=[chunk(b"iTXt", b"chara\0\1")]), AT)


def test_a_length_beyond_the_file_ends_the_walk() -> None:
    data = png()[:-12] + struct.pack(">I", 0xFFFFFFFF) + b"tEXtchara\0" + encoded(CARD)
    same(data)


# WEBP.


@pytest.mark.parametrize("order", ["<", ">"])
def test_a_comment_of_a_webp_image(order: str) -> None:
    text = json.dumps(CARD).encode()
    wide = json.dumps(CARD).encode("utf-16-le" if order == "<" else "utf-16-be")
    for comment in (
        b"ASCII\0\0\0" + text,
        bytes(8) + text,
        text,
        b"UNICODE\0" + wide,
        bytes(8) + ",".join(map(str, text)).encode(),
        bytes(8) + encoded(CARD),
    ):
        data = webp(comment, order)
        assert detect(data).name == "card-webp"
        same(data)


@pytest.mark.parametrize(
    "data", [webp(b"ASCII\0\0\0a holiday"), b"RIFF\0\0\0\0WEBP", b"RIFF\x10\0\0\0WEBPEXIF\xff\xff\xff\xffII*\0\xff\xff\xff\xff"]
)
def test_a_webp_image_without_a_card(data: bytes) -> None:
    with pytest.raises(FormatError, match="WEBP image without a character card"):
        read(data, AT)
    with pytest.raises(FormatError):
        read(data, AT, "card-webp")


# Zips.


def test_a_zip_and_one_behind_a_picture() -> None:
    files = {"card.json": json.dumps(CARD).encode(), "assets/icon/main.png": png()}
    for data in (zipped(files), zipped(files, prefix=JPEG), zipped(files, prefix=b"MZ" + bytes(100))):
        assert detect(data).name == "card-zip"
        document = read(data, AT)
        assert name_of(document) == "Ada Quill"
        assert [one["path"] for one in document.kept["card"]["pictures"]] == ["assets/icon/main.png"]


def test_paths_that_lead_out_are_told_and_nothing_is_unpacked() -> None:
    data = zipped({"../../evil.sh": b"rm", "/etc/passwd": b"x", "C:\\x": b"y", "card.json": json.dumps(CARD).encode()})
    assert name_in(data) == "Ada Quill"
    assert "3 files of the zip have paths that lead out of it" in problems(data)
    with pytest.raises(FormatError, match=r"ZIP archive without a card\.json"):
        read(zipped({"../card.jsonx": b"{}"}).replace(b"card.json", b"cord.json"), AT)
    with pytest.raises(FormatError, match=r"no card\.json at the top"):
        read(zipped({"../card.json": json.dumps(CARD).encode()}), AT)


def encrypted(data: bytes) -> bytes:
    """The zip with the marks of encryption set, in its headers and in its list of files."""
    made = bytearray(data)
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = made.find(signature)
        made[place + offset] |= 1
    return bytes(made)


def test_encrypted_zips_are_refused_with_what_to_do() -> None:
    with pytest.raises(FormatError, match="encrypted") as caught:
        read(encrypted(zipped({"card.json": json.dumps(CARD).encode()})), AT)
    assert "password" in (caught.value.advice or "")


def test_zip_bombs_are_refused_before_they_are_unpacked() -> None:
    with pytest.raises(FormatError, match="bomb"):
        read(zipped({"card.json": json.dumps(CARD).encode() + b" " * 8 * 2**20}), AT)
    with pytest.raises(FormatError, match=r"40 MB of text"):
        read(zipped({"card.json": b" " * 40 * 2**20}), AT)
    beside = zipped({"card.json": json.dumps(CARD).encode(), "assets/bomb": b"\0" * 32 * 2**20})
    assert name_in(beside) == "Ada Quill"


def test_a_size_that_lies_is_of_no_use(monkeypatch: pytest.MonkeyPatch) -> None:
    data = bytearray(zipped({"card.json": b" " * 5 * 2**20}))
    for place in (data.rfind(b"PK\x01\x02") + 24, 22):
        struct.pack_into("<I", data, place, 100)
    with pytest.raises(FormatError):
        read(bytes(data), AT)


def test_too_many_files_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charx, "MOST_FILES", 3)
    with pytest.raises(FormatError, match="4 files"):
        read(zipped({"card.json": b"{}", "a": b"", "b": b"", "c": b""}), AT)


def test_damaged_zips_are_refused() -> None:
    whole = zipped({"card.json": json.dumps(CARD).encode()})
    with pytest.raises(FormatError):
        read(whole[:-30], AT, "card-zip")
    broken = bytearray(whole)
    broken[60:80] = bytes(20)
    with pytest.raises(FormatError):
        read(bytes(broken), AT, "card-zip")
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("card.json", json.dumps(CARD))
    assert name_in(made.getvalue()) == "Ada Quill"
    strange = bytearray(whole)
    strange[8] = strange[strange.find(b"PK\x01\x02") + 10] = 99  # a way of packing nobody knows
    with pytest.raises(FormatError):
        read(bytes(strange), AT)


# YAML.


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("name: &a [x, x]\ncontext: *a\n", "references"),
        ("name: Ada\ncontext: [1, 2\n", "broken YAML"),
        ("name: Ada\ncontext: " + "[" * 5000 + "\n", "YAML|nested"),
        ("name: Ada\ncontext: " + "[" * 200 + "]" * 200 + "\n", "nested"),
        ("name: Ada\ncontext: x\n? [a, b]\n: c\n", "YAML"),
        ("name: ''\ncontext: ''\n", "says nothing"),
        ("name: Ada\ncontext: x\n--- \nname: Bo\n", "YAML"),
    ],
)
def test_yaml_that_is_refused(text: str, what: str) -> None:
    with pytest.raises(FormatError, match=what):
        read(text.encode(), AT, "card-yaml")


def test_yaml_makes_texts_and_nothing_else() -> None:
    text = "name: 2023-99-99\ncontext: !!python/object/apply:os.system ['echo hacked']\ngreeting: yes\n"
    document = read(text.encode(), AT, "card-yaml")
    assert name_of(document) == "2023-99-99"
    assert [line.text for line in document.messages] == ["yes"]


def test_large_files_are_refused_by_their_readers() -> None:
    with pytest.raises(FormatError, match="MB"):
        read(b"name: a\ncontext: " + b"x" * 3 * 2**20, AT, "card-yaml")
    value: dict[str, Any] = card(description="x" * 33 * 2**20)
    with pytest.raises(FormatError, match="MB"):
        read(json.dumps(value).encode(), AT, "card-json")


def test_zlib_of_a_whole_file_is_no_card() -> None:
    with pytest.raises(FormatError):
        read(zlib.compress(json.dumps(CARD).encode()), AT)
