"""Merged facts, derived situations and what fired together, as the entries of a plan (pure)."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from soulmem.ageing import ageing_from
from soulmem.consolidate.contract import MOST_LINKS
from soulmem.consolidate.facts import MODEL, Fact, Kind
from soulmem.consolidate.merge import KnownFact, Merged, is_heard_alike
from soulmem.consolidate.plan import Entry, Parts, Sign
from soulmem.indexing import content_update
from soulmem.ingest.derive import Derived
from soulmem.ingest.plan_graph import link_id
from soulmem.model.changes import NoteUpdate, Superseding
from soulmem.model.links import CONTRADICTS, Link, Payload, Sem
from soulmem.model.messages import Message
from soulmem.model.notes import ConceptType, Note, NoteType, Semantic, derived_id, display_text
from soulmem.scopes.contexts import heard_mark
from soulmem.text.counts import counted
from soulmem.text.language import has_cjk
from soulmem.text.names import normal_name
from soulmem.text.stopwords import stop_words
from soulmem.text.tokens import term_counts

#: Confidence of the links of a fact: to whom it is about, to what it names, to where it was said, to what resembles it.
ABOUT = 0.9
NAMED = 0.8
TOLD = 0.8
RELATED = 0.5

_VERBS = {
    Kind.IDENTITY: ("是", "is"),
    Kind.DATE: ("日子", "has the date"),
    Kind.PREFERENCE: ("好恶", "has the taste"),
    Kind.RELATION: ("关系", "has"),
    Kind.EVENT: ("经历", "lived through"),
    Kind.PROMISE: ("答应", "promised"),
    Kind.STATE: ("状态", "is in the state"),
    Kind.KNOWLEDGE: ("说的是", "is told of"),
}
_WORDS = {"about": ("关于", "is about"), "names": ("提到", "mentions"), "in": ("见于", "told in"), "tells": ("说到", "tells")}
_WORDS |= {
    "related": ("相关", "is related to"),
    "by": ("出自", "comes from the talk of"),
    "same day": ("同一天", "is on the same day as"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What entries are made on. ``names``: normal name → id of the mind's note; ``old``: notes of the mind that links may
    end at, by id; ``active``: those most active lately, the most active first; ``situations``: message id → id of the
    situation that quotes it."""

    at: datetime
    messages: Mapping[str, Message]
    names: Mapping[str, str]
    old: Mapping[str, Note]
    active: tuple[Note, ...] = ()
    situations: Mapping[str, str] = field(default_factory=dict)

    def places(self, sources: Iterable[str]) -> tuple[str, ...]:
        """The lines with these ids as ``file:line``."""
        return tuple(f"{said.file}:{said.line}" for source in sources if (said := self.messages.get(source)) is not None)


def word(name: str, text: str) -> str:
    """A verb in the language of ``text``."""
    return _WORDS[name][0 if has_cjk(text) else 1]


def link(source: str, target: str, payload: Payload, at: datetime, intensity: float = 1.0) -> Link:
    """A link whose id says what it is: made again it is the same."""
    return Link(
        id=link_id(source, target, payload), source=source, target=target, payload=payload, created_at=at, intensity=intensity
    )


# -- what derive gives --------------------------------------------------------------------------------------------------------


def derived_entries(derived: Derived, ground: Ground) -> Iterator[Entry]:
    """An entry for each situation and concept with the links that leave it, and one for all that is between known notes."""
    new = {note.id for note in derived.notes}
    of_note: dict[str, list[Link]] = defaultdict(list)
    between: list[Link] = []
    for one in derived.links:
        owner = one.source if one.source in new else one.target
        (of_note[owner] if owner in new else between).append(one)
    for note in derived.notes:
        yield Entry(
            number=0,
            sign=Sign.NEW,
            kind="situation" if note.type is NoteType.SPECIFIC else "concept",
            text=display_text(note.body),
            why="an exchange, as it was said"
            if note.type is NoteType.SPECIFIC
            else f"named in the talk ({', '.join(note.tags)})",
            sources=ground.places(note.sources),
            parts=Parts(notes=(note,), links=tuple(of_note[note.id])),
        )
    if between or derived.sources_added:
        yield Entry(
            number=0,
            sign=Sign.STRENGTHENED,
            kind="link",
            text=_came_up(len(between), derived.sources_added, ground),
            why="they came up again",
            sources=ground.places(dict.fromkeys(message for _, message in derived.sources_added)),
            parts=Parts(links=tuple(between), sources_added=derived.sources_added),
        )
    for told in derived.told:
        yield _alias_entry(told, ground.old[told.id], "named in the talk")


