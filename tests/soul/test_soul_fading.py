"""A mind whose memories fade: what is told of them, what a model may guess, and that nothing is lost by it."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from soul_minds import AT, Minds, concept, episode, graph, sem, took

from soulmem.conversation import Conversation
from soulmem.errors import CallTrouble, ModelCallError
from soulmem.llm.scripted import Answer, ScriptedModel
from soulmem.model.changes import Change, NoteUpdate
from soulmem.model.notes import SpecificSituation
from soulmem.model.results import Fading, Memory, Recollection
from soulmem.soul import Soul
from soulmem.working.observer import Line

NIGHT = "Last summer the cat slept under the old lighthouse with Mia while the rain fell on the harbour."
NODES = (
    concept("sem_self", "Lin", [("sem_mia", sem("knows"))]),
    concept("sem_mia", "Mia", description="my sister", tags=["family"]),
    concept("sem_rule", "rain gauge", description="a tube that measures rain", soulmem={"category": "knowledge"}),
    episode("sit_night", NIGHT, [("sem_mia", sem("with"))]),
    episode("sit_zh", "去年夏天小雨的猫在旧灯塔下面睡着了，雨一直落在港口上。"),
)
QUESTION = "Where did the cat sleep under the lighthouse in the rain?"


@pytest.fixture(scope="module")
def night_file(tmp_path_factory: pytest.TempPathFactory, empty_file: Path) -> Path:
    import shutil

    from soul_minds import opened

    path = tmp_path_factory.mktemp("night") / "night.mind"
    shutil.copy(empty_file, path)
    with opened(path) as soul:
        took(soul, graph(*NODES), "graph.json", at=AT)
    return path


@pytest.fixture
def night(minds: Minds, night_file: Path) -> Soul:
    return minds(night_file)


def asked(soul: Soul, hours: float, **how: Any) -> Recollection:
    return soul.recall(QUESTION, at=AT + timedelta(hours=hours), **how)


def of(found: Recollection, key: str = "sit_night") -> Memory:
    return next(memory for memory in found.memories if memory.key == key)


def fresh_words(number: int) -> list[str]:
    known = ["the grey", "once", "slowly", "in June", "a boat", "often", "on deck", "again", "quietly", "two", "home", "all"]
    return known[:number]


def guessing(soul: Soul, hours: float, **more: str) -> ScriptedModel:
    """A model that fills the gaps of the one situation, as many as there are then."""
    found = soul.show("sit_night", AT + timedelta(hours=hours))
    gaps = len(found.hidden)
    model = ScriptedModel([json.dumps({"lines": [{"line": 1, "blanks": fresh_words(gaps)}]})])
    soul.use_model(model)
    return model


def committed(soul: Soul, hours: float) -> Recollection:
    found = asked(soul, hours)
    soul.commit(found, [of(found)])
    return found


# -- masks ----------------------------------------------------------------------------------------------------------------------


def test_what_is_fresh_is_told_as_it_was_written(night: Soul) -> None:
    memory = of(asked(night, 0))
    assert (memory.text, memory.original, memory.fading, memory.missing) == (NIGHT, NIGHT, Fading.NO_ACTION, 0.0)
    assert not memory.masked
    assert "…" not in asked(night, 0).rendered


def test_what_fades_is_masked_in_three_stages_and_the_original_is_never_lost(night: Soul) -> None:
    stages = [of(asked(night, hours)) for hours in (1, 3, 24, 72)]
    assert [memory.fading for memory in stages] == [Fading.NO_ACTION, Fading.MASK_ONLY, Fading.REVISED, Fading.REVISED]
    assert [memory.masked for memory in stages] == [False, True, True, True]
    assert {memory.original for memory in stages} == {NIGHT}
    assert of(asked(night, 72, original=True)).text == NIGHT
    assert night.recall(QUESTION, at=AT + timedelta(hours=72), original=True).rendered.count("…") == 0


def test_a_recall_writes_no_mask(night: Soul) -> None:
    before = night.export_graph()
    first, again = asked(night, 24), asked(night, 24)
    assert of(first).text == of(again).text
    assert night.export_graph() == before


def test_what_is_used_revives_and_shows_more(night: Soul) -> None:
    faded = of(asked(night, 48))
    committed(night, 48)
    revived = of(asked(night, 48))
    assert revived.missing < faded.missing
    assert revived.text.count("…") <= faded.text.count("…")
    assert len(night.show("sit_night", AT + timedelta(hours=48)).hidden) <= faded.text.count("…")


def test_knowledge_never_fades(night: Soul) -> None:
    memory = of(night.recall("How does the rain gauge measure rain?", at=AT + timedelta(days=9000)), "sem_rule")
    assert (memory.fading, memory.text) == (Fading.NO_ACTION, memory.original)


def test_names_keep_longest_and_what_is_said_to_a_model_says_what_is_hazy(night: Soul) -> None:
    found = asked(night, 30)
    assert "Mia" in of(found).text
    assert found.rendered.startswith("(What stands as […] is not remembered")
    zh = night.recall("小雨的猫在旧灯塔下面睡着了吗？", at=AT + timedelta(hours=30))
    assert "〔…" in of(zh, "sit_zh").text
    assert zh.rendered.startswith("（〔…〕是记不清的地方")


def test_why_says_what_does_not_show(night: Soul) -> None:
    explanation = night.why("sit_night", QUESTION, at=AT + timedelta(hours=24))
    hidden = night.show("sit_night", AT + timedelta(hours=24)).hidden
    assert explanation.fields["hidden"] == list(hidden)
    assert explanation.fields["fading"] == "Revised"
    assert "does not show" in explanation.text
    assert hidden[0] in explanation.text


def test_show_has_what_is_left_and_what_there_was(night: Soul) -> None:
    view = night.show("sit_night", AT + timedelta(hours=24))
    assert view.original == NIGHT
    assert view.present == of(asked(night, 24)).text == view.texts["narrative"]
    assert view.missing == pytest.approx(0.5)
    assert view.fading is Fading.REVISED
    assert night.show("sem_rule", AT + timedelta(days=9000)).hidden == ()


def test_lists_tell_what_is_left(minds: Minds, night_file: Path) -> None:
    soul = minds(night_file, clock=lambda: AT + timedelta(hours=24))
    (row,) = soul.list(text="lighthouse")
    assert row.original == NIGHT
    assert row.text == of(asked(soul, 24)).text


def test_what_is_known_privately_is_no_gist_elsewhere(minds: Minds) -> None:
    soul = minds()
    secret = concept("sem_gasket", "Gasket", description="a stolen boat", soulmem={"scope": "direct:Bo", "uuid": None})
    took(
        soul,
        graph(secret, episode("sit_boat", "We painted Gasket while the rain fell on the old harbour wall.")),
        "g.json",
        at=AT,
    )
    texts = [
        of(soul.recall("Who painted at the harbour wall?", at=AT + timedelta(hours=hours)), "sit_boat").text
        for hours in (20, 30, 60)
    ]
    assert all("stolen" not in text for text in texts)
    assert any("Gasket" not in text for text in texts)


# -- guesses --------------------------------------------------------------------------------------------------------------------


def test_without_a_model_nothing_is_guessed(night: Soul) -> None:
    committed(night, 24)
    assert night.note("sit_night").revision is None


def test_a_model_guesses_what_is_used_once(night: Soul) -> None:
    model = guessing(night, 24)
    shown = of(asked(night, 24)).text
    committed(night, 24)
    note = night.note("sit_night")
    assert night.problems == ()
    assert len(model.prompts) == 1
    assert note.revision is not None
    assert note.revision.missing == pytest.approx(0.5)
    assert isinstance(note.body, SpecificSituation)
    assert note.body.narrative == NIGHT
    for piece in (part.strip() for part in shown.replace("]", "[").split("[") if "…" not in part):
        assert piece in (note.revision.narrative or "")
    memory = of(asked(night, 24.5))
    assert memory.revised
    assert memory.original == NIGHT
    assert of(asked(night, 24.5, original=True)).text == NIGHT
    # It is still found by the words that are gone, and never asked about again.
    committed(night, 100)
    assert len(model.prompts) == 1


def test_only_what_was_used_is_guessed_and_only_when_it_is_hazy_enough(night: Soul) -> None:
    model = guessing(night, 3)
    committed(night, 3)
    assert model.prompts == []  # MaskOnly
    found = asked(night, 24)
    night.commit(found, [memory for memory in found.memories if memory.key == "sem_mia"])
    assert model.prompts == []
    night.commit(found, [of(found)], complete=False)
    assert model.prompts == []


def test_undo_takes_a_guess_back(night: Soul) -> None:
    before = night.export_graph()
    guessing(night, 24)
    committed(night, 24)
    assert night.export_graph() != before
    night.undo()
    assert night.export_graph() == before
    night.redo()
    assert night.note("sit_night").revision is not None


@pytest.mark.parametrize(
    "fails",
    [
        Answer(error=ModelCallError("down", trouble=CallTrouble.UNREACHABLE, passing=False), repeat=True),
        Answer(text="I would rather not say anything about that.", repeat=True),
        Answer(text='{"lines": [{"line": 1, "blanks": ["a", "b"]}]}', repeat=True),
    ],
)
def test_a_model_that_fails_leaves_the_note_masked_and_the_recall_counted(night: Soul, fails: Answer) -> None:
    night.use_model(ScriptedModel([fails]))
    committed(night, 24)
    note = night.note("sit_night")
    assert note.revision is None
    assert note.retrieval_count == 1
    assert len(night.problems) == 1
    assert of(asked(night, 24)).masked


def test_a_guess_lasts_as_long_as_the_text_it_was_made_of(night: Soul) -> None:
    guessing(night, 24)
    committed(night, 24)
    note = night.note("sit_night")
    told = "The dog slept in the boathouse under the lighthouse."
    night.store.apply(
        Change(command="test", what="told anew", at=AT, updates=(NoteUpdate(note=note.id, values={"narrative": told}),))
    )
    assert night.note("sit_night").revision is None
    assert of(asked(night, 24)).original == told
    night.undo()
    assert night.note("sit_night") == note


def test_a_guess_travels_with_the_export(night: Soul, minds: Minds) -> None:
    guessing(night, 24)
    committed(night, 24)
    exported = night.export_graph()
    assert '"revision"' in exported
    again = minds()
    report = took(again, exported.encode(), "again.json", at=AT)
    assert report.problems == ()
    assert again.export_graph() == exported
    assert again.note("sit_night").revision == night.note("sit_night").revision


@pytest.mark.parametrize(
    "stated",
    [
        5,
        {"missing": 2},
        {"missing": 0.5},
        {"missing": 0.5, "content": "x"},
        {"missing": "much", "narrative": "x"},
        {"narrative": "x"},
    ],
)
def test_a_guess_that_is_none_is_left_out_and_told(mind: Soul, stated: Any) -> None:
    report = took(mind, graph(episode("sit_a", "It rained.", soulmem={"revision": stated})), "g.json", at=AT)
    assert mind.note("sit_a").revision is None
    assert any("revision" in problem.what for problem in report.problems)


def test_what_is_forgotten_for_good_goes_from_guesses_and_the_journal_too(mind: Soul) -> None:
    secret = "My zanzibarian aunt hid the marmalade behind the organ."
    lines = [Line(text=text, speaker=who, at=AT) for who, text in (("Bo", secret), ("Ann", "The organ of the old church?"))]
    said = [one.message for one in mind.observe_many(lines)]
    mind.idle(AT + timedelta(hours=1), forced=True)
    mind.consolidate(AT + timedelta(hours=1))
    later = AT + timedelta(hours=13)
    found = mind.recall("What did the aunt hide behind the old organ?", at=later, chat=None)
    memory = next(memory for memory in found.memories if memory.type == "SpecificSituation")
    gaps = len(mind.show(memory.key, later).hidden)
    assert gaps
    mind.use_model(ScriptedModel([json.dumps({"lines": [{"line": 1, "blanks": fresh_words(gaps)}]})]))
    mind.commit(found, [memory])
    revision = mind.note(memory.key).revision
    assert revision is not None
    assert "marmalade" in (revision.narrative or "")
    mind.use_model(None)
    mind.forget_messages([said[0].id], later)
    assert mind.note(memory.key).revision is None
    files = mind.store.path.parent.glob(f"{mind.store.path.name}*")
    assert [file.name for file in files if b"marmalade" in file.read_bytes()] == []


def test_in_a_talk_what_the_reply_used_is_guessed_when_the_turn_is_over_and_nobody_waits_at_its_end(night: Soul) -> None:
    gaps = len(night.show("sit_night", AT + timedelta(hours=24)).hidden)
    lines = [{"line": number, "blanks": fresh_words(gaps)} for number in (1, 2, 3)]
    model = ScriptedModel([Answer(text=json.dumps({"lines": lines}), purpose="complete", repeat=True)])
    night.use_model(model)
    talk = Conversation(night, user="Bo", character="Lin")
    reply = of(talk.hear(QUESTION, AT + timedelta(hours=24))).text
    assert "sit_night" in [memory.key for memory in talk.say(reply, AT + timedelta(hours=24))]
    assert model.prompts == []
    talk.end(AT + timedelta(hours=24))
    assert model.prompts == []
    talk.say(of(talk.hear(QUESTION, AT + timedelta(hours=25))).text, AT + timedelta(hours=25))
    talk.hear("And then?", AT + timedelta(hours=25))
    assert [prompt.purpose for prompt in model.prompts] == ["complete"]


def test_what_a_model_could_not_guess_is_told_in_a_talk(night: Soul) -> None:
    night.use_model(ScriptedModel([Answer(text="no", repeat=True)]))
    talk = Conversation(night, user="Bo", character="Lin")
    heard = talk.hear(QUESTION, AT + timedelta(hours=24))
    talk.say(of(heard).text, AT + timedelta(hours=24))
    talk.hear("And then?", AT + timedelta(hours=24))
    assert len(talk.problems) == 1


def test_a_fact_is_not_a_name_in_its_own_text_and_fades_word_by_word(mind: Soul) -> None:
    fact = "Bo's sister Inês moved from Porto to Leeds and keeps bees there"
    node = concept("fact_bees", fact, soulmem={"category": "relation"})
    node["mem_type"]["Semantic"]["concept_type"] = "Abstract"
    took(mind, graph(node), "graph.json", at=AT)
    shown = mind.show("fact_bees", AT + timedelta(days=60))
    assert 0.3 < shown.missing < 0.4
    kept = [word for word in fact.split() if word in shown.present.split()]
    assert len(fact.split()) > len(kept) > len(fact.split()) // 2
