"""Chats of every program in a mind: who said what, each once, nothing that was not said."""

from __future__ import annotations

import json
import shutil
import stat
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from soul_minds import AT, FIXTURES, Minds, concept, took

from soulmem.ingest import zips
from soulmem.model.messages import Message
from soulmem.soul import Soul

CHATS = FIXTURES.parent / "tests" / "ingest" / "chats"


def messages(mind: Soul) -> list[Message]:
    rows = mind.store.query("store.chats")
    ids = [line["id"] for row in rows for line in mind.store.query("ingest.chat_lines", chat=row["id"])]
    return list(mind.store.messages(ids))


def speakers(mind: Soul) -> set[str]:
    return {message.speaker for message in messages(mind) if not message.hidden}


def people(mind: Soul) -> set[str]:
    nodes = json.loads(mind.export_graph())
    return {node["mem_type"]["Semantic"]["content"] for node in nodes if "speaker" in node["tags"]}


def named(mind: Soul, name: str) -> Soul:
    """``mind``, whose character knows its name."""
    took(mind, json.dumps([concept("sem_self", name)]).encode(), "self")
    return mind


def jsonl(*lines: Any) -> bytes:
    return "\n".join(json.dumps(line, ensure_ascii=False) for line in lines).encode()


def said(name: str, mes: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "is_user": name == "Jon", "mes": mes} | more


#: One of each kind: with swipes, several conversations, a text in pieces, the newest first, trees, two of one name.
KINDS = (
    "sillytavern.jsonl",
    "risuai-all.json",
    "kobold-chat.json",
    "character-ai-turns.json",
    "chatgpt.json",
    "open-webui.json",
    "qq.json",
)


def test_files_of_many_programs_in_one_mind_and_nothing_that_was_not_said(mind: Soul, tmp_path: Path) -> None:
    folder = tmp_path / "chats"
    folder.mkdir()
    for name in KINDS:
        shutil.copy(CHATS / name, folder)
    report = mind.ingest(folder)
    assert [file.refused for file in report.files] == [None] * len(KINDS)
    for file in report.files:
        assert file.read == file.new + file.existing + file.skipped, file
    assert "NEVER" not in mind.export_graph() + mind.export_messages()
    before = mind.export_graph()
    assert [file.new for file in mind.ingest(folder).files] == [0] * len(KINDS)
    assert mind.export_graph() == before


def test_a_file_of_several_conversations_is_several_chats(mind: Soul) -> None:
    report = mind.ingest(CHATS / "chatgpt.json").files[0]
    assert (report.read, report.new) == (5, 5)
    names = sorted(row["file"] for row in mind.store.query("store.chats"))
    assert [name.rpartition("#")[2] for name in names] == ["Names for a boat aaaaaaaa", "Names for a boat bbbbbbbb"]
    assert len([entry for entry in mind.log() if entry.command == "ingest"]) == 1
    by_chat = {message.chat: [] for message in messages(mind)}
    for message in messages(mind):
        by_chat[message.chat].append(message.index)
    assert sorted(by_chat.values()) == [[0, 1], [0, 1, 2]]
    graph = json.loads(mind.export_graph())
    told = [node["mem_type"]["Situation"]["SpecificSituation"]["narrative"] for node in graph if "Situation" in node["mem_type"]]
    assert not [text for text in told if "Swallow" in text and "Sparrow" in text]
    mind.undo()
    assert mind.stats()["messages"] == 0


def test_an_export_that_has_grown_adds_what_is_new(mind: Soul) -> None:
    one = [{"role": "user", "content": "Is it far?"}, {"role": "assistant", "content": "An hour."}]
    two = [{"role": "user", "content": "Which way?"}, {"role": "assistant", "content": "By the mill."}]
    more = [{"role": "user", "content": "And back?"}, {"role": "assistant", "content": "The same way."}]
    mind.ingest_bytes(jsonl({"messages": one}, {"messages": two}), name="log.jsonl")
    grown = mind.ingest_bytes(jsonl({"messages": one + more}, {"messages": two}), name="log.jsonl")
    assert (grown.new, grown.existing) == (2, 4)
    assert mind.stats()["chats"] == 2
    turned = mind.ingest_bytes(jsonl({"messages": two}, {"messages": one + more}), name="log.jsonl")
    assert (turned.new, turned.existing) == (0, 6)


