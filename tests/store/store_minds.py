"""Things to put into minds, for the tests of the store."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from soulmem.model.changes import Change
from soulmem.model.links import Link, Sem, SituationLink, TrigToAction, is_legal
from soulmem.model.messages import Chat, Message, Role
from soulmem.model.notes import (
    AbstractSituation,
    ActionType,
    Category,
    ConceptType,
    Context,
    Environment,
    Event,
    Feeling,
    Location,
    Note,
    NoteType,
    Participant,
    Procedure,
    Semantic,
    SpecificSituation,
)
from soulmem.settings import Settings
from soulmem.store import EmbedderRecord, check

NOW = datetime(2025, 3, 1, 12, tzinfo=UTC)
BULK_SIZE = 400
#: Small minds are loaded in bulk too.
SETTINGS = Settings(bulk_size=BULK_SIZE, max_db_bytes=2**32)
RECORD = EmbedderRecord("test", 4, 0.25)
TEXT_VECTOR = {
    NoteType.SEMANTIC: "v_content",
    NoteType.SPECIFIC: "v_narrative",
    NoteType.ABSTRACT: "v_self",
    NoteType.PROCEDURE: "v_content",
}
BODIES = (
    Semantic("小红", ("红", "Red"), ConceptType.ENTITY, "喜欢猫", Category.IDENTITY),
    SpecificSituation(
        "下雨了",
        NOW,
        None,
        Context(
            Location("家", "1,2"),
            (Participant("小红", "friend"), Participant("me")),
            (Feeling("joy", 0.5),),
            (),
            None,
            (Event("eat"),),
        ),
    ),
    SpecificSituation("nothing else"),
    AbstractSituation(Location("海边")),
    AbstractSituation(Participant("p", "r")),
    AbstractSituation(Environment("calm", "low")),
    AbstractSituation(Event("act", 0.25, "i", "t")),
    Procedure("hug", ActionType.SPEAK),
)


def unit(seed: int, dimension: int = 4) -> np.ndarray:
    """A unit vector."""
    vector = np.random.default_rng(seed).normal(size=dimension).astype(np.float32)
    return vector / np.linalg.norm(vector)


def note(number: int, body=None, **values) -> Note:
    return Note(
        id=f"note-{number:05d}",
        key=f"key_{number}",
        body=body or BODIES[number % len(BODIES)],
        created_at=NOW,
        decayed_at=NOW,
        **values,
    )


def message(number: int, chat: str = "chat", **values) -> Message:
    return Message(
        id=f"{chat}-{number:05d}",
        chat=chat,
        index=number,
        file=f"{chat}.jsonl",
        line=number + 2,
        speaker="小红",
        role=Role.USER,
        text=f"line {number}",
        sent_at=NOW + timedelta(minutes=number),
        **values,
    )


def chat(messages: int, name: str = "chat") -> Chat:
    return Chat(id=name, file=f"{name}.jsonl", format="sillytavern", sha256="0" * 64, messages=messages, ingested_at=NOW)


def links_of(notes, count: int) -> tuple[Link, ...]:
    """Legal links between neighbours in ``notes``, of all types."""
    found = []
    for distance in range(1, len(notes)):
        for source, target in zip(notes, notes[distance:], strict=False):
            for payload in (Sem("knows", 0.5), SituationLink(), TrigToAction(0.75)):
                link = Link(
                    id=f"link-{len(found):05d}",
                    source=source.id,
                    target=target.id,
                    payload=payload,
                    created_at=NOW,
                    intensity=1.5,
                )
                if is_legal(link.type, source.type, target.type):
                    found.append(link)
            if len(found) >= count:
                return tuple(found[:count])
    return tuple(found)


def words(number: int) -> dict[str, int]:
    return {"all": 1, f"w{number % 7}": 2, f"only{number}": 1}


def change(count: int, start: int = 0, **values) -> Change:
    """``count`` notes, each with a message it was drawn from, a vector, words; and links between them."""
    notes = tuple(note(n, sources=(f"chat-{n:05d}",), tags=("t", str(n))) for n in range(start, start + count))
    messages = tuple(message(n) for n in range(start, start + count))
    parts = {
        "notes": notes,
        "messages": messages,
        "links": tuple(
            Link(id=f"{start}-{link.id}", source=link.source, target=link.target, payload=link.payload, created_at=NOW)
            for link in links_of(notes, 3 * count)
        ),
        "chats": (chat(start + count),),
        "vectors": {
            **{item.id: {TEXT_VECTOR[item.type]: unit(number)} for number, item in enumerate(notes, start)},
            **{item.id: {"v_text": unit(number + 1)} for number, item in enumerate(messages, start)},
        },
        "terms": {**{item.id: words(start + n) for n, item in enumerate(notes)}, **{item.id: {"all": 2} for item in messages}},
        "names": {item.id: (item.body.content, *item.body.aliases) for item in notes if isinstance(item.body, Semantic)},
        "embeddings": {f"test/passage/{n}": unit(n) for n in range(start, start + count)},
    }
    return Change(command="ingest", what=f"{count} notes", at=NOW, **(parts | values))


def empty_change(**values) -> Change:
    return Change(command="test", what="something", at=NOW, **values)


def contents(store) -> dict[str, object]:
    """All that a mind holds, comparable. The journal is left out."""
    keys = [row["id"] for row in store.query("store.all_keys")]
    return {
        "notes": store.notes(keys),
        "links": sorted(store.links(), key=lambda link: link.id),
        "messages": store.query("store.all_messages"),
        "chats": store.query("store.chats"),
        "pending": store.pending(),
        "words": sorted(
            (r["text"], r["notes"], r["messages"], r["note_df"], r["message_df"]) for r in store.query("store.word_counts")
        ),
        "nodes": [row for row in store.query("store.node_counts") if row["name"] != "Operation"],
        "counts": store.query("store.link_counts"),
        "vectors": sorted(vector_sums(store)),
        "meta": store.query("store.all_meta"),
        "findings": check(store),
    }


def vector_sums(store) -> list[tuple[str, float]]:
    """Id → the sum of the text's vector, read by ad-hoc Cypher."""
    sums = []
    for table, column in (*((t.value, c) for t, c in TEXT_VECTOR.items()), ("Message", "v_text")):
        rows = store.cypher(f"MATCH (n:{table}) WHERE n.{column} IS NOT NULL RETURN n.id, n.{column}", {}, limit=None).rows
        sums += [(row[0], round(float(sum(row[1])), 5)) for row in rows]
    return sums


