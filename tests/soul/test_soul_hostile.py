"""Whatever is asked of a mind, and whatever is in it, it answers or refuses in words; it is never changed by a question."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from soul_minds import (
    AT,
    SITUATION,
    TALK,
    TEA,
    Json,
    Minds,
    chat,
    check_sums,
    concept,
    episode,
    graph,
    opened,
    proc,
    said,
    sem,
    took,
    way,
    whole,
)

from soulmem.embed.texts import plain_text
from soulmem.errors import NotFoundError, QueryError, StoreError
from soulmem.model.notes import Location
from soulmem.model.queries import SemanticUnit, SituationUnit, SubQuery
from soulmem.model.results import Stage
from soulmem.soul import Soul

TEXTS = {
    "empty": "",
    "blanks": " \t\n\u3000 ",
    "punctuation": "?!… —— 。。。",
    "nul": "green\x00tea\x00",
    "only nul": "\x00\x00",
    "lone surrogate": "green \ud800 tea \udfff",
    "only surrogates": "\ud800\udc00\ud800",
    "emoji": "🍵🍵👩‍👩‍👧‍👦 🇨🇳",
    "right to left": "שלום \u202eaet neerg\u202c مرحبا",
    "combining": "e\u0301" * 300,
    "full-text syntax": '"a" AND (b OR',
    "stars": "* * *",
    "near": "NEAR/3 green^2 tea~ +green -tea",
    "injection": "'}) DETACH DELETE n //",
    "parameter": "$x $text $ids $vector",
    "backticks": "`Semantic` ``; DROP TABLE Semantic;",
    "backslashes": "\\\\'\\\" \\u0000 \\",
    "several statements": "MATCH (n) RETURN n; MATCH (n) DETACH DELETE n;",
    "control": "".join(map(chr, range(32))),
    "one letter": "a",
    "one long word": "x" * 50_000,
    "digits": "9" * 400,
    "json": '{"a": [1, {"b": null}]}',
    "noncharacters": "\uffff\ufffe\U0010ffff",
    "times": "9999年12月31日 0001-01-01 99 weeks ago 三千年前 year 0 February 30",
}


@pytest.mark.parametrize("name", TEXTS)
def test_questions(tea_soul: Soul, name: str) -> None:
    text, soul = TEXTS[name], tea_soul
    before, recalls = whole(soul), soul.stats()["recalls"]
    found = soul.recall(text, messages=3)
    assert found.query == plain_text(text)
    soul.recall_queries([SubQuery(tags=(text,), units=(SemanticUnit(concept_identifier=text, description=text),))])
    soul.recall_queries([SubQuery(units=(SituationUnit(narrative=text, locations=(Location(text, text),)),), of="Situation")])
    assert soul.why("sem_tea", text).key == "sem_tea"
    with pytest.raises(NotFoundError):
        soul.show(text)
    assert text in ("", "a") or soul.list(tag=text) == soul.list(type=text) == ()
    assert whole(soul) == before
    used = soul.commit(found) is not None
    assert soul.stats()["recalls"] == recalls + used
    assert soul.recall("green tea").memories[0].key == "sem_tea"


@pytest.fixture(scope="module")
def tea_file(tmp_path_factory: pytest.TempPathFactory, empty_file: Path) -> Path:
    path = tmp_path_factory.mktemp("tea") / "tea.mind"
    path.write_bytes(empty_file.read_bytes())
    with opened(path) as soul:
        took(soul, graph(*TEA), "tea")
        took(soul, chat(*TALK), "talk")
    return path


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(), max_size=60))
def test_any_question(tea_soul: Soul, text: str) -> None:
    operations = tea_soul.stats()["operations"]
    found = tea_soul.recall(text, messages=2)
    assert all(0 <= memory.score <= 1 for memory in found.memories)
    assert tea_soul.stats()["operations"] == operations


@pytest.fixture(scope="module")
def tea_soul(tea_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Soul]:
    path = tmp_path_factory.mktemp("asked") / "tea.mind"
    path.write_bytes(tea_file.read_bytes())
    with opened(path) as soul:
        yield soul


@pytest.mark.parametrize("piece", ["green tea and the blue pot. ", "绿茶和蓝壶。", "a", "\x00", "Mei Lin "])
def test_a_question_of_a_megabyte_is_answered(minds: Minds, tea_file: Path, piece: str) -> None:
    text = piece * (2**20 // len(piece.encode()))
    found = minds(tea_file).recall(text, messages=2)
    assert found.query == plain_text(text)


def odd_graph(number: int, *texts: str) -> bytes:
    """The texts in keys, names, aliases, descriptions, tags, verbs, narratives and people."""
    nodes = []
    for text in texts:
        key = f"{number} {text}"
        nodes += [
            concept(f"key {key}", text, [(f"sit {key}", sem(text))], aliases=[text, f"x{text}"], description=text, tags=[text]),
            episode(f"sit {key}", text, [(f"key {key}", sem())], context={"participants": [{"name": text, "role": text}]}),
            way(f"do {key}", text),
        ]
    return graph(*nodes)


@pytest.mark.parametrize("part", range(3))
def test_notes_and_chats_are_read_or_refused_and_kept(mind: Soul, part: int) -> None:
    """Two texts share a graph and a chat; each is the name of one of the files."""
    texts = list(TEXTS.values())[part::3]
    pairs = [texts[first : first + 2] for first in range(0, len(texts), 2)]
    took(mind, graph(*TEA))
    for number, pair in enumerate(pairs):
        report = mind.ingest_bytes(odd_graph(number, *pair), name=f"odd {pair[-1]}")
        assert report.refused or check_sums(report)
        lines = [
            line
            for text in pair
            for line in (said("Ann", f"hello {number}"), said(text or "Bo", text), said("Ann", f"green tea? {text}"))
        ]
        talk = mind.ingest_bytes(chat(*lines), name=pair[0])
        assert talk.refused or check_sums(talk).read == 3 * len(pair)
        for text in pair:
            mind.commit(mind.recall(text, messages=3))
    assert mind.recall("green tea").memories
    before = whole(mind)
    for number, pair in enumerate(pairs):
        assert mind.ingest_bytes(odd_graph(number, *pair), name=f"odd {pair[-1]}").new == 0
    assert took(mind, before[0].encode()).new == took(mind, before[1].encode()).new == 0
    assert whole(mind) == before
    for row in mind.list(limit=300):
        assert mind.note(row.key).id == mind.note(row.id).id == row.id
    assert mind.check() == ()


def test_names_that_look_like_parameters_are_names(mind: Soul) -> None:
    took(mind, graph(concept("$ids", "$text"), concept("x' OR 'a'='a", "limit"), concept("n {id: 1}", "score")))
    assert mind.note("$ids").body.content == "$text"  # type: ignore[union-attr]
    assert {memory.key for memory in mind.recall("$text").memories} == {"$ids"}
    assert [row.key for row in mind.list(text="limit")] == ["x' OR 'a'='a"]
    assert mind.list(tag="') RETURN 1 //") == mind.list(text="%' OR 1=1") == mind.list(type="Nope") == ()


def test_a_note_of_ten_thousand_aliases(mind: Soul) -> None:
    aliases = [f"alias number {n}" for n in range(10_000)]
    took(mind, graph(concept("sem_many", "the many-named", aliases=aliases), concept("sem_one", "the single")))
    assert mind.recall("who is alias number 7777?").memories[0].key == "sem_many"
    before = whole(mind)
    assert took(mind, before[0].encode()).new == 0
    assert whole(mind) == before


def test_an_empty_mind(mind: Soul) -> None:
    found = mind.recall("anything at all", messages=5)
    assert found.memories == found.actions == found.messages == () and found.rendered == ""
    assert mind.commit(found) is None
    assert mind.recall_queries([SubQuery(tags=("x",))]).memories == mind.list() == mind.log() == ()
    assert sum(mind.stats()["notes"].values()) == 0


def test_a_mind_of_messages_only(minds: Minds, mind: Soul) -> None:
    took(mind, chat(*TALK), "talk")
    only = minds()
    took(only, mind.export_messages().encode())
    assert sum(only.stats()["notes"].values()) == 0
    found = only.recall("the lighthouse key", messages=2)
    assert found.memories == () and len(found.messages) == 2
    assert "lighthouse" in found.rendered


def test_a_mind_of_procedures_only(mind: Soul) -> None:
    took(mind, graph(way("hum", "Hum the old song."), way("shout", "Shout across the bay.", "Think")))
    found = mind.recall("the old song")
    assert found.memories == found.actions == ()
    assert [action.key for action in found.self_knowledge] == ["hum"]


def test_a_mind_of_hidden_lines_only(mind: Soul) -> None:
    took(mind, chat(*(line | {"is_system": True} for line in TALK)), "talk")
    found = mind.recall("the lighthouse key", messages=5)
    assert found.memories == found.messages == ()


def test_links_in_a_circle_and_to_everything(mind: Soul) -> None:
    ring = [episode(f"sit{n}", f"step {n} of the dance", [(f"sit{(n + 1) % 40}", SITUATION)]) for n in range(40)]
    hub = concept("hub", "the hub", [(f"sit{n}", sem()) for n in range(40)])
    took(mind, graph(*ring, hub))
    for question in ("step 7 of the dance", "the hub"):
        found = mind.recall(question)
        assert len(found.memories) >= 9 and not found.limits["time_reached"]
        for memory in found.memories:
            assert len({step.target for step in memory.path}) == len(memory.path)


def test_the_ends_of_the_calendar(mind: Soul) -> None:
    first, last = "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"
    took(
        mind,
        graph(
            episode("sit_old", "the first morning", time_span={"start": first, "end": first}, soulmem={"created_at": first}),
            episode("sit_new", "the last evening", time_span={"start": last, "end": last}, soulmem={"created_at": last}),
            concept("sem_old", "morning", [("sit_new", sem())], soulmem={"created_at": first, "last_accessed_at": last}),
        ),
    )
    ends = (datetime.min.replace(tzinfo=UTC), AT, datetime.max.replace(tzinfo=UTC))
    for at in ends:
        for question in ("the first morning", "yesterday", "last week in the evening", "三天前", "in 100 years"):
            found = mind.recall(question, at=at)
            assert all(0 <= memory.retention <= 1 for memory in found.memories)
        mind.commit(mind.recall("the last evening", at=at))
    assert mind.note("sit_new").body.time_end == ends[2]  # type: ignore[union-attr]
    assert json.loads(mind.export_graph())


def test_numbers_at_their_limits(mind: Soul) -> None:
    def envelope(**fields: object) -> Json:
        return {"created_at": "2026-01-01T00:00:00Z"} | fields

    notes = (
        concept("strong", "granite", [("weak", sem("a", 0.0))], soulmem=envelope(strength=1.0, retrieval_count=2**31)),
        concept("weak", "chalk", [("strong", sem("a", 1.0))], soulmem=envelope(strength=0.0)),
        episode("sit", "it crumbled", [("strong", sem("b", 5e-324)), ("do", proc(0.0)), ("sure", proc(1.0))]),
        way("do", "Wait."),
        way("sure", "Run."),
        concept("many", "sand", soulmem=envelope(retrieval_count=2**63 - 1)),
    )
    for node in notes:
        for link in node["mem_links"]:
            link["intensity"] = 0.0 if link["to"] == "weak" else 1e6
    took(mind, graph(*notes))
    for question in ("granite", "chalk", "sand", "it crumbled"):
        found = mind.recall(question, at=AT + timedelta(days=1))
        assert all(0 <= memory.score <= 1 for memory in found.memories)
    mind.commit(mind.recall("granite"))
    assert mind.note("strong").retrieval_count == 2**31 + 1
    assert mind.recall("chalk").memories[0].stage is Stage.SIMILARITY


@pytest.mark.parametrize("number", [-1, 2**63, 2**70, 1e400, "NaN"])
def test_numbers_beyond_their_limits_are_told(mind: Soul, number: object) -> None:
    report = mind.ingest_bytes(graph(concept("a", "x", soulmem={"retrieval_count": number}), concept("b", "y")))
    assert report.refused or any("retrieval_count" in problem.what for problem in report.problems)


def test_negative_limits_bring_nothing(minds: Minds, tea_file: Path) -> None:
    soul = minds(tea_file)
    found = soul.recall("green tea", top=-1, messages=-1)
    assert [memory.stage for memory in found.memories] == [Stage.CORE] and found.messages == ()


@pytest.mark.parametrize(
    "text", ["", ";", "MATCH (n) DELETE n", "RETURN $missing", "COPY Semantic TO 'x.csv'", "nonsense", "\x00", "\ud800"]
)
def test_bad_cypher_is_a_query_error(minds: Minds, tea_file: Path, text: str) -> None:
    soul = minds(tea_file)
    before = whole(soul)
    with pytest.raises(QueryError):
        soul.cypher(text)
    assert whole(soul) == before


def test_what_goes_wrong_in_the_mind_is_told_with_the_file_that_was_read(tmp_path, monkeypatch):
    for name in ("one", "two", "three"):
        (tmp_path / f"{name}.txt").write_text(f"Ann: I am in {name}.\nWren: Nice.\n")
    with Soul.create(tmp_path / "w.mind", embedder="hashing", clock=lambda: AT, name="Wren") as soul:
        apply = soul.store.apply

        def full(change, progress=None):
            if "two.txt" in change.what:
                raise StoreError("the disk is full", advice="Make room.")
            return apply(change, progress)

        monkeypatch.setattr(soul.store, "apply", full)
        with pytest.raises(StoreError, match=r"the disk is full \(while .*two\.txt was read; .*\)\n  Make room\."):
            soul.ingest(*(tmp_path / f"{name}.txt" for name in ("one", "two", "three")))
        assert [said.text for said in soul.store.messages([row["id"] for row in soul.store.query("store.all_messages")])] == [
            "I am in one.",
            "Nice.",
        ]
