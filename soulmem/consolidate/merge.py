"""New facts beside what the mind knows: the same again, another value, or something new (SPEC §6.2, §9).

Of two values of a slot that holds one at a time the later one holds. Later is what *began* later, where that is told (*in 1999 I
moved to Paris* takes nothing from where somebody lives now); else what was said later, by the order of lines in one chat or by
times. Where nobody knows, both stay, and it is recorded that they contradict each other: so it is with what two people say of a
third, and with what another says of somebody later than that one's own word.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta

from soulmem.consolidate.facts import ENDED, FIXED, Fact, same_form, says_of, stem_of, stem_of_key
from soulmem.model.notes import Note, Semantic
from soulmem.text.names import normal_name

#: What is told to have begun so long before something else was known to be so is history.
HISTORY = timedelta(days=90)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFact:
    """A fact the mind has: its note; when it was said first and last (``None``: unknown), at which line of which chat it was said
    last, by whom (empty: by several, or nobody knows); ``superseded``: it holds no longer."""

    note: Note
    said_at: datetime | None = None
    first_at: datetime | None = None
    chat: str = ""
    place: int = -1
    by: str = ""
    superseded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """What becomes of the facts. ``new``: to be made notes; ``again``: (known fact, fact) said again; ``over``: (id of the
    note that holds, id of the note that no longer does, since when, why); ``wrong``: ids of the notes among the latter that
    were said wrong, and never were so; ``undecided``: (id, id, why) of notes that contradict each other, of which nobody knows
    which is newer."""

    new: tuple[Fact, ...] = ()
    again: tuple[tuple[KnownFact, Fact], ...] = ()
    over: tuple[tuple[str, str, datetime | None, str], ...] = ()
    wrong: frozenset[str] = frozenset()
    undecided: tuple[tuple[str, str, str], ...] = ()
    known: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class _Claim:
    """A fact, known or new, as something that was claimed. ``began``: from when to when it began, where that is told."""

    id: str
    heard: tuple[str, frozenset[str]]
    says: str
    subject: str
    by: str
    said_at: datetime | None
    first_at: datetime | None
    chat: str
    place: int
    began: tuple[datetime, datetime] | None
    until: datetime | None = None


@dataclass(slots=True)
class _Table:
    """The facts of each stem, known and new, while they are merged. ``gone``: ids of what holds no longer."""

    chat_of: Mapping[str, str]
    known: dict[str, list[KnownFact]] = field(default_factory=lambda: defaultdict(list))
    new: dict[str, list[Fact]] = field(default_factory=lambda: defaultdict(list))
    over: list[tuple[str, str, datetime | None, str]] = field(default_factory=list)
    undecided: list[tuple[str, str, str]] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    wrong: set[str] = field(default_factory=set)

    def claim(self, fact: Fact) -> _Claim:
        chat = self.chat_of.get(fact.sources[-1], "") if fact.sources else ""
        began = fact.began if fact.began and (fact.said_at is None or fact.began[0] <= fact.said_at) else None
        subject, by = normal_name(fact.subject), normal_name(fact.by)
        return _Claim(
            fact.note_id, fact.heard, fact.says, subject, by, fact.said_at, fact.said_at, chat, fact.place, began
        )  # fmt: skip

    def held(self, stem: str, fact: Fact, *, beyond: bool = False) -> Iterator[_Claim]:
        """What is claimed of this stem (``beyond``: of all that begin so) in the scope of ``fact`` and is not gone."""
        subject = normal_name(fact.subject)
        for one in self.known[stem]:
            is_here = beyond or stem_of_key(one.note.key) == stem
            if is_here and not one.superseded and is_heard_alike(one.note, fact) and one.note.id not in self.gone:
                yield known_claim(one, subject)
        for own, others in self.new.items():
            for other in others if own == stem or (beyond and own.startswith(stem)) else ():
                if other.heard == fact.heard and other.note_id not in self.gone:
                    yield self.claim(other)


def known_claim(one: KnownFact, subject: str) -> _Claim:
    """What a known fact claims of ``subject``."""
    body = one.note.body
    since, until = (body.valid_from, body.valid_until) if isinstance(body, Semantic) else (None, None)
    first = one.first_at or one.said_at
    began = (since, since) if since else None
    says, by = says_of(one.note.key), normal_name(one.by)
    heard = (one.note.scope, frozenset(one.note.kept_from))
    return _Claim(
        one.note.id, heard, says, subject, by, one.said_at, first, one.chat, one.place, began, until
    )  # fmt: skip


def merge(facts: Sequence[Fact], known: Mapping[str, Sequence[KnownFact]], chat_of: Mapping[str, str]) -> Merged:
    """Facts in the order they were said, beside the ``known`` ones by stem: of their own stems and of those they end.
    ``chat_of``: message id → chat id.

    The same fact is kept once. Facts heard in different scopes never meet.
    """
    table = _Table(chat_of)
    for stem, found in known.items():
        table.known[stem] = list(found)
    again: list[tuple[KnownFact, Fact]] = []
    for fact in facts:
        same = next((one for one in table.known[fact.stem] if _is_same(one, fact)), None)
        if same is not None and same.note.id not in table.gone:
            again.append((same, fact))
        elif not _is_read_again(fact, table) and not _repeats(fact, table):
            _add(fact, table)
        _end(fact, table)
    new = tuple(fact for facts_ in table.new.values() for fact in facts_)
    order = {fact.note_id: number for number, fact in enumerate(facts)}
    return Merged(
        new=tuple(sorted(new, key=lambda fact: order.get(fact.note_id, len(order)))),
        again=tuple(again),
        over=tuple(table.over),
        wrong=frozenset(table.wrong),
        undecided=tuple(one for one in table.undecided if not table.gone.intersection(one[:2])),
    )


def stand_ins(facts: Sequence[Fact], merged: Merged) -> dict[str, str]:
    """The id of the note that says it in the end, for the note each of ``facts`` would have become."""
    told = {(fact.stem, fact.heard, fact.says): fact.note_id for fact in merged.new}
    told |= {(fact.stem, fact.heard, fact.says): known.note.id for known, fact in merged.again}
    made = {fact.note_id for fact in merged.new}
    keys = {fact.note_id: (fact.stem, fact.heard, fact.says) for fact in facts}
    return {id_: id_ if id_ in made else told[key] for id_, key in keys.items() if id_ in made or key in told}


def is_heard_alike(note: Note, fact: Fact) -> bool:
    """Whether a note was heard where the fact was, and is kept from the same people."""
    return (note.scope, frozenset(note.kept_from)) == fact.heard


def is_known(one: KnownFact, fact: Fact) -> bool:
    """Whether a known fact says the same, whether it holds still or not."""
    key = one.note.key
    return is_heard_alike(one.note, fact) and stem_of_key(key) == fact.stem and says_of(key) == fact.says


def _is_same(one: KnownFact, fact: Fact) -> bool:
    """Whether a known fact says it already: one that holds, or one that held at the time of which the new one tells."""
    if not is_known(one, fact):
        return False
    if not one.superseded:
        return True
    until = one.note.body.valid_until if isinstance(one.note.body, Semantic) else None
    return fact.began is not None and until is not None and fact.began[1] < until


def _is_read_again(fact: Fact, table: _Table) -> bool:
    """Whether the very line was read before, of which the mind has a note that holds no longer."""
    return any(one.note.id == fact.note_id for one in table.known[fact.stem])


def _repeats(fact: Fact, table: _Table) -> bool:
    """Whether a fact of this batch says it already; then that one gets its line as a source too."""
    for number, other in enumerate(table.new[fact.stem]):
        if other.heard == fact.heard and other.says == fact.says and other.note_id not in table.gone:
            sources = tuple(dict.fromkeys((*other.sources, *fact.sources)))
            by = fact.by if fact.by == other.by else ""
            # The key stays that of the line that said it first.
            table.new[fact.stem][number] = replace(
                other, sources=sources, said_at=fact.said_at, place=fact.place, by=by, began=other.began or fact.began
            )
            return True
    return False


def _add(fact: Fact, table: _Table) -> None:
    """A new fact beside those of its slot."""
    claim = table.claim(fact)
    if fact.contradicts and not fact.is_end:
        for other in list(table.held(fact.stem, fact)):
            _contradict(fact, claim, other, table)
        _put_between(fact, claim, table)
        fact = _after_another(fact, table)
    table.new[fact.stem].append(fact)


def _after_another(fact: Fact, table: _Table) -> Fact:
    """``fact`` with since when it holds, where something else stood in its slot before and was ended."""
    ended = any(one.superseded and stem_of_key(one.note.key) == fact.stem for one in table.known[fact.stem])
    ended = ended or any(other.note_id in table.gone for other in table.new[fact.stem])
    ended = ended or any(one.note.id in table.gone and stem_of_key(one.note.key) == fact.stem for one in table.known[fact.stem])
    if fact.began is None and fact.said_at is not None and ended and fact.slot not in FIXED:
        return replace(fact, began=(fact.said_at, fact.said_at))
    return fact


def _contradict(fact: Fact, claim: _Claim, other: _Claim, table: _Table) -> None:
    if _has_passed(fact, other):
        return
    later = _later(claim, other)
    if later is None:
        table.undecided.append((claim.id, other.id, f"{fact.slot}: nobody knows which is newer"))
    elif later:
        _supersede(claim, other, f"{fact.slot}: {fact.text}", table, wrong=fact.slot in FIXED)
    else:
        why = f"{fact.slot}: of an earlier time" if claim.began else f"{fact.slot}: said before"
        _supersede(_first_after(claim, other, fact, table), claim, why, table)


def _first_after(claim: _Claim, other: _Claim, fact: Fact, table: _Table) -> _Claim:
    """What ``claim``, that is history, ended with: the first thing that the mind knows to have come after it, whether that holds
    still (``other``) or not; as of when it was known first, or began. So nobody takes that to have held before, too."""
    if claim.began is None:
        return other
    known = [one for one in table.known[fact.stem] if is_heard_alike(one.note, fact) and stem_of_key(one.note.key) == fact.stem]
    ended = [known_claim(one, claim.subject) for one in known if one.superseded or one.note.id in table.gone]
    ended += [table.claim(one) for one in table.new[fact.stem] if one.heard == fact.heard and one.note_id in table.gone]
    after = [
        (since, one)
        for one in (*ended, other)
        if one.id not in table.wrong and not _never_held(one)
        for since in _begins(one)
        if since > claim.began[0] and not (one.until and one.until <= since)
    ]
    first, one = min(after, key=lambda pair: pair[0], default=(None, other))
    return replace(one, began=(first, first)) if first else other


def _never_held(claim: _Claim) -> bool:
    return claim.until is not None and claim.began is not None and claim.until <= claim.began[0]


def _begins(claim: _Claim) -> Iterator[datetime]:
    """When a claim began, as far as that is known: at the latest when it was said first."""
    at = claim.began[0] if claim.began else claim.first_at
    if at is not None:
        yield at


def _supersede(new: _Claim, old: _Claim, why: str, table: _Table, *, wrong: bool = False) -> None:
    table.gone.add(old.id)
    if wrong:
        table.wrong.add(old.id)
    table.over.append((new.id, old.id, _changed_at(new, old), why))


def _changed_at(new: _Claim, old: _Claim) -> datetime | None:
    """When ``new`` took the place of ``old``: when it began, where that is told; else when it was said first."""
    at = new.began[0] if new.began else new.first_at
    since = old.began[0] if old.began else None
    return max(at, since) if at and since else at or since


def _later(one: _Claim, other: _Claim) -> bool | None:
    """Whether ``one`` is newer than ``other``; ``None`` where nobody knows."""
    if one.began and other.began and one.began[0] != other.began[0]:
        return one.began[0] > other.began[0]
    if _is_history(one, other):
        return False
    if _is_history(other, one):
        return True
    if one.by and other.by and one.by != other.by and not one.began:
        return True if one.by == one.subject else None
    return _said_later(one, other)


def _is_history(one: _Claim, other: _Claim) -> bool:
    """Whether ``one`` tells of what began long before ``other`` was known to be so."""
    return one.began is not None and other.said_at is not None and one.began[1] + HISTORY <= other.said_at


def _said_later(one: _Claim, other: _Claim) -> bool | None:
    if one.chat and one.chat == other.chat and one.place != other.place:
        return one.place > other.place
    if one.said_at is None or other.said_at is None or one.said_at == other.said_at:
        return None
    return one.said_at > other.said_at


def _put_between(fact: Fact, claim: _Claim, table: _Table) -> None:
    """What had ended when something else began ends earlier still, if ``fact`` began in between."""
    if claim.began is None:
        return
    for one in table.known[fact.stem]:
        if not one.superseded or not is_heard_alike(one.note, fact) or stem_of_key(one.note.key) != fact.stem:
            continue
        other = known_claim(one, claim.subject)
        since = other.began[0] if other.began else other.first_at
        if since is not None and other.until is not None and since < claim.began[0] < other.until:
            table.over.append((claim.id, other.id, claim.began[0], f"{fact.slot}: {fact.text}"))


def _has_passed(fact: Fact, other: _Claim) -> bool:
    """Whether ``other`` is an appointment that had passed when ``fact`` was said: it was kept, not moved."""
    day = other.says[:8]
    if not fact.slot.startswith("when:") or fact.said_at is None or not day.isdecimal() or len(day) < 8:
        return False
    try:
        return date(int(day[:4]), int(day[4:6]), int(day[6:])) < fact.said_at.date()
    except ValueError:
        return False


def _end(fact: Fact, table: _Table) -> None:
    """What ``fact`` says holds no longer; a slot that ends with a colon stands for all that begin so."""
    for slot, value in fact.ends:
        claim = table.claim(fact)
        for other in list(table.held(stem_of(fact.subject, slot), fact, beyond=slot.endswith(":"))):
            fits = not value or _is_value(slot, same_form(value), other.says)
            is_ended = other.says.startswith(ENDED) or _has_passed(fact, other) or _is_history(claim, other)
            if other.id != claim.id and fits and not is_ended and _said_later(claim, other):
                _supersede(claim, other, fact.text, table, wrong=fact.rule == "kin")


def _is_value(slot: str, value: str, says: str) -> bool:
    """Whether ``says`` is the value that ends; a day stands for every hour of it."""
    return says.startswith(value) if slot.startswith("when:") else says == value
