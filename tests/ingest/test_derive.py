"""What talk leaves in memory without a model: every line once, legal links, nothing twice, nothing invented."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.ingest.derive import (
    MOST_CHARACTERS,
    MOST_COMPANIONS,
    MOST_LINES,
    MOST_SOURCES,
    TOGETHER,
    Concept,
    Derived,
    KnownSituation,
    derive,
    exchanges,
    found_concepts,
)
from soulmem.model.links import LinkType, Sem, SituationLink, is_legal
from soulmem.model.messages import Message, Role
from soulmem.model.notes import ConceptType, Note, NoteType, Participant, Semantic, SpecificSituation, derived_id
from soulmem.text.names import normal_name

LAWS = settings(deadline=None, max_examples=50)
AT = datetime(2024, 6, 1, tzinfo=UTC)
START = datetime(2024, 1, 1, 20, 0, tzinfo=UTC)


def message(number: int, speaker: str, text: str, role: Role = Role.USER, session: int = 0, hidden: bool = False) -> Message:
    return Message(
        id=f"m{number:03d}",
        chat="c",
        index=number,
        file="talks/Evening Talk.jsonl",
        line=number + 2,
        speaker=speaker,
        role=role,
        text=text,
        sent_at=START + timedelta(minutes=number),
        hidden=hidden,
        session=session,
    )


def talk(*said: str) -> list[Message]:
    """Lines like ``Ann: hello``."""
    pairs = [line.split(": ", 1) for line in said]
    return [message(number, speaker, text) for number, (speaker, text) in enumerate(pairs)]


def concept(name: str, *places: int, kind: str = "name", aliases: tuple[str, ...] = ()) -> Concept:
    return Concept(name=name, aliases=aliases, concept_type=ConceptType.ENTITY, kind=kind, places=places)


def derived(
    messages: Sequence[Message],
    concepts: Sequence[Concept] = (),
    *,
    situations: Sequence[KnownSituation] = (),
    names: dict[str, str] | None = None,
    keys: frozenset[str] = frozenset(),
    link_ids: frozenset[str] = frozenset(),
) -> Derived:
    return derive(messages, concepts, situations=situations, names=names or {}, keys=keys, at=AT, link_ids=link_ids)


SPEAKERS = ("Ann", "Bo", "the night", "…")
ROLES = {"the night": Role.NARRATOR, "Bo": Role.CHARACTER}


def made_up(seed: int) -> list[Message]:
    rng = np.random.default_rng(seed)
    session = 0
    messages: list[Message] = []
    for number in range(rng.integers(0, 30)):
        session += int(rng.random() < 0.15)
        speaker = str(rng.choice(SPEAKERS))
        text = "x" * int(rng.choice([0, 3, 50, 500, 900])) or str(rng.choice(["", "  ", "ok"]))
        hidden = bool(rng.random() < 0.1)
        messages.append(message(number, speaker, text, ROLES.get(speaker, Role.USER), session, hidden))
    return messages


def made_up_concepts(seed: int, messages: Sequence[Message]) -> list[Concept]:
    """Speakers, and names in some of the exchanges; some names differ only in case, one is a speaker's."""
    rng = np.random.default_rng(seed)
    runs = len(exchanges(messages))
    speakers = sorted({m.speaker for run in exchanges(messages) for m in run.messages if m.role is not Role.NARRATOR})
    names = [name for name in ("London", "london", "ANN", "tea", "Cy", "雨", "!!") if rng.random() < 0.7]
    places = {name: sorted({int(place) for place in rng.integers(runs, size=rng.integers(1, 6))}) for name in names if runs}
    return [
        *(concept(name, kind="speaker") for name in speakers),
        *(concept(name, *found) for name, found in places.items()),
    ]


chats = st.integers(0, 2**32 - 1).map(made_up)
seeds = st.integers(0, 2**32 - 1)


# -- exchanges -----------------------------------------------------------------------------------------------------------------


@LAWS
@given(chats)
def test_every_said_line_is_in_exactly_one_exchange_in_order(messages: list[Message]) -> None:
    runs = exchanges(messages)
    said = [one for one in messages if not one.hidden and one.text.strip()]
    assert [one for run in runs for one in run.messages] == said


