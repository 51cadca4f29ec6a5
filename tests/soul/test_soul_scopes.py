"""Nothing leaks: what was heard in one talk does not come to mind in another, by no way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from soul_minds import AT, PATIENT, concept, episode, now, opened, proc, sem, took, way

from soulmem.conversation import Conversation
from soulmem.errors import NotFoundError, QueryError
from soulmem.model.results import Recollection
from soulmem.scopes.seen import SeenStore
from soulmem.soul import Soul
from soulmem.store.queries import Library
from soulmem.working.observer import Line

#: What is private, and must stand in nothing that others are given.
SECRETS = ("zebra", "Zanzibar", "斑马", "桑给巴尔")


def _scoped(scope: str, *kept_from: str) -> dict[str, Any]:
    return {"soulmem": {"scope": scope} | ({"kept_from": list(kept_from)} if kept_from else {})}


GRAPH = [
    concept("sem_tea", "green tea", [("sem_zoo", sem()), ("sem_cup", sem())]),
    concept("sem_cup", "the blue cup"),
    concept("sem_zoo", "the zebra of Bo", [("sem_lake", sem())], aliases=["Zanzibar"], **_scoped("direct:Bo")),
    concept("sem_lake", "the lake at Halden"),
    concept("sem_ban", "斑马的家", [("sem_hu", sem())], aliases=["桑给巴尔"], **_scoped("direct:小明")),
    concept("sem_hu", "湖边的茶馆", [("sem_ban", sem())]),
    episode("sit_zoo", "Bo fed the zebra at the lake and nobody knows.", [("pro_run", proc(0.9))], **_scoped("direct:Bo")),
    episode("sit_ban", "小明在湖边的茶馆养了一只斑马。", [("pro_pao", proc(0.9))], **_scoped("group:茶")),
    episode("sit_open", "Everybody drank green tea at the lake.", [("sit_zoo", {"Situation": {"SpecificToSpecific": {}}})]),
    way("pro_run", "run away fast"),
    way("pro_pao", "赶快跑"),
    concept("sem_gift", "the surprise party with a zebra", **_scoped("public", "ann")),
]

LINES = [
    Line(text="My zebra is ill, it lives at the lake.", speaker="Bo", at=AT, scope="direct:Bo", token="1"),
    Line(text="The lake is lovely today.", speaker="Ann", at=AT + timedelta(minutes=1), token="2"),
    Line(text="我在湖边的茶馆养了斑马。", speaker="小明", at=AT + timedelta(minutes=2), scope="group:茶", token="3"),
    Line(text="湖边的茶馆今天开门吗", speaker="小红", at=AT + timedelta(minutes=3), token="4"),
    Line(
        text="Eve has a zebra too.", speaker="Eve", at=AT + timedelta(minutes=4), scope="group:tea", token="5", present=("Ann",)
    ),
]

QUESTIONS = (
    "What is at the lake?",
    "Who has a zebra?",
    "Tell me of Zanzibar",
    "湖边的茶馆有什么？",
    "谁养了斑马？",
    "桑给巴尔在哪里",
)


@pytest.fixture(scope="module")
def soul(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Soul]:
    path = tmp_path_factory.mktemp("scopes") / "scopes.mind"
    with Soul.create(path, embedder="hashing", settings=PATIENT, clock=now) as soul:
        took(soul, json.dumps(GRAPH).encode(), "graph.json", at=AT)
        soul.observe_many(LINES)
        soul.idle(AT + timedelta(hours=1), forced=True)
        yield soul


def told(found: Recollection) -> str:
    """All that a recollection tells, as text."""
    return repr(found) + found.rendered


def leaks(text: str) -> list[str]:
    return [secret for secret in SECRETS if secret.casefold() in text.casefold()]


def asked(soul: Soul, scope: str, question: str, **more: Any) -> Recollection:
    return soul.recall(question, messages=5, at=AT + timedelta(hours=1), heard_in=scope, **more)


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_owner_is_told_all(soul: Soul, question: str) -> None:
    assert leaks(told(soul.recall(question, messages=5, at=AT + timedelta(hours=1))).replace(question, ""))


@pytest.mark.parametrize("scope", ["direct:Kai", "direct:小红", "group:work", "public"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_another_person_another_group_and_the_public_are_told_nothing(soul: Soul, scope: str, question: str) -> None:
    found = asked(soul, scope, question)
    stripped = told(found).replace(question, "")
    assert not leaks(stripped.replace("the surprise party with a zebra", "") if scope != "public" else stripped)


@pytest.mark.parametrize(
    ("scope", "question", "secret"),
    [("direct:bo", "Who has a zebra?", "zoo"), ("group:茶", "谁养了斑马？", "斑马"), ("direct:小明", "谁养了斑马？", "斑马")],
)
def test_who_was_there_is_told(soul: Soul, scope: str, question: str, secret: str) -> None:
    assert secret in told(asked(soul, scope, question)).replace(question, "")


def test_who_was_present_in_a_group_knows_and_an_absent_one_does_not(soul: Soul) -> None:
    texts = {scope: [said.text for said in asked(soul, scope, "Eve zebra").messages] for scope in ("direct:Ann", "direct:Bo")}
    assert "Eve has a zebra too." in texts["direct:Ann"]
    assert "Eve has a zebra too." not in texts["direct:Bo"]


def test_no_path_leads_through_a_private_note(soul: Soul) -> None:
    """From tea only the zebra leads to the lake."""
    open_ = soul.recall("green tea", at=AT)
    assert "sem_lake" in {memory.key for memory in open_.memories}
    for scope in ("public", "direct:Kai"):
        found = asked(soul, scope, "green tea")
        steps = {end for memory in found.memories for step in memory.path for end in (step.source, step.target)}
        assert "sem_zoo" not in steps
        lake = next((memory for memory in found.memories if memory.key == "sem_lake"), None)
        assert lake is None or "association" not in lake.channels


def test_a_name_of_a_private_note_is_not_understood(soul: Soul) -> None:
    for scope in ("public", "group:work"):
        for question in ("Zanzibar", "桑给巴尔"):
            assert not any("name" in memory.channels for memory in asked(soul, scope, question).memories)


def test_a_private_situation_triggers_nothing(soul: Soul) -> None:
    assert {action.key for action in asked(soul, "direct:Bo", "Bo fed at the lake").actions} == {"pro_run"}
    assert {action.key for action in asked(soul, "group:茶", "小明在湖边的茶馆").actions} == {"pro_pao"}
    for question in ("Bo fed at the lake", "小明在湖边的茶馆"):
        assert asked(soul, "public", question).actions == ()


def test_no_explanation_tells_a_private_note_from_one_that_is_not_there(soul: Soul) -> None:
    said = {}
    for key in ("sem_zoo", "sem_nowhere", "sit_ban", soul.note("sem_zoo").id):
        with pytest.raises(NotFoundError) as refused:
            soul.why(key, "Who has a zebra?", heard_in="group:work")
        said[key] = str(refused.value).replace(key, "KEY")
    assert len(set(said.values())) == 1
    why = soul.why("sem_lake", "green tea", heard_in="public")
    assert not leaks(why.text + repr(why.fields))
    assert "sem_zoo" not in why.text


def test_supporting_lines_and_their_numbers_tell_nothing(soul: Soul) -> None:
    found = asked(soul, "public", "lake 湖边")
    assert [(said.index, said.line) for said in sorted(found.messages, key=lambda said: said.index)] == [(0, 1), (1, 2)]
    sources = [source for memory in found.memories for source in memory.sources]
    assert {source.line for source in sources} <= {1, 2}


def test_window_and_summary_tell_nothing(soul: Soul) -> None:
    view = soul.window(heard_in="public", at=AT)
    assert [line.text for line in view.messages] == [LINES[1].text, LINES[3].text]
    assert (view.said, view.last_at) == (2, LINES[3].at)
    assert len(soul.window(at=AT).messages) == 5


def test_records_and_hot_notes_are_those_that_may_be_heard_of(soul: Soul, tmp_path: Path) -> None:
    zoo = soul.recall("Who has a zebra?", at=AT)
    assert any(memory.key == "sem_zoo" for memory in zoo.memories)
    soul.commit(zoo)
    private = soul.note("sem_zoo").id
    assert private in {record.note for record in soul.hot_notes(100)}
    assert private not in {record.note for record in soul.hot_notes(100, heard_in="public")}
    soul.undo()


def test_an_export_has_what_may_be_heard_and_can_be_read_again(soul: Soul, tmp_path: Path) -> None:
    done = soul.export(tmp_path / "public.json", messages=True, heard_in="public")
    texts = "".join(Path(file).read_text("utf-8") for file in done["files"])
    assert not leaks(texts)
    assert done["messages"] == 2
    with Soul.create(tmp_path / "again.mind", embedder="hashing", settings=PATIENT, clock=now) as again:
        for file in reversed(done["files"]):
            took(again, Path(file).read_bytes(), Path(file).name, at=AT)
        assert again.export_graph() == Path(done["files"][0]).read_text("utf-8")


def test_a_secret_travels_with_an_export(soul: Soul, tmp_path: Path) -> None:
    graph, lines = soul.export_graph(), soul.export_messages()
    with Soul.create(tmp_path / "all.mind", embedder="hashing", settings=PATIENT, clock=now) as again:
        took(again, lines.encode(), "m.messages.jsonl", at=AT)
        took(again, graph.encode(), "g.json", at=AT)
        assert (again.export_graph(), again.export_messages()) == (graph, lines)
        assert again.note("sem_gift").kept_from == ("ann",)
        assert not leaks(told(asked(again, "public", "lake")))


def test_a_secret_is_kept_from_whom_it_is_a_secret_and_marked_for_the_others(soul: Soul) -> None:
    assert "sem_gift" not in {memory.key for memory in asked(soul, "direct:Ann", "surprise party").memories}
    found = asked(soul, "direct:Kai", "surprise party")
    assert next(memory for memory in found.memories if memory.key == "sem_gift").kept_from == ("ann",)
    assert "(a secret, not to be told to ann)" in found.rendered


def test_a_query_that_nobody_thought_of_is_refused(soul: Soul) -> None:
    view = soul._view("public")
    assert isinstance(view.store, SeenStore)
    refused = set()
    for name in Library().names():
        query = Library()[name]
        if not (query.writes or query.choices or query.identifiers or query.parameters):
            try:
                rows = view.store.query(name)
            except QueryError:
                refused.add(name)
            else:
                assert not leaks(repr(rows)), name
    assert {"recall.sittings", "store.all_recalls"} <= refused
    with pytest.raises(AttributeError):
        view.store.apply  # noqa: B018


def test_a_prompt_in_a_group_tells_nothing(soul: Soul) -> None:
    talk = Conversation(soul, user="Kai", character="Wren", scope="group:work", chat="work", incognito=True)
    for question in QUESTIONS:
        found = talk.hear(question, AT + timedelta(hours=1))
        prompt = repr(talk.prompt()) + told(found)
        for asked_ in QUESTIONS:
            prompt = prompt.replace(asked_, "")
        assert not leaks(prompt.replace("the surprise party with a zebra", ""))


# -- the law: as if it were not there -----------------------------------------------------------------------------------------

WORDS = ("lake", "tea", "zebra", "party", "cup", "湖边", "茶馆", "斑马")
PLACES = st.sampled_from(["public", "direct:bo", "direct:ann", "group:tea"])
SAID = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3)
SCOPES = st.sampled_from(["public", "direct:bo", "group:tea", "direct:kai"])
NOTES = st.lists(st.tuples(PLACES, SAID, st.booleans()), min_size=2, max_size=7)
TALK = st.lists(st.tuples(PLACES, st.sampled_from(["Bo", "Ann", "Kai"]), SAID), max_size=6)


def _mind(path: Path, empty: Path, graph: list[Any], lines: list[Line]) -> Soul:
    path.write_bytes(empty.read_bytes())
    soul = opened(path)
    if graph:
        took(soul, json.dumps(graph).encode(), "graph.json", at=AT)
    if lines:
        soul.observe_many(lines)
        soul.observer.idle(AT + timedelta(hours=1), forced=True)
    soul.is_talking = False
    return soul


def _graph(notes: list[Any], heard: list[bool]) -> list[Any]:
    """Each note links to the next two, and a situation triggers a way of acting."""
    nodes = []
    for number, (scope, words, is_event) in enumerate(notes):
        if not heard[number]:
            continue
        near = [other for other in (number + 1, number + 2) if other < len(notes) and heard[other] and not notes[other][2]]
        links = [(f"n{other}", sem()) for other in near]
        text = " ".join(words)
        make = episode if is_event else concept
        nodes.append(make(f"n{number}", text, links, **_scoped(scope)))
    return nodes


def _comparable(found: Recollection) -> Any:
    memories = [(memory.key, round(memory.score, 5), memory.stage, memory.channels, memory.path) for memory in found.memories]
    lines = [(said.speaker, said.text, said.index, said.line, round(said.score, 5)) for said in found.messages]
    return (
        memories,
        lines,
        found.actions,
        found.self_knowledge,
        found.withheld,
        [line.text for line in found.window],
        found.summary,
    )


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(notes=NOTES, talk=TALK, scope=SCOPES, words=SAID)
def test_a_recall_in_a_context_is_that_of_a_mind_without_the_rest(
    tmp_path_factory: pytest.TempPathFactory, empty_file: Path, notes: Any, talk: Any, scope: str, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("law")
    lines = [
        Line(text=" ".join(said), speaker=speaker, at=AT + timedelta(minutes=number), scope=where, token=f"t{number}")
        for number, (where, speaker, said) in enumerate(talk)
    ]
    present = {where for where, speaker, _ in talk if scope == f"direct:{speaker.casefold()}"}

    def heard(where: str) -> bool:
        return where in ("public", scope)

    with _mind(folder / "all.mind", empty_file, _graph(notes, [True] * len(notes)), lines) as soul:
        mine = [line for line in lines if heard(line.scope) or (line.scope == "group:tea" and "group:tea" in present)]
        there = [heard(where) for where, _, _ in notes]
        with _mind(folder / "seen.mind", empty_file, _graph(notes, there), mine) as pruned:
            for question in (" ".join(words), f"{words[0]}?"):
                asked_ = {"messages": 5, "at": AT + timedelta(hours=1)}
                seen, expected = soul.recall(question, heard_in=scope, **asked_), pruned.recall(question, **asked_)
                assert _comparable(seen) == _comparable(expected)


def test_a_person_is_known_by_the_names_the_mind_has_for_them(mind: Soul) -> None:
    graph = [concept("sem_rob", "Robert", aliases=["Bob"]), concept("sem_eve", "Eve", aliases=["Evie"])]
    took(mind, json.dumps(graph).encode(), "g", at=AT)
    mind.observe_many([Line(text="My lamp is broken.", speaker="Bob", at=AT, scope="direct:Bob")])
    mind.observe_many([Line(text="A lovely lamp. Don't tell Bob.", speaker="Ann", at=AT)])
    scopes = ("direct:robert", "direct:Evie", "direct:BOB")
    heard = [[said.text for said in mind.window(at=AT, heard_in=scope).messages] for scope in scopes]
    assert heard == [["My lamp is broken."], ["A lovely lamp. Don't tell Bob."], ["My lamp is broken."]]
