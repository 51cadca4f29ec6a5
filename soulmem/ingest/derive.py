"""What talk leaves in memory without any model: situations, the people and things named, and what leads where (pure).

Every exchange becomes a situation that quotes it; who and what is named in several places becomes a concept; links say who was
there, what was mentioned, what comes up together and what came next. Nothing is concluded that was not said.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from itertools import combinations, islice, pairwise

from soulmem.ingest.plan_graph import link_id
from soulmem.model.links import Link, Payload, Sem, SituationLink
from soulmem.model.messages import Message, Role, narrowest, widest
from soulmem.model.notes import ConceptType, Context, Note, Participant, Semantic, SpecificSituation, derived_id
from soulmem.scopes.contexts import drawn_from, heard_mark
from soulmem.text.entities import entity_mentions, topic_mentions
from soulmem.text.language import Language, language
from soulmem.text.names import normal_name

#: An exchange has at most so many lines and, once it has two, about so many characters.
MOST_LINES = 4
MOST_CHARACTERS = 800
#: A pair of concepts is linked when it comes up together this often; each concept keeps its strongest so many.
TOGETHER = 2
MOST_COMPANIONS = 8
#: A concept names at most so many messages as its sources: the first ones.
MOST_SOURCES = 20

#: Confidence of derived links: somebody was there; something was mentioned. What comes up together gets its share of mentions.
PRESENT = 0.9
MENTIONED = 0.8
#: Intensity of the link to what came next, and back to what came before.
FORWARD = 1.0
BACK = 0.5

_VERBS = {
    "zh": {"mentions": "提到", "in": "见于", "with": "和", "together": "常一起提到"},
    "en": {"mentions": "mentions", "in": "mentioned in", "with": "with", "together": "comes up with"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSituation:
    """A situation the mind already has of this chat: its note id, the text it quotes, and the number and session of its last
    line."""

    id: str
    text: str
    last: int = -1
    session: int = -1


NOTHING_BEFORE: Mapping[str, KnownSituation] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Concept:
    """Someone or something named. ``places``: where, by number among the known situations followed by the new exchanges."""

    name: str
    aliases: tuple[str, ...]
    concept_type: ConceptType
    kind: str
    places: tuple[int, ...]

    @property
    def key(self) -> str:
        """The key of the note it becomes."""
        return "sem_" + (re.sub(r"\W+", "_", normal_name(self.name)).strip("_")[:40] or derived_id("name", self.name)[:8])


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A short run of lines, and the id and key of the situation it becomes. ``follows``: no line is missing before it."""

    id: str
    key: str
    messages: tuple[Message, ...]
    follows: bool = True

    @property
    def text(self) -> str:
        """The lines as they were said, with their speakers."""
        return "\n".join(f"{message.speaker}: {message.text}" for message in self.messages)


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """Notes and links that a chat adds. ``sources_added``: (note id, message id) for concepts that were there already; ``told``:
    those of them that it gives more names, with these."""

    notes: tuple[Note, ...] = ()
    links: tuple[Link, ...] = ()
    sources_added: tuple[tuple[str, str], ...] = ()
    told: tuple[Note, ...] = ()


def exchanges(messages: Sequence[Message]) -> tuple[Exchange, ...]:
    """Cut what was said into exchanges: a new one begins with a new session, when the one who began speaks again after an answer,
    when it has become long, and where lines between are missing, because the mind has them already."""
    runs: list[list[Message]] = []
    follows: list[bool] = []
    last: Message | None = None
    gap = False
    for message in messages:
        gap = gap or (last is not None and last.chat == message.chat and last.index != message.index - 1)
        last = message
        if message.hidden or not message.text.strip():
            continue
        if not runs or gap or _breaks(runs[-1], message):
            runs.append([])
            follows.append(not gap)
        runs[-1].append(message)
        gap = False
    return tuple(_exchange(run, after) for run, after in zip(runs, follows, strict=True))


def _breaks(run: Sequence[Message], message: Message) -> bool:
    last = run[-1]
    if len(run) >= MOST_LINES or _place(message) != _place(last):
        return True
    if message.speaker == run[0].speaker and last.speaker != message.speaker:
        return True
    return len(run) >= 2 and sum(len(said.text) for said in run) + len(message.text) > MOST_CHARACTERS