@LAWS
@given(chats)
def test_an_exchange_is_short_and_of_one_session(messages: list[Message]) -> None:
    for run in exchanges(messages):
        assert 1 <= len(run.messages) <= MOST_LINES
        assert len({one.session for one in run.messages}) == 1
        if len(run.messages) > 2:
            assert sum(len(one.text) for one in run.messages) <= MOST_CHARACTERS
        opener = run.messages[0].speaker
        turns = [one.speaker for one, following in pairwise(run.messages) if one.speaker != following.speaker]
        assert turns.count(opener) <= 1


@LAWS
@given(chats)
def test_an_exchange_ends_for_a_reason(messages: list[Message]) -> None:
    for run, following in pairwise(exchanges(messages)):
        last, first = run.messages[-1], following.messages[0]
        long = sum(len(one.text) for one in run.messages) + len(first.text) > MOST_CHARACTERS
        opener_again = first.speaker == run.messages[0].speaker != last.speaker
        assert last.session != first.session or len(run.messages) == MOST_LINES or long or opener_again


@LAWS
@given(chats)
def test_ids_and_keys_of_exchanges_are_their_own_and_stay(messages: list[Message]) -> None:
    runs = exchanges(messages)
    assert len({run.id for run in runs}) == len({run.key for run in runs}) == len(runs)
    assert exchanges(messages) == runs
    if runs:
        assert exchanges(messages[: runs[-1].messages[0].index]) == runs[:-1]


def test_an_exchange_by_hand() -> None:
    one, other = exchanges(talk("Ann: hi", "Bo: hello", "Bo: tea?", "Ann: yes", "Bo: here"))
    assert one.text == "Ann: hi\nBo: hello\nBo: tea?"
    assert other.text == "Ann: yes\nBo: here"
    assert one.key.startswith("sit_evening_talk_00000_") and other.key.startswith("sit_evening_talk_00003_")
    assert one.id == derived_id("exchange", "m000")


def test_lines_that_do_not_follow_each_other_are_no_exchange() -> None:
    """Two lines that were edited far apart are new together, but were not said together."""
    edited = [message(3, "Ann", "London"), message(9, "Bo", "Paris"), message(10, "Ann", "Rome")]
    runs = exchanges(edited)
    assert [run.text for run in runs] == ["Ann: London", "Bo: Paris\nAnn: Rome"]
    assert [run.follows for run in runs] == [True, False]
    assert not [link for link in derived(edited).links if link.type is LinkType.SITUATION]


def test_hidden_lines_do_not_part_what_was_said() -> None:
    messages = [message(0, "Ann", "hi"), message(1, "Ann", "a thought", hidden=True), message(2, "Bo", "hello")]
    (run,) = exchanges(messages)
    assert run.text == "Ann: hi\nBo: hello"


# -- notes ---------------------------------------------------------------------------------------------------------------------


def body_of(note: Note) -> SpecificSituation | Semantic:
    assert isinstance(note.body, SpecificSituation | Semantic)
    return note.body


def test_a_situation_quotes_its_lines_and_knows_who_and_when() -> None:
    messages = [
        message(0, "the night", "Rain falls.", Role.NARRATOR),
        message(1, "Ann", "Are you cold?"),
        message(2, "Bo", "A little.", Role.CHARACTER),
        message(3, "Bo", "hidden", Role.CHARACTER, hidden=True),
    ]
    (note,) = derived(messages).notes
    body = body_of(note)
    assert isinstance(body, SpecificSituation)
    assert body.narrative == "the night: Rain falls.\nAnn: Are you cold?\nBo: A little."
    assert (body.time_start, body.time_end) == (START, START + timedelta(minutes=2))
    assert body.context.participants == (Participant("Ann", "user"), Participant("Bo", "character"))
    assert note.sources == ("m000", "m001", "m002")
    assert (note.created_at, note.decayed_at, note.scope) == (AT, AT, "public")


def test_without_times_a_situation_has_none() -> None:
    messages = [replace(one, sent_at=None) for one in talk("Ann: hi", "Bo: hello")]
    body = body_of(derived(messages).notes[0])
    assert isinstance(body, SpecificSituation)
    assert (body.time_start, body.time_end) == (None, None)


def test_what_was_heard_in_private_stays_private() -> None:
    messages = [replace(one, scope="direct:Bo") for one in talk("Ann: London is far", "Bo: it is")]
    found = derived(messages, [concept("Ann", kind="speaker"), concept("London", 0)])
    assert {note.scope for note in found.notes} == {"direct:Bo"}
    assert len(found.notes) == 3


