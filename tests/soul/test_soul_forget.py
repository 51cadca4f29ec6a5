"""Forgetting messages for good: what was drawn from them alone goes with them, no byte of them is left, all else stays."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from soul_dump import dump, journal, left_of
from soul_minds import AT, PATIENT, TALK, Minds, chat, opened, took

from soulmem.conversation import Conversation
from soulmem.embed.cache import Side, cache_id
from soulmem.errors import InputError, NotFoundError, StoreError, UndoError
from soulmem.indexing import indexed, message_passage
from soulmem.model.changes import Change, NoteUpdate, Superseding
from soulmem.model.messages import Message
from soulmem.model.notes import Note, Semantic, derived_id
from soulmem.soul import Soul
from soulmem.store.journal import unpacked
from soulmem.working.observer import Line

SECRET, WORD, CHINESE = "I love zanzibarian quince marmalade.", "zanzibarian", "我最讨厌榴莲味的藏青围巾。"
PLAIN = ("My sister Greta lives in Halden.", "I work in a bakery.", "我家的猫叫豆豆。")


def told(soul: Soul, *texts: str, chat: str = "default") -> list[Message]:
    """Say these, embed and consolidate them: the messages."""
    said = heard(soul, *texts, chat=chat)
    soul.idle(AT + timedelta(hours=1))
    return said


def heard(soul: Soul, *texts: str, chat: str = "default") -> list[Message]:
    """Say these, and no more: the messages."""
    lines = [Line(text=text, speaker="Bo", at=AT + timedelta(minutes=n)) for n, text in enumerate(texts)]
    return [one.message for one in soul.observe_many(lines, chat)]


def vectors_of(soul: Soul, texts: Sequence[str]) -> list[str]:
    ids = [cache_id(soul.record.name, side, text) for text in texts for side in Side]
    return [row["id"] for row in soul.store.query("store.embeddings", ids=ids)]


def own_note(key: str, content: str, *sources: str, **more: str) -> Note:
    body = Semantic(content=content, **more)
    return Note(id=derived_id("note", key), key=key, body=body, created_at=AT, decayed_at=AT, sources=sources)


def write(soul: Soul, **parts: object) -> None:
    change = Change(command="test", what="a test", at=AT, **parts)  # type: ignore[arg-type]
    soul.store.apply(indexed(change, soul.embedder, present=soul.store.notes))


# -- what goes ------------------------------------------------------------------------------------------------------------------


def test_no_byte_is_left_and_nothing_else_goes(mind: Soul) -> None:
    told(mind, *PLAIN)
    kept = {key: value for key, value in dump(mind.store).items() if key in ("SpecificSituation", "Message", "Term", "Name")}
    secret = told(mind, SECRET, CHINESE)
    found = mind.recall(SECRET)
    mind.commit(found, [memory for memory in found.memories if WORD in memory.text])
    for sign in (1, -1):
        mind.feedback([row.id for row in mind.list(text=WORD)], sign)
    path = mind.store.path
    assert (
        left_of(path, WORD) and WORD in journal(mind) + str(dump(mind.store)) and vectors_of(mind, [message_passage(secret[0])])
    )
    report = mind.forget_messages([message.id for message in secret])
    assert (report.messages, report.recalls) == (2, 3) and report.notes >= 3 and report.links and report.entries
    for text in (SECRET, WORD, CHINESE, "榴莲"):
        assert left_of(path, text) == [] and text not in journal(mind) and text not in str(dump(mind.store))
    assert not vectors_of(mind, [message_passage(one) for one in secret] + [SECRET, CHINESE])
    now = dump(mind.store)
    assert {key: now[key] for key in kept} == kept
    assert mind.check() == ()
    assert [line.text for line in mind.window(at=AT).messages] == list(PLAIN)
    assert all(WORD not in memory.text for memory in mind.recall(f"{WORD} Halden").memories)
    mind.observe("Halden it is.", speaker="Bo", at=AT + timedelta(hours=2))
    mind.consolidate(AT + timedelta(hours=3))
    mind.close()
    assert left_of(path, SECRET, WORD, CHINESE, "榴莲") == []


def test_the_operation_tells_counts_alone_and_nothing_of_it_is_undone(mind: Soul) -> None:
    told(mind, PLAIN[0])
    number = mind.log(1)[0].number
    (message,) = told(mind, SECRET)
    report = mind.forget_messages([message.id])
    assert report.operation == mind.log(1)[0] and report.operation.command == "forget"
    assert report.operation.what.startswith("1 message, ") and WORD not in report.operation.what
    with pytest.raises(UndoError, match="gone for good"):
        mind.undo()
    entries = [entry.number for entry in mind.log(100)]
    refused = 0
    for entry in entries[1:]:
        before = dump(mind.store)
        if entry > number:
            try:
                mind.undo(entry)
            except UndoError as error:
                refused += "forgotten for good" in error.what
                assert dump(mind.store) == before
    assert refused == report.entries > 0


def test_notes_with_other_sources_stay_without_what_they_had_from_there(tea: Soul) -> None:
    first, second = told(tea, "My sister Greta lives in Halden.", "Greta brought zanzibarian quince to Halden.")
    greta = tea.note("sem_greta")
    write(tea, notes=(own_note("both", "both said it", first.id, second.id), own_note("only", "a quince heard once", second.id)))
    write(
        tea,
        updates=(NoteUpdate(note=greta.id, values={"aliases": ["Quincey"], "description": "a quince lover"}),),
        sources_added=((tea.note("sem_tea").id, second.id), (tea.note("both").id, second.id)),
    )
    write(
        tea,
        updates=(NoteUpdate(note=tea.note("sem_tea").id, values={"aliases": ["quince tea"], "tags": ["drink", "quince"]}),),
        sources_added=((tea.note("sem_pot").id, second.id), (tea.note("sem_tea").id, second.id)),
    )
    tea.forget_messages([second.id])
    assert tea.note("both").sources == (first.id,) and tea.note("sem_greta").sources == (first.id,)
    with pytest.raises(NotFoundError):
        tea.note("only")
    assert tea.note("sem_tea").sources == tea.note("sem_pot").sources == (), "of the graph: they were there before"
    narratives = [row.text for row in tea.list(type="SpecificSituation", limit=99)]
    assert "Bo: My sister Greta lives in Halden." in narratives, "the situation without the line"
    assert "Mei dropped the lid and laughed." in narratives
    assert tea.check() == () and not any("brought" in text for text in narratives)


def test_what_a_note_was_given_for_them_is_taken_from_it(tea: Soul) -> None:
    (message,) = told(tea, "I call the tea zanzibarian nectar.")
    note = tea.note("sem_tea").id
    values = {"aliases": ["zanzibarian nectar"], "description": "what Bo calls zanzibarian"}
    write(tea, updates=(NoteUpdate(note=note, values=values),), sources_added=((note, message.id),))
    assert [memory.key for memory in tea.recall("zanzibarian nectar", top=1).memories if memory.score > 0] == ["sem_tea"]
    report = tea.forget_messages([message.id])
    body = tea.note("sem_tea").body
    assert isinstance(body, Semantic) and (body.aliases, body.description) == ((), "hot") and report.revised == 1
    assert left_of(tea.store.path, WORD) == [] and tea.check() == ()
    assert "sem_tea" in {memory.key for memory in tea.recall("green tea").memories if memory.score > 0}, "found by its own words"


def test_what_a_note_was_given_and_lost_again_is_forgotten_in_the_journal(tea: Soul) -> None:
    (message,) = heard(tea, "I call the tea zanzibarian nectar.")
    note = tea.note("sem_tea").id
    values = {"description": "zanzibarian nectar"}
    write(tea, updates=(NoteUpdate(note=note, values=values),), sources_added=((note, message.id),))
    write(tea, updates=(NoteUpdate(note=note, values={"tags": ["leaf"]}),))
    write(tea, updates=(NoteUpdate(note=note, values={"description": "cha"}),))
    assert WORD in journal(tea) and all(WORD not in text for text in dump(tea.store)["Semantic"])
    tea.forget_messages([message.id])
    assert WORD not in journal(tea) and "nectar" not in journal(tea) and left_of(tea.store.path, WORD) == []
    left = tea.note("sem_tea")
    assert isinstance(left.body, Semantic) and (left.body.description, left.tags) == ("cha", ("leaf",)) and tea.check() == ()


def test_a_fact_that_theirs_superseded_holds_again(mind: Soul) -> None:
    first, second = heard(mind, "hm", "hm hm")
    old, new = own_note("old", "Bo lives in Halden", first.id), own_note("new", "Bo lives in Zanzibar", second.id)
    write(mind, notes=(old, new), supersedes=(Superseding(new=new.id, old=old.id, at=AT, reason="Zanzibar instead"),))
    body = mind.note("old").body
    assert isinstance(body, Semantic) and body.valid_until == AT
    mind.forget_messages([second.id])
    body = mind.note("old").body
    assert isinstance(body, Semantic) and body.valid_until is None
    assert mind.check() == () and left_of(mind.store.path, "Zanzibar") == []


def test_what_is_packed_in_the_journal_is_found_too(mind: Soul) -> None:
    (message,) = heard(mind, SECRET)
    note = own_note("big", "big", message.id, description=f"{SECRET} {'filling ' * 140_000}")
    write(mind, notes=(note,))
    write(mind, updates=(NoteUpdate(note=note.id, values={"description": "small"}),))
    (packed,) = mind.store.query("store.operations", limit=1)
    assert '"packed"' in packed["before"][:12] and WORD not in packed["before"] and WORD in str(unpacked(packed["before"]))
    mind.forget_messages([message.id])
    assert WORD not in journal(mind) and not any(
        '"packed"' in row["before"] for row in mind.store.query("store.operations", limit=99)
    )


def test_what_was_taken_back_before_is_forgotten_too(mind: Soul) -> None:
    conversation = Conversation(mind, user="Bo", character="Lin")
    conversation.hear(SECRET)
    conversation.say("Quince zanzibarian!")
    conversation.say("No: zanzibarian plums!")
    mind.consolidate(AT + timedelta(hours=1))
    (fact,) = (row for row in mind.list(limit=99) if row.key.startswith("fact"))
    write(mind, updates=(NoteUpdate(note=fact.id, values={"description": "of zanzibarians"}),))
    mind.undo()
    mind.undo()
    assert all(row.key != fact.key for row in mind.list(limit=99))
    hidden = conversation.undo().lines
    former = [row["id"] for row in mind.store.query("store.all_messages")]
    assert len(former) == 3 and {line.id for line in hidden} < set(former)
    mind.forget_messages(former)
    assert left_of(mind.store.path, WORD) == [] and WORD not in journal(mind) and mind.window().messages == ()


def test_summary_lines_go_with_what_they_tell(mind: Soul) -> None:
    lines = [SECRET if n == 3 else f"I promise to bring {n} plums to Halden on Monday." for n in range(45)]
    said = heard(mind, *lines, chat="pub")
    mind.observe("And on Tuesday.", speaker="Bo", chat="pub", at=AT + timedelta(hours=2))
    summary = [[3, "Bo", SECRET, None], [4, "Bo", "4 plums", None], [None, "", "Bo told of quinces", None]]
    write(mind, meta={"working.summary:pub": summary})
    report = mind.forget_messages([said[3].id])
    assert [line[:4] for line in mind.store.meta("working.summary:pub")] == [summary[1]] and report.summary_lines == 2, (
        "what a model wrote of it goes"
    )
    assert left_of(mind.store.path, WORD) == [] and mind.check() == ()


def test_short_words_are_no_reason_to_forget_others(mind: Soul) -> None:
    said = told(mind, "public", "user", "I live in Halden.", "name", "ok")
    mind.commit(mind.recall("public Halden"))
    entries = mind.stats()["operations"]
    mind.forget_messages([said[4].id, said[3].id])
    assert mind.recall("Halden").memories and mind.record.name == "hashing" and mind.stats()["operations"] == entries + 1
    assert [line.text for line in mind.window().messages] == ["public", "user", "I live in Halden."] and mind.check() == ()


def test_what_others_said_too_stays_said(mind: Soul) -> None:
    took(mind, chat(*TALK), "chat.jsonl", at=AT)
    (again,) = heard(mind, TALK[3]["mes"])
    before = mind.export_messages()
    mind.forget_messages([again.id])
    assert TALK[3]["mes"] in mind.export_messages() and len(mind.export_messages()) < len(before)
    assert any("diesel" in line.text for line in mind.recall("ferry diesel", messages=3).messages)


@pytest.mark.parametrize("ids", [[], ["nobody"]])
def test_what_is_not_there_cannot_be_forgotten(mind: Soul, ids: list[str]) -> None:
    (message,) = heard(mind, PLAIN[0])
    before = dump(mind.store)
    with pytest.raises(InputError):
        mind.forget_messages([*ids, *([message.id] if ids else [])])
    assert dump(mind.store) == before


# -- laws -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(2))
def test_any_lines_of_any_talk_are_forgotten_and_the_others_are_not(minds: Minds, seed: int) -> None:
    chance = random.Random(seed)
    mind = minds()
    places = ("Halden", "Leeds", "成都", "Zell")
    made = [
        f"{chance.choice(('I love', '我喜欢', 'Greta hates', 'I moved to'))} mark{seed}x{n}x {chance.choice(places)}."
        for n in range(8)
    ]
    said = [message for start in (0, 4) for message in told(mind, *made[start : start + 4])]
    mind.commit(mind.recall("Halden Leeds"))
    gone = chance.sample(said, 3)
    for part in (gone,) if seed else (gone[:1], gone[1:]):
        mind.forget_messages([message.id for message in part])
    marks = [next(word for word in message.text.split() if word.startswith("mark")) for message in gone]
    assert left_of(mind.store.path, *marks) == [] and not any(mark in journal(mind) for mark in marks)
    kept = [message for message in said if message not in gone]
    assert mind.store.messages([message.id for message in said]) == kept
    assert mind.check() == () and [line.text for line in mind.window().messages] == [message.text for message in kept]
    everything = str(dump(mind.store))
    assert all(message.text in everything for message in kept)


# -- crashes --------------------------------------------------------------------------------------------------------------------


def test_a_failure_in_the_middle_leaves_the_old_mind(mind: Soul, monkeypatch: pytest.MonkeyPatch) -> None:
    from soulmem.store import apply

    (message,) = heard(mind, SECRET)
    before = dump(mind.store)

    def fail(*_: object) -> None:
        raise StoreError("no room")

    monkeypatch.setattr(apply.Writer, "enter", fail)
    with pytest.raises(StoreError, match="no room"):
        mind.forget_messages([message.id])
    monkeypatch.undo()
    assert dump(mind.store) == before and not list(mind.store.path.parent.glob("*.new*"))
    mind.forget_messages([message.id])
    assert left_of(mind.store.path, WORD) == []


_FORGETTING = """
import sys
from soulmem.soul import Soul
with Soul.open(sys.argv[1]) as soul:
    soul.stats()
    print("ready", flush=True)
    soul.forget_messages(sys.argv[2:])
    print("done", flush=True)
