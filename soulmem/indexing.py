"""What makes a change findable: its terms, names and vectors. Pure but for the embedder it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from soulmem.embed.cache import Known, Progress, Side, cache_id, embed_texts, nothing_known
from soulmem.embed.contract import Embedder
from soulmem.embed.fields import WeightedTexts, field_texts, note_fields, pool_all
from soulmem.model.changes import Change, NoteUpdate, Vector
from soulmem.model.messages import Message
from soulmem.model.notes import Note, Semantic, SpecificSituation, searched_text
from soulmem.store.contract import Store
from soulmem.store.own_vectors import Place, place_of, vectors_at
from soulmem.store.rows import embedding_of, note_of, note_row
from soulmem.text.language import has_cjk
from soulmem.text.names import normal_name
from soulmem.text.tokens import term_counts

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


#: Progress is told after so many texts, and after each of more than so many characters.
_TOLD, _LONG = 256, 10_000


#: Columns of notes whose texts are searched. What else is searched is structured, and no update changes it.
SEARCHED = frozenset({"tags", "content", "aliases", "description", "narrative"})


def indexed(
    change: Change,
    embedder: Embedder,
    known: Known = nothing_known,
    progress: Progress | None = None,
    also: Sequence[Note] = (),
    present: Callable[[Sequence[str]], Sequence[Note]] | None = None,
) -> Change:
    """``change`` with the terms, names and vectors of its new notes, of the notes whose searched texts it updates, and of its
    messages that were said.

    ``present(ids)``: the notes as they are (``store.notes``), to which the updates are applied; ``also``: more notes of the mind,
    as they will be. ``progress(done, total)`` is told of the texts whose words were counted, then of those that were embedded.
    """
    said = [message for message in change.messages if not message.hidden]
    notes = (*change.notes, *also, *(_as_updated(change, present, also) if present else ()))
    texts = {note.id: searched_text(note) for note in notes} | {message.id: message_words(message) for message in said}
    counted = dict(_counted({owner: texts[owner] for owner in _side_by_side(notes, texts)}, progress))
    terms = {owner: counted[owner] for owner in texts}
    made = vectors_of(notes, said, embedder, known, progress)
    own = {made.ids[text]: owner for owner, text in whole_texts(change.notes, said) if text in made.ids}
    return replace(
        change,
        terms={**change.terms, **terms},
        names={**change.names, **{note.id: names_of(note) for note in notes if isinstance(note.body, Semantic)}},
        vectors={**change.vectors, **made.columns},
        embeddings={**change.embeddings, **made.new},
        own_vectors={**change.own_vectors, **{cache: owner for cache, owner in own.items() if cache in made.new}},
    )


def is_indexed(change: Change) -> bool:
    """Whether ``change`` writes anything that is searched, so that it needs :func:`indexed`."""
    return bool(change.notes or change.messages or any(update.values.keys() & SEARCHED for update in change.updates))


def _as_updated(change: Change, present: Callable[[Sequence[str]], Sequence[Note]], also: Sequence[Note]) -> list[Note]:
    """The notes whose searched texts ``change`` updates, as they will be."""
    given = {note.id for note in also}
    values: dict[str, dict[str, Any]] = {}
    for update in change.updates:
        values.setdefault(update.note, {}).update(update.values)
    wanted = [note for note, new in values.items() if new.keys() & SEARCHED and note not in given]
    return [updated_note(note, values[note.id]) for note in present(wanted)] if wanted else []


def updated_note(note: Note, values: Mapping[str, Any]) -> Note:
    """``note`` with new values of columns, as :class:`~soulmem.model.changes.NoteUpdate` has them."""
    return note_of(note.type, {**note_row(note, 0), **values}, note.sources)


def _side_by_side(notes: Iterable[Note], texts: Mapping[str, str]) -> Iterable[str]:
    """The owners of ``texts``, each note just before the lines it quotes: words that come back soon need no cutting again."""
    placed: dict[str, None] = {}
    for note in notes:
        placed[note.id] = None
        placed |= dict.fromkeys(source for source in note.sources if source in texts)
    return placed | dict.fromkeys(texts)


def _counted(texts: Mapping[str, str], progress: Progress | None) -> Iterator[tuple[str, Mapping[str, int]]]:
    for done, (owner, text) in enumerate(texts.items(), start=1):
        yield owner, term_counts(text)
        if progress is not None and (done % _TOLD == 0 or len(text) > _LONG):
            progress(done, len(texts))


def content_update(note: Note) -> NoteUpdate:
    """The update that gives a Semantic note of the mind the content, tags and origins of ``note``; index it again with it."""
    body = note.body
    if not isinstance(body, Semantic):
        raise TypeError(f"{note.key} is not a Semantic note")
    return NoteUpdate(
        note=note.id,
        values={
            "content": body.content,
            "aliases": list(body.aliases),
            "concept_type": body.concept_type.value,
            "description": body.description,
            "category": body.category.value if body.category else None,
            "tags": list(note.tags),
            "origins": list(note.origins),
        },
    )


class MadeVectors(NamedTuple):
    """``columns``: note or message id → column → vector. ``new``: cache id → vector, of the texts that had to be embedded;
    ``ids``: text → its cache id."""

    columns: dict[str, Mapping[str, Vector]]
    new: dict[str, Vector]
    ids: dict[str, str]


def vectors_of(
    notes: Iterable[Note], messages: Iterable[Message], embedder: Embedder, known: Known, progress: Progress | None
) -> MadeVectors:
    """All vectors of these notes and messages."""
    fields: dict[str, dict[str, WeightedTexts]] = {note.id: note_fields(note) for note in notes}
    fields |= {message.id: {"v_text": ((1.0, message_passage(message)),)} for message in messages}
    texts = dict.fromkeys(text for columns in fields.values() for text in field_texts(columns))
    embedded = embed_texts(embedder, texts, Side.PASSAGE, known, progress=progress)
    return MadeVectors(dict(pool_all(fields, embedded.vectors)), embedded.new, embedded.ids)


def whole_texts(notes: Iterable[Note], messages: Iterable[Message]) -> Iterator[tuple[str, str]]:
    """(id, text) of what has the vector of a whole text: the messages and the situations among the notes."""
    yield from ((message.id, message_passage(message)) for message in messages)
    yield from ((note.id, note.body.narrative) for note in notes if isinstance(note.body, SpecificSituation))


def kept_vectors(store: Store) -> Known:
    """The vectors a mind keeps of texts that were embedded before."""

    def known(ids: Sequence[str]) -> dict[str, Vector]:
        rows = store.columns("store.embeddings", ids=list(ids))
        kept = dict(zip(rows["id"], rows["vector"], strict=True))
        places = {id_: place for id_, text in kept.items() if (place := place_of(text)) is not None}
        there = {id_: embedding_of(text or "") for id_, text in kept.items() if id_ not in places}
        return there | (_vectors_at(store, places) if places else {})

    return known


def _vectors_at(store: Store, places: Mapping[str, Place]) -> dict[str, Vector]:
    """The vectors that are in ``places``, by cache id: of texts that still stand there, by the mind's embedder."""
    record = store.embedder()
    owners = {owner for _, owner in places.values()}
    texts = dict(whole_texts(store.notes(sorted(owners)), store.messages(sorted(owners))))
    vectors = vectors_at(store.query, places.values())
    return {
        id_: vectors[place]
        for id_, place in places.items()
        if place in vectors and record is not None and cache_id(record.name, Side.PASSAGE, texts[place[1]]) == id_
    }


def names_of(note: Note) -> tuple[str, ...]:
    """The names by which a Semantic note is known, in their normal form."""
    body = note.body
    if not isinstance(body, Semantic):
        return ()
    return tuple(dict.fromkeys(name for text in (body.content, *body.aliases) if (name := normal_name(text))))


def message_passage(message: Message) -> str:
    """What of a message is embedded: who said what."""
    return f"{message.speaker}: {message.text}"


def message_words(message: Message) -> str:
    """What of a message its words are taken from: who said what, and when."""
    return f"{message.speaker}\n{_date_words(message.sent_at, message.text)}\n{message.text}"


def _date_words(when: datetime | None, text: str) -> str:
    if when is None:
        return ""
    if has_cjk(text):
        return f"{when.year}年{when.month}月{when.day}日"
    return f"{when.day} {_MONTHS[when.month - 1]} {when.year}"