def test_nothing_said_leaves_nothing() -> None:
    for messages in ([], [message(0, "Ann", "secret", hidden=True)], [message(0, "Ann", "  \n")]):
        assert derived(messages) == Derived()
        assert found_concepts(messages, []) == ()


@LAWS
@given(seeds)
def test_notes_are_unique_and_every_source_is_a_said_line(seed: int) -> None:
    messages = made_up(seed)
    found = derived(messages, made_up_concepts(seed, messages))
    assert len({note.id for note in found.notes}) == len({note.key for note in found.notes}) == len(found.notes)
    said = {one.id for run in exchanges(messages) for one in run.messages}
    for note in found.notes:
        assert set(note.sources) <= said
        assert len(set(note.sources)) == len(note.sources)
    assert found.sources_added == ()
    situations = [note for note in found.notes if note.type is NoteType.SPECIFIC]
    assert sorted(source for note in situations for source in note.sources) == sorted(said)


@LAWS
@given(seeds)
def test_links_are_legal_unique_and_lead_from_note_to_other_note(seed: int) -> None:
    messages = made_up(seed)
    found = derived(messages, made_up_concepts(seed, messages))
    types = {note.id: note.type for note in found.notes}
    assert len({link.id for link in found.links}) == len(found.links)
    assert len({(link.source, link.target, link.payload) for link in found.links}) == len(found.links)
    for link in found.links:
        assert link.source != link.target
        assert is_legal(link.type, types[link.source], types[link.target])
        assert 0.0 < link.intensity <= 1.0
        if isinstance(link.payload, Sem):
            assert 0.0 < link.payload.confidence <= 1.0 and link.payload.verb


@LAWS
@given(seeds)
def test_the_same_talk_always_leaves_the_same(seed: int) -> None:
    messages = made_up(seed)
    concepts = made_up_concepts(seed, messages)
    assert derived(messages, concepts) == derived(list(messages), list(concepts))


@LAWS
@given(seeds)
def test_speakers_are_people_of_their_own(seed: int) -> None:
    messages = made_up(seed)
    found = derived(messages, made_up_concepts(seed, messages))
    names = {body.content for note in found.notes if isinstance(body := note.body, Semantic)}
    spoke = {one.speaker for run in exchanges(messages) for one in run.messages}
    assert spoke - {"the night"} <= names
    assert "the night" not in names
    people = {note.id: body.content for note in found.notes if isinstance(body := note.body, Semantic)}
    present = {
        (link.source, people[link.target])
        for link in found.links
        if isinstance(link.payload, Sem) and link.payload.verb == "with"
    }
    assert present == {
        (run.id, one.speaker) for run in exchanges(messages) for one in run.messages if one.role is not Role.NARRATOR
    }


# -- links, by hand ------------------------------------------------------------------------------------------------------------

WALK = talk(
    "Ann: London is far", "Bo: it is", "Ann: Cy lives in London", "Bo: really", "Ann: Cy and London", "Bo: you said", "Ann: so"
)
PLACES = [concept("Ann", kind="speaker"), concept("Bo", kind="speaker"), concept("London", 0, 1, 2), concept("Cy", 1, 2)]


def told(found: Derived) -> set[tuple[str, str, str]]:
    names = {note.id: note.key for note in found.notes}
    names |= {run.id: f"sit{number}" for number, run in enumerate(exchanges(WALK))}
    return {
        (names[link.source], link.payload.verb if isinstance(link.payload, Sem) else "next", names[link.target])
        for link in found.links
    }


def test_links_of_a_talk_by_hand() -> None:
    found = derived(WALK, PLACES)
    assert told(found) == {
        *((f"sit{place}", "with", "sem_ann") for place in range(4)),
        *((f"sit{place}", "with", "sem_bo") for place in range(3)),
        *((f"sit{place}", "mentions", "sem_london") for place in (0, 1, 2)),
        *(("sem_london", "mentioned in", f"sit{place}") for place in (0, 1, 2)),
        *((f"sit{place}", "mentions", "sem_cy") for place in (1, 2)),
        *(("sem_cy", "mentioned in", f"sit{place}") for place in (1, 2)),
        ("sem_london", "comes up with", "sem_cy"),
        ("sem_cy", "comes up with", "sem_london"),
        *((f"sit{place}", "next", f"sit{place + 1}") for place in range(3)),
        *((f"sit{place + 1}", "next", f"sit{place}") for place in range(3)),
    }