"""


def test_killed_in_the_middle_it_is_the_old_mind_or_the_new_one(minds: Minds) -> None:
    mind, chance = minds(), random.Random(4)
    path = mind.store.path
    said = heard(mind, *PLAIN, *(f"{SECRET[:-1]} {n}." for n in range(2)))
    mind.close()
    for number, pause in enumerate((0.02, 0.12)):
        gone = said[3 + number]
        command = [sys.executable, "-c", _FORGETTING, str(path), gone.id]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None and process.stdout.readline() == b"ready\n"
            threading.Event().wait(pause + chance.uniform(0, 0.03))
            process.send_signal(signal.SIGKILL)
            done = process.stdout.read() == b"done\n"
        with opened(path, settings=PATIENT) as soul:
            there = bool(soul.store.messages([gone.id]))
            assert not (there and done) and soul.check() == ()
            if there:
                soul.forget_messages([gone.id])
        assert left_of(path, gone.text) == []
    with opened(path) as soul:
        assert soul.store.messages([one.id for one in said]) == said[:3]
        assert left_of(path, WORD) == []


def test_what_else_lies_beside_the_mind(mind: Soul) -> None:
    (message,) = heard(mind, SECRET)
    path = mind.store.path
    look, copy = (path.with_name(f"{path.name}{end}") for end in (".look", ".before-002"))
    look.write_text(SECRET)
    copy.write_text(SECRET)
    report = mind.forget_messages([message.id])
    assert not look.exists() and report.copies == (copy,) and left_of(path, WORD) == [copy.name]


# -- in a talk ------------------------------------------------------------------------------------------------------------------


def test_the_last_turn_of_a_talk_is_forgotten_and_the_talk_goes_on(tea: Soul) -> None:
    conversation = Conversation(tea, user="Bo", character="Lin")
    conversation.hear("The green tea?")
    conversation.say("The green tea is hot.")
    conversation.hear(f"{SECRET} With green tea.")
    conversation.say("Zanzibarian? The green tea!")
    conversation.say("Zanzibarian! The blue pot!")
    counts = tea.note("sem_pot").retrieval_count
    report = conversation.forget_last()
    assert report is not None and report.messages == 3, "what was replaced goes too"
    assert left_of(tea.store.path, WORD, "Zanzibarian") == [] and tea.note("sem_pot").retrieval_count == counts
    assert [line.text for line in conversation.lines()] == ["The green tea?", "The green tea is hot."]
    conversation.hear("The blue pot?")
    conversation.say("The blue pot.")
    conversation.undo()
    assert conversation.present.heard.text == "The green tea?"
    assert replace(conversation.present, found=conversation.present.found).reply is not None
    report = conversation.forget_taken_back()
    assert report is not None and len(tea.window().messages) == 2, "what was just taken back goes, and nothing else"
    report = conversation.forget_last()
    assert report is not None and tea.window().messages == () and tea.check() == ()
    with pytest.raises(InputError):
        conversation.forget_last()
