"""Cards on the command line: pictures come back, and what became of an earlier version is told."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from cli_mind import Run, parsed

from soulmem.export.png import png_of

CARD = {"name": "Ada Quill", "description": "Age: 40\nAda keeps the lighthouse.", "first_mes": "You are alive, then."}
JPEG = b"\xff\xd8\xff\xe0\x00\x04ok\xff\xda\x00\x02scan\xff\xd9"


def card_in_a_zip(picture: bytes) -> None:
    asset = {"type": "icon", "uri": "embeded://main.jpg", "name": "main", "ext": "jpg"}
    with zipfile.ZipFile("ada.charx", "w") as archive:
        archive.writestr("card.json", json.dumps({"spec": "chara_card_v3", "data": {**CARD, "assets": [asset]}}))
        archive.writestr("main.jpg", picture)


def test_a_card_with_its_picture_comes_in_and_goes_out(run: Run) -> None:
    card_in_a_zip(JPEG)
    assert run("init", "ada", "--embedder", "hashing").exit_code == 0
    done = run("--mind", "ada", "ingest", "ada.charx")
    assert done.exit_code == 0 and "another version" not in done.output, done.output
    done = run("--mind", "ada", "export", "out.charx")
    assert done.exit_code == 0 and "plain one" not in done.output, done.output
    with zipfile.ZipFile("out.charx") as archive:
        assert archive.read("main.jpg") == JPEG
        assert json.loads(archive.read("card.json"))["data"]["name"] == "Ada Quill"
    done = run("--mind", "ada", "export", "out.png")
    assert done.exit_code == 0
    assert "the picture of the card is JPEG, and out.png a PNG: a plain one was taken." in done.stderr
    assert "Export to a .charx file" in done.stderr and "plain one" not in done.stdout
    told = parsed(run("--mind", "ada", "export", "out.png", "--force", "--json"))["told"]
    assert len(told) == 1 and told[0].startswith("the picture of the card is JPEG")
    Path("own.png").write_bytes(png_of({"spec": "x"}))
    done = run("--mind", "ada", "export", "out.png", "--force", "--picture", "own.png", "--json")
    assert parsed(done)["told"] == []

    edited = {**CARD, "description": "Age: 41\nAda keeps the lighthouse.", "first_mes": ""}
    Path("ada.json").write_text(json.dumps(edited), encoding="utf-8")
    done = run("--mind", "ada", "ingest", "ada.json")
    assert done.exit_code == 0
    assert "another version of what was read: 1 note replaced, " in done.output
    again = parsed(run("--mind", "ada", "ingest", "ada.json", "--json"))["files"][0]
    assert (again["new"], again["replaced"], again["removed"]) == (0, 0, 0)


def test_what_was_read_is_told_in_the_terms_of_the_file(run: Run) -> None:
    entries = [{"key": [name], "content": f"{name} is a town of Eldoria."} for name in ("Tarn", "Ghent", "Cork")]
    book = {"entries": dict(enumerate([*entries, {"key": ["Rhos"], "content": ""}]))}
    Path("book.json").write_text(json.dumps(book), encoding="utf-8")
    Path("ada.json").write_text(json.dumps({**CARD, "character_book": {"entries": entries[:1]}}), encoding="utf-8")
    Path("tea.txt").write_text("Bo: Do you see the ship?\nAda: I do.\n", encoding="utf-8")
    assert run("init", "ada", "--embedder", "hashing").exit_code == 0
    told = run("--mind", "ada", "ingest", "ada.json", "book.json", "tea.txt").stdout
    assert "ada.json (card-json): 3 fields and 1 entry read, 0 skipped; notes and links made of that: " in told
    assert "book.json (lorebook): 3 entries read, 1 skipped; notes and links made of that: " in told
    assert "tea.txt (script): 2 messages read, 2 new, 0 already there, 0 skipped, " in told
    assert run("--mind", "ada", "export", "ada.graph.json", "--messages").exit_code == 0
    assert run("init", "copy", "--embedder", "hashing").exit_code == 0
    told = run("--mind", "copy", "ingest", "ada.graph.json", "ada.graph.messages.jsonl").stdout
    assert " notes and " in told and " links read, " in told and " chats and " in told
    answers = {"soulmem": "interview", "name": "Ada Quill", "who": "She keeps the light.", "likes": ["rain", "tea"]}
    done = run("--mind", "ada", "ingest", "-", "--dry-run", "--json", "--format", "interview", input=json.dumps(answers))
    assert json.loads(done.stdout)["files"][0]["items"] == {"answers": 2}