def test_what_comes_up_together_has_its_share_of_the_mentions() -> None:
    found = derived(WALK, PLACES)
    ids = {note.key: note.id for note in found.notes}
    shares = {
        (link.source, link.target): link.payload.confidence
        for link in found.links
        if isinstance(link.payload, Sem) and link.payload.verb == "comes up with"
    }
    assert shares[ids["sem_london"], ids["sem_cy"]] == pytest.approx(2 / 3, abs=1e-6)
    assert shares[ids["sem_cy"], ids["sem_london"]] == 1.0


def test_once_together_is_no_company_and_only_the_strongest_are_kept() -> None:
    many = [concept(f"name{number:02d}", 0, 1) for number in range(MOST_COMPANIONS + 4)]
    once = [concept("rare", 0), concept("other", 0)]
    assert TOGETHER == 2
    found = derived(WALK, [*many, *once])
    keys = {note.id: note.key for note in found.notes}
    company = [
        keys[link.source] for link in found.links if isinstance(link.payload, Sem) and link.payload.verb == "comes up with"
    ]
    assert set(company) == {one.key for one in many}
    assert max(company.count(key) for key in set(company)) == MOST_COMPANIONS


def test_what_came_next_is_linked_within_a_session_only_and_back_more_weakly() -> None:
    messages = [message(n, "Ann" if n % 2 == 0 else "Bo", "x", session=n // 4) for n in range(8)]
    first, second, third, fourth = (run.id for run in exchanges(messages))
    steps = {(link.source, link.target): link.intensity for link in derived(messages).links if link.type is LinkType.SITUATION}
    assert steps == {(first, second): 1.0, (second, first): 0.5, (third, fourth): 1.0, (fourth, third): 0.5}
    assert all(link.payload == SituationLink() for link in derived(messages).links if link.type is LinkType.SITUATION)


def test_chinese_talk_is_linked_in_chinese_and_english_talk_with_a_chinese_word_in_english() -> None:
    def verbs(*said: str) -> set[str]:
        found = derived(talk(*said), [concept("Ann", kind="speaker"), concept("tea", 0)])
        return {link.payload.verb for link in found.links if isinstance(link.payload, Sem)}

    assert verbs("Ann: 我喜欢喝茶", "Bo: 我也是") == {"和", "提到", "见于"}
    assert verbs("Ann: I like tea, or 茶, as my grandmother said", "Bo: me too") == {"with", "mentions", "mentioned in"}


def test_sources_of_a_concept_are_the_lines_that_name_it_and_no_more_than_enough() -> None:
    messages = [message(n, "Ann" if n % 2 == 0 else "Bo", "London" if n % 2 == 0 else "yes") for n in range(60)]
    runs = exchanges(messages)
    found = derived(messages, [concept("London", *range(len(runs))), concept("Bo", kind="speaker")])
    sources = {note.key: note.sources for note in found.notes}
    assert sources["sem_london"] == tuple(f"m{number:03d}" for number in range(0, 2 * MOST_SOURCES, 2))
    assert sources["sem_bo"] == ("m001",)


# -- a mind that knows something already ---------------------------------------------------------------------------------------


def test_a_concept_the_mind_knows_is_linked_and_not_made_again() -> None:
    found = derived(WALK, PLACES, names={"london": "old-id"})
    assert "sem_london" not in {note.key for note in found.notes}
    assert ("old-id", "m000") in found.sources_added
    assert len(set(found.sources_added)) == len(found.sources_added)
    assert {one for one, _ in found.sources_added} == {"old-id"}
    assert any(link.target == "old-id" for link in found.links)


def test_a_key_that_is_taken_gets_an_ending() -> None:
    note = next(note for note in derived(WALK, PLACES, keys=frozenset({"sem_london"})).notes if note.key.startswith("sem_london"))
    assert note.key == f"sem_london_{derived_id('name', 'London')[:6]}"


def test_two_names_of_one_form_share_a_note() -> None:
    found = derived(WALK, [concept("London", 0), concept("LONDON", 1)])
    concepts = [note for note in found.notes if note.type is NoteType.SEMANTIC]
    assert [note.key for note in concepts] == ["sem_london"]
    assert found.sources_added == ()


def test_names_without_letters_are_not_one_and_the_same() -> None:
    assert normal_name("…") == normal_name("!!") == ""
    found = derived(WALK, [concept("…", 0), concept("!!", 1)])
    assert len([note for note in found.notes if note.type is NoteType.SEMANTIC]) == 2


def after(found: Derived, known: tuple[KnownSituation, ...] = ()) -> tuple[KnownSituation, ...]:
    new = [
        KnownSituation(id=note.id, text=body.narrative)
        for note in found.notes
        if isinstance(body := note.body, SpecificSituation)
    ]
    return (*known, *new)


@pytest.mark.parametrize("cut", range(1, len(WALK)))
def test_read_in_two_parts_nothing_is_made_twice(cut: int) -> None:
    first_concepts = found_concepts(WALK[:cut], [])
    first = derived(WALK[:cut], first_concepts)
    situations = after(first)
    names = {normal_name(body.content): note.id for note in first.notes if isinstance(body := note.body, Semantic)}
    second = derived(
        WALK[cut:],
        found_concepts(WALK[cut:], situations),
        situations=situations,
        names=names,
        keys=frozenset(note.key for note in first.notes),
        link_ids=frozenset(link.id for link in first.links),
    )
    notes = [*first.notes, *second.notes]
    links = [*first.links, *second.links]
    assert len({note.id for note in notes}) == len({note.key for note in notes}) == len(notes)
    assert len({link.id for link in links}) == len(links)
    contents = [body.content for note in notes if isinstance(body := note.body, Semantic)]
    assert len(set(map(normal_name, contents))) == len(contents)
    types = {note.id: note.type for note in notes}
    assert all(is_legal(link.type, types[link.source], types[link.target]) for link in links)
    said = [source for note in notes if note.type is NoteType.SPECIFIC for source in note.sources]
    assert sorted(said) == [one.id for one in WALK]


# -- who and what is named -----------------------------------------------------------------------------------------------------

STORY = talk(
    "Ann: I met Cyril in London yesterday.",
    "Bo: Did Cyril like London?",
    "Ann: He did. We saw the Thames.",
    "Bo: I have never been to London.",
    "Ann: Then come with Cyril next time.",
    "Bo: Gladly, Ann.",
)


def test_names_and_speakers_are_found_where_they_stand() -> None:
    found = {one.name: one for one in found_concepts(STORY, [])}
    runs = exchanges(STORY)
    assert {"Ann", "Bo", "Cyril", "London"} <= found.keys()
    assert [name for name, one in found.items() if one.kind == "speaker"] == ["Ann", "Bo"]
    for name in ("Cyril", "London"):
        assert found[name].kind == "name" and found[name].concept_type is ConceptType.ENTITY
        assert found[name].places == tuple(place for place, run in enumerate(runs) if name in run.text)
    assert found["Bo"].places == ()
    assert found["Ann"].places == (2,)


def test_a_narrator_is_no_person() -> None:
    messages = [message(0, "Storyteller", "London sleeps.", Role.NARRATOR), message(1, "Ann", "It does.")]
    assert "Storyteller" not in {one.name for one in found_concepts(messages, [])}


def test_places_count_the_known_situations_first() -> None:
    known = [KnownSituation(id="old", text="Ann: Cyril wrote from London."), KnownSituation(id="older", text="Ann: yes")]
    found = {one.name: one for one in found_concepts(STORY, known)}
    assert found["Cyril"].places == (0, 2, 4)


def test_what_only_known_situations_name_is_not_found_again() -> None:
    known = [KnownSituation(id="old", text="Ann: We met Margaret in Paris. Margaret lives in Paris.")]
    names = {one.name for one in found_concepts(STORY, known)}
    assert "London" in names and not {"Margaret", "Paris"} & names


def test_a_story_becomes_notes_that_quote_only_what_was_said() -> None:
    found = derived(STORY, found_concepts(STORY, []))
    words = " ".join(f"{one.speaker}: {one.text}" for one in STORY)
    for note in found.notes:
        body = body_of(note)
        said = body.content if isinstance(body, Semantic) else body.narrative.split("\n")[0]
        assert said in words


@pytest.mark.parametrize(
    ("name", "key"), [("New York", "sem_new_york"), ("小红", "sem_小红"), ("O'Brien, Ann", "sem_o_brien_ann")]
)
def test_the_key_of_a_concept_can_be_read(name: str, key: str) -> None:
    assert concept(name).key == key
    assert len(concept("x" * 200).key) == 44
    assert concept("…").key == f"sem_{derived_id('name', '…')[:8]}"