def test_branches_within_one_file_add_only_what_differs(mind: Soul) -> None:
    trunk = [{"role": "user", "data": f"line {number}", "time": 1714651200000 + number} for number in range(6)]
    branch = [*trunk[:4], {"role": "char", "data": "another way", "time": 1714651300000}]
    data = {"type": "risuAllChats", "ver": 2, "data": [{"name": "a", "message": trunk}, {"name": "b", "message": branch}]}
    report = mind.ingest_bytes(json.dumps(data).encode(), name="all.json")
    assert (report.read, report.new, report.existing) == (11, 7, 4)
    assert mind.ingest_bytes(json.dumps(data).encode(), name="all.json").new == 0


def test_ten_members_of_a_group_are_ten_people(mind: Soul) -> None:
    names = ["Ada", "Bo", "Cleo", "Dmitri", "Edda", "小红", "Finn", "Gro", "Hanne", "Ivo"]
    header = {"user_name": "unused", "character_name": "unused", "chat_metadata": {}}
    lines = [said(name, f"My boat is number {place}.", original_avatar=f"{name}.png") for place, name in enumerate(names * 2)]
    assert mind.ingest_bytes(jsonl(header, *lines), name="group.jsonl").new == 20
    assert people(mind) == set(names)
    assert speakers(mind) == set(names)


def test_two_characters_of_one_name_stay_two(mind: Soul) -> None:
    mind.ingest(CHATS / "sillytavern-group.jsonl")
    by_text = {message.text: message.speaker for message in messages(mind)}
    assert by_text == {"I bake bread.": "Ada", "I mend nets.": "Ada (Ada1)", "Two Adas, then.": "Jon"}
    assert people(mind) == {"Ada", "Ada (Ada1)", "Jon"}


def test_the_greeting_that_begins_many_chats_counts_once(mind: Soul) -> None:
    header = {"user_name": "Jon", "character_name": "Mira"}
    for number in range(3):
        greeting = said("Mira", "Welcome to the harbour, {{user}}.", send_date=1714651200 + number * 90_000)
        own = said("Jon", f"I bring {number} lamps.", send_date=1714651260 + number * 90_000)
        report = mind.ingest_bytes(jsonl(header, greeting, own), name=f"chat{number}.jsonl")
        assert (report.new, report.existing) == (1 if number else 2, int(number > 0))
    texts = [message.text for message in messages(mind)]
    assert texts.count("Welcome to the harbour, Jon.") == 1
    assert len(texts) == 4


def test_what_a_user_says_first_twice_was_said_twice(mind: Soul) -> None:
    for number in range(2):
        line = said("Jon", "Good morning.", send_date=1714651200 + number * 90_000)
        assert mind.ingest_bytes(jsonl(line), name=f"chat{number}.jsonl").new == 1


def test_a_quoted_line_is_that_of_whom_the_file_names(mind: Soul) -> None:
    mind.ingest(CHATS / "script.txt")
    assert {message.text: message.speaker for message in messages(mind)}["她说：「是我的。」"] == "阿渡"
    assert people(mind) == {"阿渡", "小林"}


def test_a_character_whom_a_file_does_not_name_is_the_one_whose_mind_it_is(minds: Minds) -> None:
    knowing, unknowing = named(minds(), "Mira"), minds()
    for mind in (knowing, unknowing):
        mind.ingest(CHATS / "sharegpt.jsonl", CHATS / "risuai-all.json")
    assert speakers(knowing) == {"Mira", "User", "user", "Character", "Character (22222222)"}
    assert speakers(unknowing) == {"assistant", "User", "user", "Character", "Character (22222222)"}


# Zips and folders.


