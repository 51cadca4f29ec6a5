"""Exported messages: what is written is what is read, and a broken line costs only itself."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.errors import FormatError
from soulmem.ingest.archive import FORMAT, VERSION, archive_text, read, sniff
from soulmem.model.messages import Chat, Message, Role

LAWS = settings(deadline=None, max_examples=40)
AT = datetime(2024, 6, 1, 12, 30, 15, 250, tzinfo=UTC)

# What a mind can hold: readers mend lone surrogates and NULs before anything is stored.
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=12)
TIME = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC))
COUNT = st.integers(0, 2**40)

MESSAGES = st.builds(
    Message,
    id=TEXT,
    chat=TEXT,
    index=COUNT,
    file=TEXT,
    line=COUNT,
    speaker=TEXT,
    role=st.sampled_from(Role),
    text=TEXT,
    sent_at=st.none() | TIME,
    hidden=st.booleans(),
    scope=TEXT,
    session=COUNT,
)
CHATS = st.builds(Chat, id=TEXT, file=TEXT, format=TEXT, sha256=TEXT, messages=COUNT, ingested_at=TIME)

CHAT = Chat(id="c", file="a.jsonl", format="script", sha256="ab", messages=2, ingested_at=AT)
MESSAGE = Message(id="m", chat="c", index=0, file="a.jsonl", line=2, speaker="Ann", role=Role.USER, text="hi\n你好", sent_at=AT)


@LAWS
@given(st.lists(CHATS, max_size=2), st.lists(MESSAGES, max_size=3))
def test_what_is_written_is_read_back(chats: list[Chat], messages: list[Message]) -> None:
    text = archive_text(chats, messages)
    assert text.count("\n") == 1 + len(chats) + len(messages)
    data = text.encode()
    assert sniff(data) == 1.0
    document = read(data, AT)
    assert document.problems == ()
    assert (document.chats, document.archived) == (tuple(chats), tuple(messages))
    assert document.read == len(chats) + len(messages)
    assert document.messages == () and document.notes == ()
    assert archive_text(document.chats, document.archived) == text


def test_times_of_other_zones_become_utc_and_stay_the_same_moment() -> None:
    there = replace(MESSAGE, sent_at=AT.astimezone(timezone(timedelta(hours=8))))
    document = read(archive_text((), [there]).encode(), AT)
    assert document.archived == (MESSAGE,)
    assert document.archived[0].sent_at is not None and document.archived[0].sent_at.tzinfo == UTC


def test_the_file_is_readable_by_a_person() -> None:
    first, second, third = archive_text([CHAT], [MESSAGE]).splitlines()
    assert json.loads(first) == {"soulmem": "messages", "version": VERSION}
    assert json.loads(second)["chat"]["ingested_at"] == "2024-06-01T12:30:15.000250Z"
    assert "你好" in third and json.loads(third)["message"]["role"] == "user"


def line(kind: str, **changes: Any) -> str:
    whole = json.loads(archive_text([CHAT], [MESSAGE]).splitlines()[1 if kind == "chat" else 2])
    whole[kind] |= changes
    return json.dumps(whole)


def without(kind: str, name: str) -> str:
    whole = json.loads(line(kind))
    del whole[kind][name]
    return json.dumps(whole)


@pytest.mark.parametrize(
    "broken",
    [
        "{",
        "null",
        "[]",
        "3",
        '"chat"',
        "{}",
        '{"chat": null}',
        '{"message": []}',
        "[" * 100_000,
        line("message", index="1"),
        line("message", index=True),
        line("message", index=1.5),
        line("message", text=None),
        line("message", role="wizard"),
        line("message", role=[]),
        line("message", hidden=1),
        line("message", sent_at="yesterday"),
        line("message", sent_at=3),
        line("message", sent_at="0001-01-01T00:00:00+14:00"),
        without("message", "id"),
        line("chat", ingested_at=None),
        line("chat", messages="2"),
        without("chat", "file"),
    ],
)
def test_a_broken_line_is_told_by_its_number_and_costs_only_itself(broken: str) -> None:
    header, chat, message = archive_text([CHAT], [MESSAGE]).splitlines()
    document = read("\n".join((header, chat, "", broken, message)).encode(), AT)
    (problem,) = document.problems
    assert (problem.line, problem.skipped) == (4, True)
    assert (document.chats, document.archived) == ((CHAT,), (MESSAGE,))
    assert document.read == 3


def test_a_time_without_a_zone_is_utc() -> None:
    header = archive_text((), ()).strip()
    document = read(f"{header}\n{line('message', sent_at='2024-06-01T12:30:15.000250')}".encode(), AT)
    assert document.archived == (MESSAGE,)


def test_what_a_newer_version_adds_to_a_line_is_ignored() -> None:
    header = archive_text((), ()).strip()
    document = read(f"{header}\n{line('message', mood='calm')}".encode(), AT)
    assert document.archived == (MESSAGE,) and document.problems == ()


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"null", b"hello", b'{"soulmem": "graph"}', b"[" * 100_000])
def test_another_file_is_refused(data: bytes) -> None:
    assert sniff(data) == 0.0
    with pytest.raises(FormatError):
        read(data, AT)


def test_exported_messages_without_a_version_are_of_the_first() -> None:
    whole = archive_text([], [])
    assert read(whole.replace(f', "version": {VERSION}', "").encode(), AT) == read(whole.encode(), AT)


@pytest.mark.parametrize("version", ["1", None, 0, True, 1.5, [VERSION + 1]])
def test_a_version_that_is_none_is_not_told_to_be_newer(version: Any) -> None:
    with pytest.raises(FormatError, match="is a number from 1 on") as caught:
        read(json.dumps({"soulmem": "messages", "version": version}).encode(), AT)
    assert caught.value.place == ":1"


@pytest.mark.parametrize("version", [VERSION + 1, 10**6])
def test_a_newer_version_is_refused_with_what_to_do(version: Any) -> None:
    with pytest.raises(FormatError, match="Upgrade"):
        read(json.dumps({"soulmem": "messages", "version": version}).encode(), AT)


def test_windows_line_ends_and_a_mark_at_the_start_are_read() -> None:
    text = archive_text([CHAT], [MESSAGE]).replace("\n", "\r\n")
    document = read(b"\xef\xbb\xbf" + text.encode(), AT)
    assert (document.chats, document.archived, document.problems) == ((CHAT,), (MESSAGE,), ())
    assert sniff(b"\xef\xbb\xbf" + text.encode()) == 1.0


def test_the_format_is_the_one_of_its_name() -> None:
    assert (FORMAT.name, FORMAT.sniff, FORMAT.read) == ("soulmem-messages", sniff, read)


def test_what_the_mind_was_made_from_is_read_back_and_nothing_else_is_set() -> None:
    kept = {"card": {"card": {"name": "Ada", "extensions": {"x": [1, None]}}}, "lorebook:ab12": {"entries": []}}
    document = read(archive_text([CHAT], [MESSAGE], kept).encode(), AT)
    assert document.kept == kept and document.problems == () and document.read == 2
    assert archive_text(document.chats, document.archived, document.kept) == archive_text([CHAT], [MESSAGE], kept)
    for name, value in (("embedder", {}), ("card", "text"), ("card", None), (3, {}), ("schema/1", {})):
        broken = read((archive_text([CHAT], []) + json.dumps({"kept": {"name": name, "value": value}})).encode(), AT)
        assert broken.kept == {} and [problem.line for problem in broken.problems] == [3]