#: So many of those who came up again are called by name.
_MOST_CALLED = 3


def _name(note: Note) -> str:
    """What a note is called in a sentence: of a concept its name alone."""
    return note.body.content if isinstance(note.body, Semantic) else display_text(note.body)


def _came_up(links: int, lines: Sequence[tuple[str, str]], ground: Ground) -> str:
    """*Wren and Tomas came up in 2 more lines; 1 new link between what is known*."""
    told = []
    if lines:
        ids = dict.fromkeys(note for note, _ in lines)
        names = [_name(ground.old[note]) for note in ids if note in ground.old]
        told.append(f"{_listed(names, len(ids))} came up in {counted(len({message for _, message in lines}), 'more line')}")
    if links:
        told.append(f"{counted(links, 'new link')} between what is known")
    return "; ".join(told)


def _listed(names: Sequence[str], count: int) -> str:
    """``Wren``, ``Wren and Tomas``, ``Wren, Tomas, Ann and 2 others``."""
    called = list(names[:_MOST_CALLED])
    if not called:
        return "What is known"
    if count > len(called):
        called.append(counted(count - len(called), "other"))
    return called[0] if len(called) == 1 else f"{', '.join(called[:-1])} and {called[-1]}"


# -- facts --------------------------------------------------------------------------------------------------------------------


def fact_note(fact: Fact, at: datetime) -> Note:
    """The note a fact becomes. What is agreed upon for a day fades from that day on."""
    body = Semantic(content=fact.text, concept_type=ConceptType.ABSTRACT, category=fact.kind.category, valid_from=fact.since)
    return Note(
        id=fact.note_id,
        key=fact.key,
        body=body,
        tags=tuple(dict.fromkeys((fact.kind.value, *fact.tags))),
        created_at=at,
        decayed_at=ageing_from(body, at, fact.when[0] if fact.when else None),
        scope=fact.scope,
        kept_from=fact.kept_from,
        sources=fact.sources,
    )


def owners_of(derived: Derived, names: Mapping[str, str]) -> dict[str, str]:
    """Normal name → note id, of the mind and of the new concepts."""
    owners = dict(names)
    for note in derived.notes:
        if isinstance(note.body, Semantic):
            for name in (note.body.content, *note.body.aliases):
                owners.setdefault(normal_name(name), note.id)
    return owners


def fact_entries(merged: Merged, owners: Mapping[str, str], ground: Ground) -> Iterator[Entry]:
    """New facts with their links; facts said again; facts that no longer hold."""
    for fact in merged.new:
        yield _new_fact(fact, owners, ground)
    for known, said in merged.again:
        yield _said_again(known, said, ground)
    texts = {fact.note_id: fact.text for fact in merged.new}
    texts |= {known.note.id: display_text(known.note.body) for known, _ in merged.again}
    texts |= {note.id: display_text(note.body) for note in (*ground.old.values(), *merged.known)}
    sources = {fact.note_id: fact.sources for fact in merged.new}
    for new, old, at, why in merged.over:
        yield Entry(
            number=0,
            sign=Sign.CUT,
            kind="superseded",
            text=f"{texts.get(old, old)}  →  {texts.get(new, new)}",
            why=why,
            sources=ground.places(sources.get(new, ())),
            parts=Parts(
                supersedes=(Superseding(new=new, old=old, at=at or ground.at, reason=why, corrects=old in merged.wrong),)
            ),
        )
    for one, other, why in merged.undecided:
        yield _undecided(one, other, why, texts, ground)