def _place(message: Message) -> tuple[object, ...]:
    """Lines of different sittings and talks, and what is kept from others, make no exchange together."""
    return message.session, message.chat, message.scope, frozenset(message.kept_from)


def _exchange(run: Sequence[Message], follows: bool) -> Exchange:
    first = run[0]
    key = f"sit_{_slug(first.file)}_{first.index:05d}_{first.id[:6]}"
    return Exchange(id=derived_id("exchange", first.id), key=key, messages=tuple(run), follows=follows)


def _another(run: Exchange) -> Exchange:
    """``run`` beside an exchange that began with the same line, which was forgotten, and read again."""
    again = derived_id("exchange again", *(message.id for message in run.messages))
    return replace(run, id=again, key=f"{run.key}_{again[:6]}")


@lru_cache(maxsize=64)
def _slug(path: str) -> str:
    """The readable part of a key: the file's stem, word characters only."""
    stem = re.split(r"[\\/]", path)[-1].rsplit(".", 1)[0]
    return re.sub(r"\W+", "_", stem).strip("_")[:24].lower() or "chat"


def found_concepts(
    messages: Sequence[Message],
    situations: Sequence[KnownSituation],
    progress: Callable[[int, int], None] | None = None,
    known: Iterable[str] = (),
) -> tuple[Concept, ...]:
    """Who and what is named in the known situations and in the new messages of a chat; speakers first.

    Only concepts that a new message names are given; one that now recurs brings its earlier places along. ``progress(done,
    total)`` is told of texts in which names are looked for, if there are many. ``known``: as
    :func:`~soulmem.text.entities.entity_mentions` takes it.
    """
    runs = exchanges(messages)
    texts = [_without_speakers(situation.text) for situation in situations]
    texts += ["\n".join(message.text for message in run.messages) for run in runs]
    speakers = sorted({message.speaker for run in runs for message in run.messages if message.role is not Role.NARRATOR})
    entities = entity_mentions(texts, speakers=speakers, known=known, progress=progress)
    found = [
        Concept(name=name, aliases=mention.aliases, concept_type=concept_type, kind=kind, places=mention.texts)
        for kind, concept_type, mentions in (
            ("name", ConceptType.ENTITY, entities),
            ("topic", ConceptType.ABSTRACT, topic_mentions(texts, speakers=speakers, entities=entities)),
        )
        for name, mention in mentions.items()
        if any(place >= len(situations) for place in mention.texts)
    ]
    talking = set(speakers)
    return (*_speaker_concepts(speakers, found), *(concept for concept in found if concept.name not in talking))


def _speaker_concepts(speakers: Iterable[str], found: Iterable[Concept]) -> Iterator[Concept]:
    named = {concept.name: concept for concept in found}
    for speaker in speakers:
        said = named.get(speaker)
        yield Concept(
            name=speaker,
            aliases=said.aliases if said else (),
            concept_type=ConceptType.ENTITY,
            kind="speaker",
            places=said.places if said else (),
        )


def _without_speakers(text: str) -> str:
    return re.sub(r"(?m)^[^:\n]{1,80}: ", "", text)


