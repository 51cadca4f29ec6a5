"""Which files a folder gives, in which order."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from soulmem.errors import NotFoundError
from soulmem.ingest.files import found_files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in (
        "b.json",
        "a.JSONL",
        "notes.txt",
        "read.md",
        "picture.png",
        "letter.pdf",
        "no_ending",
        ".hidden.json",
        "deep/er/c.json",
        ".git/config.json",
        "deep/.secret/d.json",
        "mind.messages.jsonl",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("{}", encoding="utf-8")
    (tmp_path / "folder.json").mkdir()
    return tmp_path


def names(paths: tuple[Path, ...], folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in paths]


def test_a_folder_gives_what_can_be_read_exported_messages_first_then_cards(folder: Path) -> None:
    found = names(found_files([folder]).files, folder)
    assert found == ["mind.messages.jsonl", "picture.png", "a.JSONL", "b.json", "deep/er/c.json", "notes.txt", "read.md"]


def test_a_file_named_outright_is_given_whatever_its_ending(folder: Path) -> None:
    named = [folder / "letter.pdf", folder / ".hidden.json", folder / "no_ending"]
    assert found_files(named).files == tuple(named)


def test_the_order_named_is_kept_and_every_file_given_once(folder: Path) -> None:
    found = names(found_files([folder / "read.md", folder / "b.json", folder, folder / "b.json"]).files, folder)
    assert found == ["mind.messages.jsonl", "picture.png", "read.md", "b.json", "a.JSONL", "deep/er/c.json", "notes.txt"]


def test_a_hidden_folder_named_outright_is_walked(folder: Path) -> None:
    assert names(found_files([folder / ".git"]).files, folder) == [".git/config.json"]


def test_texts_are_paths_too_and_nothing_gives_nothing(folder: Path) -> None:
    assert found_files([str(folder / "b.json")]).files == (folder / "b.json",)
    assert found_files([]).files == ()
    (folder / "empty").mkdir()
    assert found_files([folder / "empty"]).files == ()


def test_a_path_that_is_not_there_is_refused_by_name(folder: Path) -> None:
    with pytest.raises(NotFoundError, match="gone"):
        found_files([folder / "b.json", folder / "gone"])


def test_a_card_in_json_is_read_before_the_chats_whatever_it_is_called(tmp_path: Path) -> None:
    card = '{"spec": "chara_card_v2", "data": {"name": "Ada Quill", "first_mes": "Hello."}}'
    contents = {"a.txt": "Ada: hi", "b.json": '[{"role": "user", "content": "hi"}]', "z.json": card, "zz.txt": card}
    for name, text in contents.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert names(found_files([tmp_path]).files, tmp_path) == ["z.json", "zz.txt", "a.txt", "b.json"]
    assert names(found_files([tmp_path / "a.txt", tmp_path / "z.json"]).files, tmp_path) == ["z.json", "a.txt"]


def test_a_branch_is_read_after_the_chat_it_was_taken_from(tmp_path: Path) -> None:
    lines = [{"name": ("Ann", "Wren")[n % 2], "is_user": n % 2 == 0, "mes": f"We come to number {n}."} for n in range(6)]
    header = {"user_name": "Ann", "character_name": "Wren", "chat_metadata": {}}
    branch = header | {"chat_metadata": {"main_chat": "Wren - old"}}
    for name, head, said in (("Branch #1.jsonl", branch, [*lines[:4], lines[5]]), ("Wren - old.jsonl", header, lines)):
        text = "".join(json.dumps(line) + "\n" for line in (head, *said))
        (tmp_path / name).write_text(text)
    assert [file.name for file in found_files([tmp_path]).files] == ["Wren - old.jsonl", "Branch #1.jsonl"]