def _undecided(one: str, other: str, why: str, texts: Mapping[str, str], ground: Ground) -> Entry:
    """Two facts that contradict each other, of which both stay: a link each way says so."""
    verb = CONTRADICTS[0 if has_cjk(texts.get(one, "")) else 1]
    links = tuple(link(source, target, Sem(verb, RELATED), ground.at) for source, target in ((one, other), (other, one)))
    return Entry(
        number=0,
        sign=Sign.NEW,
        kind="contradiction",
        text=f"{texts.get(other, other)}  ≠  {texts.get(one, one)}",
        why=why,
        parts=Parts(links=links),
    )


def _new_fact(fact: Fact, owners: Mapping[str, str], ground: Ground) -> Entry:
    note = fact_note(fact, ground.at)
    return Entry(
        number=0,
        sign=Sign.NEW,
        kind=fact.kind.value,
        text=fact.text,
        why=f"stated ({fact.rule})",
        sources=ground.places(fact.sources),
        parts=Parts(notes=(note,), links=tuple(_fact_links(fact, note.id, owners, ground))),
    )


def _fact_links(fact: Fact, note: str, owners: Mapping[str, str], ground: Ground) -> Iterator[Link]:
    at = ground.at
    verb = _VERBS[fact.kind][0 if has_cjk(fact.text) else 1]
    about = owners.get(normal_name(fact.subject))
    named = dict.fromkeys(owner for name in fact.names if (owner := owners.get(normal_name(name))) and owner not in (about, note))
    if about is not None and about != note:
        yield link(about, note, Sem(verb, ABOUT), at)
        yield link(note, about, Sem(word("about", fact.text), ABOUT), at)
    for owner in named:
        yield link(note, owner, Sem(word("names", fact.text), NAMED), at)
        yield link(owner, note, Sem(word("in", fact.text), NAMED), at)
    for situation in dict.fromkeys(ground.situations[source] for source in fact.sources if source in ground.situations):
        yield link(situation, note, Sem(word("tells", fact.text), TOLD), at)
        yield link(note, situation, Sem(word("in", fact.text), TOLD), at)


def _said_again(known: KnownFact, fact: Fact, ground: Ground) -> Entry:
    pairs = tuple((known.note.id, source) for source in fact.sources if source not in known.note.sources)
    body = known.note.body
    is_earlier = isinstance(body, Semantic) and fact.since and (body.valid_from is None or fact.since < body.valid_from)
    return Entry(
        number=0,
        sign=Sign.STRENGTHENED,
        kind=fact.kind.value,
        text=display_text(known.note.body),
        why=f"said again: {fact.text}",
        sources=ground.places(fact.sources),
        parts=Parts(
            sources_added=pairs,
            updates=(NoteUpdate(note=known.note.id, values={"valid_from": fact.since}),) if is_earlier else (),
        ),
    )


# -- names --------------------------------------------------------------------------------------------------------------------


def name_entries(facts: Sequence[Fact], owners: dict[str, str], ground: Ground) -> Iterator[Entry]:
    """Whoever is said to be called something: a concept of that name, which is also called what was said (小红的妹妹).

    Whoever a model says something of is a concept too, where the lines name him. New concepts join ``owners``.
    """
    for fact in facts:
        if fact.rule == MODEL and normal_name(fact.subject) not in owners and _is_named(fact, ground):
            yield _name_entry(fact.subject, _free_aliases(fact, owners), fact, owners, ground)
        for name, alias in _callings(fact, owners):
            owner = owners.get(normal_name(name)) or owners.get(normal_name(alias))
            if owner is None:
                yield _name_entry(name, (alias,), fact, owners, ground)
            elif _is_wider(owner, fact, ground):
                if not {normal_name(name), normal_name(alias)} <= owners.keys():
                    yield _name_entry(name, (alias,), fact, owners, ground)
            else:
                for form in (name, alias):
                    owners.setdefault(normal_name(form), owner)
                yield from _with_alias(owner, (name, alias), fact, ground)


def _is_wider(owner: str, fact: Fact, ground: Ground) -> bool:
    """Whether others may hear of the note than of the fact: then it is told nothing by it, and the name gets a note of its
    own."""
    note = ground.old.get(owner)
    return note is not None and not is_heard_alike(note, fact)