def operations(store) -> list[int]:
    return [row["number"] for row in store.query("store.operation_numbers")]


TIMES = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))
TEXTS = st.text(max_size=12)
PART = st.floats(0, 1)
LOCATIONS = st.builds(Location, TEXTS, TEXTS)
PARTICIPANTS = st.builds(Participant, TEXTS, TEXTS)
ENVIRONMENTS = st.builds(Environment, TEXTS, TEXTS)
EVENTS = st.builds(Event, TEXTS, PART, TEXTS, TEXTS)
FEELINGS = st.builds(Feeling, TEXTS, PART)


def tuples(of):
    return st.lists(of, max_size=3).map(tuple)


CONTEXTS = st.builds(
    Context,
    st.none() | LOCATIONS,
    tuples(PARTICIPANTS),
    tuples(FEELINGS),
    tuples(FEELINGS),
    st.none() | ENVIRONMENTS,
    tuples(EVENTS),
)
ANY_BODY = st.one_of(
    st.builds(Semantic, TEXTS, tuples(TEXTS), st.sampled_from(ConceptType), TEXTS, st.none() | st.sampled_from(Category)),
    st.builds(SpecificSituation, TEXTS, st.none() | TIMES, st.none() | TIMES, CONTEXTS),
    st.builds(AbstractSituation, LOCATIONS | PARTICIPANTS | ENVIRONMENTS | EVENTS),
    st.builds(Procedure, TEXTS, st.sampled_from(ActionType)),
)


@st.composite
def notes(draw, number: int):
    return Note(
        id=f"note-{number}",
        key=f"key-{number}-{draw(TEXTS)}",
        body=draw(ANY_BODY),
        created_at=draw(TIMES),
        tags=draw(tuples(TEXTS)),
        retrieval_count=draw(st.integers(0, 2**40)),
        last_accessed_at=draw(st.none() | TIMES),
        strength=draw(PART),
        decayed_at=draw(TIMES),
        due_at=draw(st.none() | TIMES),
        pinned=draw(st.booleans()),
        core=draw(st.booleans()),
        active=draw(st.booleans()),
        scope=draw(st.sampled_from(("public", "direct:小红", "group:1"))),
    )


def files_of(path: Path) -> list[str]:
    return sorted(file.name for file in path.parent.iterdir())