def derive(
    messages: Sequence[Message],
    concepts: Sequence[Concept],
    *,
    situations: Sequence[KnownSituation],
    names: Mapping[str, str],
    keys: frozenset[str],
    at: datetime,
    link_ids: Collection[str] = frozenset(),
    before: Mapping[str, KnownSituation] = NOTHING_BEFORE,
    written: Collection[str] = frozenset(),
) -> Derived:
    """Plan the notes and links that ``messages`` (new, chat after chat, in order) add.

    ``concepts``: of :func:`found_concepts`. ``names``: normal name → id of the Semantic note of the mind that has it. ``keys``:
    keys that are taken. ``link_ids``: links that are there. A concept that the mind has a note for is linked to it, not made
    again; nor is a link. ``before``: by chat, the situation that its first message goes on from, if no line is missing between.
    ``written``: ids of situations that the mind has without their lines, as an export brings them; they gain the lines.
    """
    there_already = {situation.id for situation in situations}
    runs = tuple(_another(run) if run.id in there_already else run for run in exchanges(messages))
    if not runs:
        return Derived()
    ids = [situation.id for situation in situations] + [run.id for run in runs]
    owners = _owners(concepts, names, keys, heard_of(messages))
    verbs = _VERBS["zh" if language("\n".join(run.text for run in runs)) is Language.ZH else "en"]
    spoken = {concept.name: owners[concept.name][0] for concept in concepts if concept.kind == "speaker"}
    links = (
        *_present_links(runs, spoken, verbs["with"], at),
        *_mention_links(concepts, owners, ids, verbs, at),
        *_together_links(concepts, owners, verbs["together"], at),
        *_seam_links(before, runs, at),
        *_next_links(runs, at),
    )
    said: list[Sequence[Message]] = [()] * len(situations) + [run.messages for run in runs]
    heard = {message.id: message for run in runs for message in run.messages}
    notes = [_situation(run, at) for run in runs if run.id not in written]
    added = {(run.id, message.id): None for run in runs if run.id in written for message in run.messages}
    there = set(names.values())
    begun = _first_lines(runs, spoken)
    for concept in concepts:
        owner, key = owners[concept.name]
        sources = _sources(concept, said, begun.get(concept.name))
        if key is not None:
            notes.append(_concept_note(concept, owner, key, [heard[one] for one in sources if one in heard], at))
        elif owner in there:
            added |= dict.fromkeys((owner, source) for source in sources)
    return Derived(
        notes=tuple(notes),
        links=tuple({link.id: link for link in links if link.id not in link_ids}.values()),
        sources_added=tuple(added),
    )


def heard_of(messages: Sequence[Message]) -> tuple[str, ...]:
    """What marks what is drawn from these lines, of one talk: see :func:`~soulmem.scopes.contexts.heard_mark`."""
    if not messages:
        return ()
    kept_from = drawn_from([said.kept_from for said in messages], is_name=True)
    return heard_mark(narrowest([said.scope for said in messages]), kept_from)


def concept_key(concept: Concept, heard: Sequence[str]) -> str:
    """The key of the note it becomes where it is not heard by everybody: of its own, so that none tells of another."""
    return f"{concept.key}_{derived_id('name', concept.name, *heard)[:6]}" if heard else concept.key


def _owners(
    concepts: Sequence[Concept], names: Mapping[str, str], keys: frozenset[str], heard: Sequence[str]
) -> dict[str, tuple[str, str | None]]:
    """Concept name → (note id, key of the note to make, or ``None`` when the mind has one). Equal names share a note."""
    owners: dict[str, tuple[str, str | None]] = {}
    made: dict[str, str] = {}
    taken = set(keys)
    for concept in concepts:
        normal = normal_name(concept.name) or concept.name
        if normal in names or normal in made:
            owners[concept.name] = (names.get(normal) or made[normal], None)
            continue
        key = concept_key(concept, heard)
        if key in taken and heard:
            owners[concept.name] = (derived_id("note", key), None)
            continue
        key = key if key not in taken else f"{key}_{derived_id('name', concept.name)[:6]}"
        taken.add(key)
        made[normal] = derived_id("note", key)
        owners[concept.name] = (made[normal], key)
    return owners


def _first_lines(runs: Sequence[Exchange], speakers: Collection[str]) -> dict[str, str]:
    """Speaker → the id of the first line they said."""
    first: dict[str, str] = {}
    for message in (message for run in runs for message in run.messages):
        first.setdefault(message.speaker, message.id)
    return {name: first[name] for name in first.keys() & set(speakers)}


def _sources(concept: Concept, said: Sequence[Sequence[Message]], own: str | None) -> list[str]:
    """The first lines that name the concept; of a speaker first ``own``, the first line they said."""
    forms = [form.casefold() for form in (concept.name, *concept.aliases)]
    naming = (
        message.id
        for place in concept.places
        for message in said[place]
        if any(form in message.text.casefold() for form in forms)
    )
    found = list(dict.fromkeys([*([own] if own else []), *islice(naming, MOST_SOURCES)]))
    # A name that is written in another way (Mrs Tulloch, Mrs. Tulloch) stands somewhere in the exchange.
    return found[:MOST_SOURCES] or [said[place][0].id for place in concept.places if said[place]][:1]