def _callings(fact: Fact, owners: Mapping[str, str]) -> list[tuple[str, str]]:
    """What is called what by this fact: (name, another name). By a model's word nothing is called what another thing is."""
    if fact.called:
        return [fact.called]
    if fact.rule == "called":
        return [(alias, fact.subject) for alias in fact.aliases]
    known = fact.rule == MODEL and normal_name(fact.subject) in owners
    return [(fact.subject, alias) for alias in _free_aliases(fact, owners)] if known else []


def _free_aliases(fact: Fact, owners: Mapping[str, str]) -> tuple[str, ...]:
    """The other names of the subject that nothing else has."""
    owner = owners.get(normal_name(fact.subject))
    return tuple(alias for alias in fact.aliases if owners.get(normal_name(alias), owner) == owner)


def _is_named(fact: Fact, ground: Ground) -> bool:
    """Whether the talk that a fact comes from names its subject."""
    said = (message for message in ground.messages.values() if not message.hidden)
    return any(normal_name(fact.subject) in normal_name(f"{message.speaker}\n{message.text}") for message in said)


def _name_entry(name: str, aliases: tuple[str, ...], fact: Fact, owners: dict[str, str], ground: Ground) -> Entry:
    note = _name_note(name, aliases, fact, ground)
    owners |= {normal_name(form): note.id for form in (name, *aliases)}
    return Entry(
        number=0,
        sign=Sign.NEW,
        kind="concept",
        text=f"{name}（{'、'.join(aliases)}）" if aliases else name,
        why="named as such",
        sources=ground.places(fact.sources),
        parts=Parts(notes=(note,)),
    )


def with_aliases(derived: Derived, facts: Sequence[Fact], names: Mapping[str, str]) -> Derived:
    """What was derived, where new concepts know what else they are called by these facts. ``names``: those of the mind."""
    owners = owners_of(derived, names)
    called: dict[str, list[str]] = defaultdict(list)
    for fact in facts:
        if fact.called:
            called[normal_name(fact.called[0])].append(fact.called[1])
        elif fact.rule == MODEL:
            called[normal_name(fact.subject)] += _free_aliases(fact, owners)
    notes = []
    for note in derived.notes:
        body = note.body
        if isinstance(body, Semantic) and (more := called.get(normal_name(body.content))):
            note = replace(note, body=replace(body, aliases=tuple(dict.fromkeys((*body.aliases, *more)))))
        notes.append(note)
    return replace(derived, notes=tuple(notes))


def _name_note(name: str, aliases: tuple[str, ...], fact: Fact, ground: Ground) -> Note:
    mark = derived_id("name", name, *aliases, *heard_mark(fact.scope, fact.kept_from))[:6]
    key = f"sem_{normal_name(name).replace(' ', '_')}_{mark}"
    return Note(
        id=derived_id("note", key),
        key=key,
        body=Semantic(content=name, aliases=aliases),
        tags=("name",),
        created_at=ground.at,
        decayed_at=ground.at,
        scope=fact.scope,
        kept_from=fact.kept_from,
        sources=fact.sources,
    )


def _with_alias(owner: str, forms: Sequence[str], fact: Fact, ground: Ground) -> Iterator[Entry]:
    """The alias entry of a note of the mind; a note born in the same batch has its own names."""
    note = ground.old.get(owner)
    if note is None or not isinstance(note.body, Semantic):
        return
    known = {normal_name(form) for form in (note.body.content, *note.body.aliases)}
    more = tuple(form for form in dict.fromkeys(forms) if normal_name(form) not in known)
    if more:
        told = replace(note, body=replace(note.body, aliases=(*note.body.aliases, *more)))
        yield _alias_entry(told, note, fact.text, ground.places(fact.sources))


def aliases_of(note: Note) -> tuple[str, ...]:
    """The other names of a note; only a Semantic one has some."""
    return note.body.aliases if isinstance(note.body, Semantic) else ()