def zipped(path: Path, **files: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def test_a_zip_is_read_like_a_folder(minds: Minds, tmp_path: Path) -> None:
    some = ("chatgpt.json", "qq.txt", "sillytavern.jsonl")
    files = {f"chats/{name}": (CHATS / name).read_bytes() for name in some}
    files |= {"__MACOSX/chats/._qq.txt": b"\0\5", "notes.md": b"Nobody speaks here.\n\nNor here.\n", "picture.gif": b"GIF89a"}
    files |= {"older.zip": zipped(tmp_path / "inner.zip", **{"a.txt": b"Ada: hi"}).read_bytes()}
    archive = zipped(tmp_path / "all.zip", **files)
    whole, apart = minds(), minds()
    report = whole.ingest(archive)
    assert {file.path for file in report.files if file.format} == {f"{archive}!chats/{name}" for name in some}
    assert [file.path for file in report.files if not file.format] == [f"{archive}!notes.md", f"{archive}!older.zip"]
    assert [file.refused for file in report.files] == [None] * 5
    apart.ingest(*(CHATS / name for name in some))
    assert sorted(one.text for one in messages(whole)) == sorted(one.text for one in messages(apart))
    assert [file.new for file in whole.ingest(archive).files] == [0] * len(report.files)
    again = whole.ingest(*(CHATS / name for name in some))
    assert [file.new for file in again.files] == [0] * len(some), "the same files lie outside too"


def test_names_of_old_zips_are_read_as_they_were_meant(mind: Soul, tmp_path: Path) -> None:
    path = tmp_path / "old.zip"
    name = "聊天.txt".encode("gb18030")
    zipped(path, **{"x" * len(name): "阿渡：船来了。\n小林：好。".encode()})
    path.write_bytes(path.read_bytes().replace(b"x" * len(name), name))
    assert [file.path for file in mind.ingest(path).files] == [f"{path}!聊天.txt"]


def test_what_could_do_harm_in_a_zip_is_refused_and_the_rest_is_read(
    mind: Soul, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zips, "LARGE", 100_000)
    path = tmp_path / "odd.zip"
    link = zipfile.ZipInfo("link.json")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../out.txt", "Ada: hi\nBo: hello")
        archive.writestr("/etc/passwd.txt", "Ada: hi\nBo: hello")
        archive.writestr("C:/out.txt", "Ada: hi\nBo: hello")
        archive.writestr("..\\out.json", "[]")
        archive.writestr(link, "/etc/passwd")
        archive.writestr("bomb.json", "0" * 1_000_000)
        archive.writestr("good.txt", "Ada: hi\nBo: hello")
    refused = {file.path.partition("!")[2]: file.refused for file in mind.ingest(path).files}
    assert refused.pop("good.txt") is None
    assert (refused.pop("bomb.json") or "").endswith("times its size, as no text does")
    assert refused.pop("link.json") == "a link, not a file"
    assert set(refused.values()) == {"its name leads out of the zip file"}
    assert len(refused) == 4
    assert not (tmp_path.parent / "out.txt").exists()


@pytest.mark.parametrize("cut", [10, 60, 200])
def test_a_damaged_zip_is_refused_in_words(mind: Soul, tmp_path: Path, cut: int) -> None:
    path = zipped(tmp_path / "cut.zip", **{"a.txt": b"Ada: hi\nBo: hello", "b.txt": b"Ada: hi\nBo: hello"})
    path.write_bytes(path.read_bytes()[:cut])
    (report,) = mind.ingest(path).files
    assert report.refused is not None


def test_a_member_whose_bytes_are_damaged_is_refused_alone(mind: Soul, tmp_path: Path) -> None:
    path = tmp_path / "flip.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "Ada: hi\nBo: hello")
        archive.writestr("b.txt", "Cleo: hi\nDan: hello")
    path.write_bytes(path.read_bytes().replace(b"Ada: hi", b"Ada: ho"))
    first, second = mind.ingest(path).files
    assert first.refused is not None
    assert first.refused.startswith("damaged")
    assert second.new == 2


def test_a_card_that_is_a_zip_is_not_unpacked(mind: Soul, tmp_path: Path) -> None:
    path = zipped(tmp_path / "card.charx", **{"card.json": b"{}", "assets/x.txt": b"Ada: hi\nBo: hello"})
    assert [file.path for file in mind.ingest(path).files] == [str(path)]


def test_a_folder_of_one_character_answers_from_each_file_with_its_source(minds: Minds, tmp_path: Path) -> None:
    mind = named(minds(), "Mira")
    header = {"user_name": "Jon", "character_name": "Mira"}
    monday = [said("Jon", "My sister Edda moved to Bergen.", send_date="2025-10-03T09:12:44Z"), said("Mira", "So far north!")]
    (tmp_path / "monday.jsonl").write_bytes(jsonl(header, *monday))
    risu = {"message": [{"role": "user", "data": "I am allergic to walnuts."}, {"role": "char", "data": "I will remember."}]}
    (tmp_path / "risu.json").write_text(json.dumps({"type": "risuChat", "ver": 1, "data": risu}), encoding="utf-8")
    zipped(tmp_path / "old.zip", **{"old.txt": b"Jon: The violin is in the attic.\nMira: Under the roof, then."})
    report = mind.ingest(tmp_path)
    assert sorted(file.format or "" for file in report.files) == ["risuai", "script", "sillytavern"]
    for question, file in (
        ("Where did Edda move?", "monday.jsonl"),
        ("allergic to walnuts", "risu.json"),
        ("Where is the violin?", "old.zip!old.txt"),
    ):
        found = mind.recall(question, messages=3, at=AT + timedelta(days=1)).messages
        assert file in {Path(line.file).name for line in found[:1]}, question