def _concept_note(concept: Concept, note: str, key: str, said: Sequence[Message], at: datetime) -> Note:
    return Note(
        id=note,
        key=key,
        body=Semantic(content=concept.name, aliases=concept.aliases, concept_type=concept.concept_type),
        tags=(concept.kind,),
        created_at=at,
        decayed_at=at,
        scope=widest([message.scope for message in said]),
        kept_from=drawn_from([message.kept_from for message in said], is_name=True),
        sources=tuple(message.id for message in said),
    )


def _situation(run: Exchange, at: datetime) -> Note:
    times = [message.sent_at for message in run.messages if message.sent_at is not None]
    roles = {message.speaker: message.role.value for message in run.messages if message.role is not Role.NARRATOR}
    return Note(
        id=run.id,
        key=run.key,
        body=SpecificSituation(
            narrative=run.text,
            time_start=min(times, default=None),
            time_end=max(times, default=None),
            context=Context(participants=tuple(Participant(name, role) for name, role in roles.items())),
        ),
        created_at=at,
        decayed_at=at,
        scope=run.messages[0].scope,
        kept_from=run.messages[0].kept_from,
        sources=tuple(message.id for message in run.messages),
    )


def _link(source: str, target: str, payload: Payload, at: datetime, intensity: float = 1.0) -> Link:
    return Link(
        id=link_id(source, target, payload), source=source, target=target, payload=payload, created_at=at, intensity=intensity
    )


def _present_links(runs: Sequence[Exchange], spoken: Mapping[str, str], verb: str, at: datetime) -> Iterator[Link]:
    present = Sem(verb, PRESENT)
    for run in runs:
        for speaker in dict.fromkeys(message.speaker for message in run.messages if message.speaker in spoken):
            yield _link(run.id, spoken[speaker], present, at)


def _mention_links(
    concepts: Sequence[Concept],
    owners: Mapping[str, tuple[str, str | None]],
    ids: Sequence[str],
    verbs: Mapping[str, str],
    at: datetime,
) -> Iterator[Link]:
    mentions, within = Sem(verbs["mentions"], MENTIONED), Sem(verbs["in"], MENTIONED)
    for concept in concepts:
        owner = owners[concept.name][0]
        for place in concept.places:
            yield _link(ids[place], owner, mentions, at)
            yield _link(owner, ids[place], within, at)


def _together_links(
    concepts: Sequence[Concept], owners: Mapping[str, tuple[str, str | None]], verb: str, at: datetime
) -> Iterator[Link]:
    """Pairs that come up together, both ways; confidence is the share of the source's mentions (0..1)."""
    by_place: dict[int, set[str]] = defaultdict(set)
    number: Counter[str] = Counter()
    for concept in concepts:
        owner = owners[concept.name][0]
        number[owner] += len(concept.places)
        for place in concept.places:
            by_place[place].add(owner)
    together = Counter(pair for owners_ in by_place.values() for pair in combinations(sorted(owners_), 2))
    companions: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for (one, other), times in together.items():
        if times >= TOGETHER:
            companions[one].append((times / number[one], other))
            companions[other].append((times / number[other], one))
    for owner in sorted(companions):
        for share, other in sorted(companions[owner], key=lambda pair: (-pair[0], pair[1]))[:MOST_COMPANIONS]:
            yield _link(owner, other, Sem(verb, min(round(share, 6), 1.0)), at)


def _next_links(runs: Sequence[Exchange], at: datetime) -> Iterator[Link]:
    """What came next in the same session, and back."""
    for one, following in pairwise(runs):
        last, first = one.messages[-1], following.messages[0]
        if following.follows and (last.chat, last.session) == (first.chat, first.session):
            yield from _next(one.id, following.id, at)


def _seam_links(before: Mapping[str, KnownSituation], runs: Sequence[Exchange], at: datetime) -> Iterator[Link]:
    """A chat that is read in parts leads on from part to part."""
    firsts: dict[str, Exchange] = {}
    for run in runs:
        firsts.setdefault(run.messages[0].chat, run)
    for chat, last in before.items():
        first = firsts.get(chat)
        if first is not None and first.follows and last.session == first.messages[0].session:
            yield from _next(last.id, first.id, at)


def _next(one: str, following: str, at: datetime) -> Iterator[Link]:
    yield _link(one, following, SituationLink(), at, FORWARD)
    yield _link(following, one, SituationLink(), at, BACK)
