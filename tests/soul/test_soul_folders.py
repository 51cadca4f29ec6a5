"""The folder of a SillyTavern user: characters, chats, groups, lorebooks and the program's own things. A mind takes what is its
character's of it, and tells what it passes over."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from soul_minds import Minds, concept

from soulmem.model.messages import Message
from soulmem.model.notes import Semantic
from soulmem.soul import Soul

sys.path.insert(0, str(Path(__file__).parents[1] / "ingest"))

from card_files import BACKYARD, encoded, png, text_chunk
from chat_files import chat_bytes

SECRET = "SECRET"


def card(name: str, world: str, **fields: Any) -> bytes:
    data = {"name": name, "description": f"{name} minds the mill.", "first_mes": f"I am {name}.", "extensions": {"world": world}}
    return png(after=[text_chunk(b"chara", encoded({"spec": "chara_card_v2", "spec_version": "2.0", "data": data | fields}))])


def chat(*said: tuple[str, str], world: str | None = None) -> bytes:
    header = {"user_name": "unused", "character_name": "unused", "chat_metadata": {"world_info": world} if world else {}}
    lines = ({"name": name, "is_user": name == "Kim", "is_system": False, "mes": text} for name, text in said)
    return "\n".join(json.dumps(line) for line in (header, *lines)).encode()


def world(key: str, text: str) -> bytes:
    return json.dumps({"entries": {"0": {"uid": 0, "key": [key], "content": text, "disable": False}}}).encode()


PERSONAS = {
    "personas": {"1.png": "Kim", "2.png": "Lord Kestrel"},
    "persona_descriptions": {
        "1.png": {"description": "{{user}} repairs clocks and trusts {{char}}.", "position": 0, "lorebook": "Clocks"},
        "2.png": {"description": SECRET, "lorebook": "Far"},
    },
    "default_persona": "1.png",
}
GROUP = {"id": "17", "name": "Tea party", "members": ["Ada.png", "Bo Reed.png"], "chats": ["17"], "activation_strategy": 0}
FILES: dict[str, bytes] = {
    "characters/Ada.png": card("Ada", "Mill lore"),
    "characters/Bo Reed.png": card("Bo Reed", "Reed lore", mes_example=f"<START>\n{{{{char}}}}: {SECRET}"),
    "characters/Ada/joy.png": png(),
    "chats/Ada/Ada - 2025-09-26@15h04m33s123ms.jsonl": chat(("Ada", "I am Ada."), ("Kim", "The wheel is stuck."), world="Town"),
    "chats/Ada/old.jsonl": chat(("Adelaide", "The sluice was shut."), ("Kim", "So it was.")),
    "chats/Bo Reed/Bo Reed - 1.jsonl": chat(("Bo Reed", f"I am Bo. {SECRET}"), ("Kim", f"Tell nobody. {SECRET}"), world="Far"),
    "group chats/17.jsonl": chat(("Ada", "Tea?"), ("Bo Reed", "Two lumps."), ("Kim", "None for me.")),
    "group chats/18.jsonl": chat(("Bo Reed", SECRET), ("Cy", SECRET), ("Kim", SECRET)),
    "groups/17.json": json.dumps(GROUP).encode(),
    "worlds/Mill lore.json": world("Wheel", "The Wheel turns twice a day."),
    "worlds/Reed lore.json": world("Reed", SECRET),
    "worlds/Town.json": world("Town", "The Town has one street."),
    "worlds/Clocks.json": world("Clock", "The Clock is Kim's."),
    "a world.json": world("Far", SECRET),
    "worlds/Far.json": world("Far", SECRET),
    "personas_20260101.json": json.dumps(PERSONAS).encode(),
    "settings.json": json.dumps({"firstRun": False, "power_user": {"personas": {"2.png": SECRET}}}).encode(),
    "secrets.json": json.dumps({"api_key_openai": [{"value": SECRET}]}).encode(),
    "stats.json": json.dumps({"Ada.png": {"total_gen_time": 1}}).encode(),
    "backups/chat_ada_20250926.jsonl": chat(("Ada", f"What was taken back: {SECRET}"), ("Kim", "Oh.")),
    "backgrounds/mill.jpg": b"\xff\xd8\xff",
    "thumbnails/avatar/Ada.png": png(),
    "User Avatars/1.png": png(),
    "OpenAI Settings/Default.json": json.dumps({"prompts": [{"role": "system", "content": SECRET}]}).encode(),
    "extensions/third-party/x/README.md": f"Ada: {SECRET}\nBo: {SECRET}\n".encode(),
}
READ = {
    "characters/Ada.png",
    "chats/Ada/Ada - 2025-09-26@15h04m33s123ms.jsonl",
    "chats/Ada/old.jsonl",
    "group chats/17.jsonl",
    "worlds/Mill lore.json",
    "worlds/Town.json",
    "worlds/Clocks.json",
    "personas_20260101.json",
}
ASIDE = {"backups", "backgrounds", "thumbnails", "User Avatars", "OpenAI Settings", "extensions"}


def messages(mind: Soul) -> list[Message]:
    return mind.store.messages([row["id"] for row in mind.store.query("store.all_messages")])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("data") / "default-user"
    for name, content in FILES.items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_bytes(content)
    return made


def passed_over(report: Any, folder: str) -> dict[str, str]:
    assert not [file for file in report.files if file.refused]
    return {file.path.removeprefix(folder): file.problems[0].what for file in report.files if file.format is None}


def check_aside(aside: Mapping[str, str]) -> None:
    assert aside.keys() == {name for name in FILES if name.split("/")[0] not in ASIDE} - READ | ASIDE
    assert "the card of Bo Reed, and the mind is that of Ada" in aside["characters/Bo Reed.png"]
    assert aside["chats/Bo Reed/Bo Reed - 1.jsonl"].startswith("a talk of Bo Reed, in which Ada does not speak; name it")
    assert "name it" not in aside["characters/Bo Reed.png"], "it would be refused"
    assert "a talk of Bo Reed, Cy" in aside["group chats/18.jsonl"]
    assert "belongs to the card of another" in aside["worlds/Reed lore.json"]
    for name in ("a world.json", "worlds/Far.json"):
        assert aside[name].startswith("a lorebook that nothing links with Ada, beside files of other characters; name it")
    assert "a SillyTavern group “Tea party” of Ada, Bo Reed" in aside["groups/17.json"]
    assert "former versions of chats" in aside["backups"]
    assert "keeps for itself" in aside["thumbnails"]
    assert SECRET not in " ".join(aside.values())


def test_a_mind_takes_its_character_of_a_whole_folder(mind: Soul, folder: Path) -> None:
    report = mind.ingest(folder)
    check_aside(passed_over(report, f"{folder}/"))
    assert SECRET not in mind.export_graph() + mind.export_messages() + json.dumps(mind.store.meta("card"))
    me = mind.note("sem_self").body
    assert isinstance(me, Semantic) and (me.content, me.aliases) == ("Ada", ())
    user = mind.note("sem_kim").body
    assert isinstance(user, Semantic) and user.description == "Kim repairs clocks and trusts Ada."
    (told,) = [file for file in report.files if file.format == "personas"]
    assert mind.note("sem_kim").origins == (f"{folder / 'personas_20260101.json'}: persona Kim",)
    assert [problem.what for problem in told.problems] == [
        "the user is Kim, the default persona; the others were not read: Lord Kestrel"
    ]
    again = mind.ingest(folder)
    assert [(file.new, file.existing) for file in again.files] == [(0, file.new + file.existing) for file in report.files]


def test_the_same_folder_as_a_zip(mind: Soul, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "default-user.zip"
    with ZipFile(path, "w") as archive:
        for name, content in FILES.items():
            archive.writestr(f"default-user/{name}", content)
    aside = passed_over(mind.ingest(path), f"{path}!default-user/")
    check_aside({name.rstrip("/"): what for name, what in aside.items()})
    assert SECRET not in mind.export_graph() + mind.export_messages()


def test_what_is_named_or_forced_is_read_whosever_it_is(minds: Minds, folder: Path) -> None:
    mind = minds()
    mind.ingest(folder / "characters" / "Ada.png")
    other = folder / "chats" / "Bo Reed"
    assert mind.ingest(other).files[0].format is None
    assert mind.ingest(other, format="sillytavern").files[0].new == 2
    assert mind.ingest(folder / "group chats" / "18.jsonl").files[0].new == 3
    assert "the card of Bo Reed" in (mind.ingest(folder / "characters" / "Bo Reed.png").files[0].refused or "")


def test_a_mind_without_a_name_reads_talks_of_anybody(mind: Soul, folder: Path) -> None:
    assert [file.new for file in mind.ingest(folder / "chats").files] == [2, 2, 2]


def test_the_user_is_who_the_chats_say_and_gains_the_description(mind: Soul, folder: Path) -> None:
    mind.ingest(folder / "group chats" / "17.jsonl")
    before = mind.note("sem_kim")
    report = mind.ingest_bytes(FILES["personas_20260101.json"], name="personas.json")
    after = mind.note("sem_kim")
    assert isinstance(after.body, Semantic) and "repairs clocks" in after.body.description
    assert (after.id, after.sources) == (before.id, before.sources)
    assert (report.read, report.new, report.skipped) == (2, 2, 0)
    changed = {**PERSONAS, "persona_descriptions": {"1.png": {"description": "Somebody else."}}}
    report = mind.ingest_bytes(json.dumps(changed).encode(), name="personas.json")
    assert (report.new, report.existing) == (0, 2)
    assert any("the description that the mind has was kept" in problem.what for problem in report.problems)
    assert mind.note("sem_kim").body == after.body


def test_an_archive_of_backyard_ai_is_a_card_and_its_chats(mind: Soul, tmp_path: Path) -> None:
    path = tmp_path / "ada.byaf"
    scenario = json.loads(chat_bytes("byaf.json"))
    other = {
        **scenario,
        "messages": [],
        "narrative": SECRET,
        "firstMessages": [{"characterID": "ada", "text": "The tide brought you."}],
    }
    manifest = {"schemaVersion": 1, "characters": ["characters/ada/character.json"], "scenarios": ["scenarios/1.json"]}
    with ZipFile(path, "w") as archive:
        archive.writestr("manifest.json", json.dumps(manifest))
        archive.writestr("characters/ada/character.json", json.dumps(BACKYARD))
        archive.writestr("characters/ada/images/1.png", png())
        archive.writestr("scenarios/1.json", json.dumps(scenario))
        archive.writestr("scenarios/2.json", json.dumps(other))
    report = mind.ingest(path)
    formats = {file.path.partition("!")[2]: (file.format, file.new > 0) for file in report.files if file.format}
    assert formats == {
        "characters/ada/character.json": ("card-json", True),
        "scenarios/1.json": ("byaf", True),
        "scenarios/2.json": ("byaf", False),
    }
    told = mind.export_graph()
    assert SECRET not in told
    assert all(text in told for text in ("keeps the lighthouse", "washed ashore", "It was lit in 1811.", "There are the gulls"))
    lines = [(line.speaker, line.text) for line in messages(mind) if not line.hidden]
    assert lines == [("User", "Barely. Is this your lamp?"), ("Ada Quill", "It burns for you, {{user}}.")]
    hidden = {line.text for line in messages(mind) if line.hidden}
    assert "The tide brought you." in hidden and not any("NEVER" in text for text in hidden)
    assert all(not file.new for file in mind.ingest(path).files)


def lore(**files: bytes) -> dict[str, bytes]:
    """A lorebook that tells of what the talks name, and ``files``."""
    named = chat(("Ada", "Wheel Seven is stuck, and Wheel Seven is old."), ("Kim", "Then mend Wheel Seven."))
    return {"a talk.jsonl": named, "worlds.json": world("Wheel Seven", "It turns twice a day.")} | {
        name.replace("_", "."): content for name, content in files.items()
    }


def order_of(report: Any) -> list[str]:
    return [Path(file.path.replace("!", "/")).name for file in report.files if file.format is not None]


@pytest.mark.parametrize(
    ("files", "order"),
    [
        (lore(), ["worlds.json", "a talk.jsonl"]),
        (lore(ada_png=card("Ada", "worlds")), ["ada.png", "worlds.json", "a talk.jsonl"]),
        (lore(other_jsonl=chat(("Bo", "Hm."), ("Kim", "Hm."))), ["a talk.jsonl"]),
        (lore(other_jsonl=chat(("Ada", "Hm."), ("Bo", "Hm."))), ["worlds.json", "a talk.jsonl", "other.jsonl"]),
        (
            lore(other_jsonl=chat(("Bo", "Hm."), ("Kim", "Hm.")), z_jsonl=chat(("Ada", "Hm."), world="worlds")),
            ["a talk.jsonl", "z.jsonl", "worlds.json"],
        ),
        (
            lore(other_jsonl=chat(("Bo", "Hm."), ("Kim", "Hm.")), ada_png=card("Ada", "worlds")),
            ["ada.png", "worlds.json", "a talk.jsonl"],
        ),
    ],
)
def test_lorebooks_are_read_before_the_talks_where_it_is_certain_whose_they_are(
    minds: Minds, tmp_path: Path, files: dict[str, bytes], order: list[str]
) -> None:
    mind = minds()
    mind.ingest_bytes(json.dumps([concept("sem_self", "Ada")]).encode(), name="self.json")
    path, packed = tmp_path / "given", tmp_path / "given.zip"
    path.mkdir()
    with ZipFile(packed, "w") as archive:
        for name, content in files.items():
            (path / name).write_bytes(content)
            archive.writestr(name, content)
    assert order_of(mind.ingest(packed, dry_run=True)) == order
    report = mind.ingest(path)
    assert order_of(report) == order
    assert [file.new for file in mind.ingest(path).files] == [0] * len(report.files)
    keys = {row["key"] for row in mind.store.query("store.all_keys")}
    assert ("sem_wheel_seven" in keys) is ("worlds.json" not in order)


def test_a_lorebook_that_is_named_is_read_before_the_talks(minds: Minds, tmp_path: Path) -> None:
    mind = minds()
    mind.ingest_bytes(json.dumps([concept("sem_self", "Ada")]).encode(), name="self.json")
    files = lore(other_jsonl=chat(("Bo", "Hm."), ("Kim", "Hm.")))
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    report = mind.ingest(tmp_path / "a talk.jsonl", tmp_path / "other.jsonl", tmp_path / "worlds.json")
    assert order_of(report) == ["worlds.json", "a talk.jsonl", "other.jsonl"]