def _alias_entry(told: Note, before: Note, why: str, sources: tuple[str, ...] = ()) -> Entry:
    """``told``, a note of the mind with more names than it had ``before``."""
    return Entry(
        number=0,
        sign=Sign.CHANGED,
        kind="alias",
        text=f"{_name(told)} = {', '.join(name for name in aliases_of(told) if name not in aliases_of(before))}",
        why=why,
        sources=sources,
        parts=Parts(told=(told,), updates=(content_update(told),)),
    )


# -- links to what is there ---------------------------------------------------------------------------------------------------


def active_entries(facts: Sequence[Fact], ground: Ground) -> Iterator[Entry]:
    """Links between new facts and the notes that were most active, where they share a word that tells something; and between
    facts of one day. At most 32."""
    made: list[tuple[Link, str]] = []
    words = {fact.note_id: telling_words(fact.text) for fact in facts}
    for note in ground.active:
        there = telling_words(display_text(note.body))
        for fact in facts:
            shared = words[fact.note_id] & there
            if shared and note.id != fact.note_id:
                verb = word("related", fact.text)
                why = f"both name {', '.join(sorted(shared)[:3])}"
                made.append((link(fact.note_id, note.id, Sem(verb, RELATED), ground.at), why))
                if note.type in (NoteType.SEMANTIC, NoteType.SPECIFIC, NoteType.ABSTRACT):
                    made.append((link(note.id, fact.note_id, Sem(verb, RELATED), ground.at), why))
    made += [(one, "on the same day") for one in _same_day(facts, ground.at)]
    if made:
        kept = made[:MOST_LINKS]
        yield Entry(
            number=0,
            sign=Sign.NEW,
            kind="link",
            text=f"{counted(len(kept), 'link')} between new facts and what was on the mind",
            why="; ".join(dict.fromkeys(why for _, why in kept))[:200],
            parts=Parts(links=tuple(one for one, _ in kept)),
        )


def telling_words(text: str) -> frozenset[str]:
    """The words of a text that tell it from others: of two characters and more, none of everybody's."""
    return frozenset(
        term
        for term in term_counts(text)
        if len(term) > (1 if has_cjk(term) else 3) and term not in stop_words() and not term.isdecimal()
    )


def _same_day(facts: Sequence[Fact], at: datetime) -> Iterator[Link]:
    by_day: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        if fact.when is not None and (fact.when[1] - fact.when[0]).days <= 1:
            by_day[f"{fact.when[0]:%Y-%m-%d}"].append(fact)
    for some in by_day.values():
        for one, other in itertools.pairwise(some):
            if one.note_id != other.note_id:
                yield link(one.note_id, other.note_id, Sem(word("same day", one.text), RELATED), at)


def anchored(entries: Sequence[Entry], ground: Ground) -> list[Entry]:
    """``entries`` in which every new note leads to an old one, as far as there are any: what has no such link gets one to the old
    note that its neighbours lead to."""
    links = [one for entry in entries for one in entry.parts.links]
    neighbours: dict[str, list[str]] = defaultdict(list)
    for one in links:
        neighbours[one.source].append(one.target)
        neighbours[one.target].append(one.source)
    return [_anchored(entry, neighbours, ground) for entry in entries]


def _anchored(entry: Entry, neighbours: Mapping[str, Sequence[str]], ground: Ground) -> Entry:
    more: list[Link] = []
    for note in entry.parts.notes:
        if not ground.old or any(one in ground.old for one in neighbours.get(note.id, ())):
            continue
        anchor = _anchor(note.id, neighbours, ground.old)
        if anchor is not None and note.type is not NoteType.PROCEDURE:
            text = display_text(note.body)
            more.append(link(note.id, anchor, Sem(word("by", text), RELATED), ground.at))
    return replace(entry, parts=replace(entry.parts, links=(*entry.parts.links, *more))) if more else entry


def _anchor(note: str, neighbours: Mapping[str, Sequence[str]], old: Collection[str]) -> str | None:
    """The old note nearest to this one, at most three steps away."""
    seen, at = {note}, [note]
    for _ in range(3):
        at = [one for place in at for one in neighbours.get(place, ()) if one not in seen]
        found = [one for one in at if one in old]
        if found:
            return found[0]
        seen.update(at)
    return None
