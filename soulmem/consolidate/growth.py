"""Patterns of many situations, and ways of acting of many lines (SPEC §6.5); pure."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from soulmem.consolidate.answers import Learned
from soulmem.consolidate.entries import Ground, link, telling_words
from soulmem.consolidate.plan import Entry, Parts, Sign
from soulmem.consolidate.sentences import QUOTED, sentences
from soulmem.model.links import Sem, SituationLink, TrigToAction
from soulmem.model.messages import Message, Role, narrowest
from soulmem.model.notes import (
    AbstractSituation,
    ActionType,
    Event,
    Note,
    Procedure,
    SpecificSituation,
    derived_id,
)
from soulmem.scopes.contexts import drawn_from, heard_mark
from soulmem.settings import Settings
from soulmem.text._numerals import EN_NUMBERS, ZH_NUMERAL
from soulmem.text.language import has_cjk
from soulmem.text.tokens import normal_form

#: A pattern is named by so many words that its situations share, each in at least this share of them.
PATTERN_WORDS = 3
PATTERN_SHARE = 0.5
#: A character's saying is repeated in so many situations, and is so long: characters of Chinese, words elsewhere.
REPEATED = 3
LEAST_ZH, LEAST_EN = 4, 3
MOST_SAYING = 60
#: The probability that its likeliest trigger has, and those of the others.
MAIN, OTHERS = 0.6, 0.2
MOST_TRIGGERS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Lived:
    """A situation with its vector (unit length) and the messages it quotes."""

    note: Note
    vector: NDArray[np.float32]
    messages: tuple[Message, ...]


def clusters(vectors: NDArray[np.float32], similarity: float, baseline: float, least: int) -> list[list[int]]:
    """Groups of rows that are alike: each row of a group is to the group's mean at least as similar as ``similarity`` (calibrated
    cosine: 0 for unrelated texts, 1 for the same). Rows are unit vectors, shape (n, d). At least ``least`` rows each; no row
    is in two; the largest first, then by the first row. The order of rows decides only between equals."""
    if len(vectors) < least:
        return []
    cosines = np.clip((vectors @ vectors.T - baseline) / max(1.0 - baseline, 1e-9), 0.0, 1.0)
    free = np.ones(len(vectors), dtype=bool)
    found: list[list[int]] = []
    while True:
        near = (cosines >= similarity) & free & free[:, np.newaxis]
        degrees = near.sum(axis=1)
        centre = int(degrees.argmax())
        if degrees[centre] < least:
            return sorted(found, key=lambda group: (-len(group), group[0]))
        group = np.flatnonzero(near[centre])
        mean = vectors[group].mean(axis=0)
        mean /= np.linalg.norm(mean) or 1.0
        kept = [int(row) for row in group if (float(vectors[row] @ mean) - baseline) / max(1.0 - baseline, 1e-9) >= similarity]
        if len(kept) >= least:
            found.append(kept)
        free[group] = False


def pattern_entries(lived: Sequence[Lived], baseline: float, settings: Settings, ground: Ground) -> Iterator[Entry]:
    """A pattern for each group of situations that are alike and share words; ``lived``: those that belong to no pattern yet."""
    if not lived:
        return
    for some in _apart(lived):
        vectors = np.stack([one.vector for one in some])
        for group in clusters(vectors, settings.pattern_similarity, baseline, settings.pattern_situations):
            members = [some[number] for number in group]
            words = _shared_words(members)
            if words:
                yield _pattern(members, words, ground)


def _apart(lived: Sequence[Lived]) -> Iterable[list[Lived]]:
    """Situations by where they were heard and from whom they are kept: those of different talks teach nothing together."""
    found: dict[tuple[str, frozenset[str]], list[Lived]] = defaultdict(list)
    for one in lived:
        found[one.note.scope, frozenset(one.note.kept_from)].append(one)
    return found.values()


def _shared_words(members: Sequence[Lived]) -> tuple[str, ...]:
    speakers = {normal_form(said.speaker) for one in members for said in one.messages}
    counts = Counter(word for one in members for word in telling_words("\n".join(said.text for said in one.messages)))
    shared = [
        word
        for word, number in counts.items()
        if number >= PATTERN_SHARE * len(members) and word not in speakers and not _is_number(word)
    ]
    return tuple(sorted(shared, key=lambda word: (-counts[word], -len(word), word))[:PATTERN_WORDS])


#: A number, with what counts or with a particle: 一, 了一, 两个.
_NUMBER_ZH = re.compile(rf"[{ZH_NUMERAL}两几半\d了的着过个只次些点是就也在]+")


def _is_number(word: str) -> bool:
    """Whether a word is nothing but a number, which nobody talks of."""
    return word in EN_NUMBERS or _NUMBER_ZH.fullmatch(word) is not None


def _as_written(word: str, members: Sequence[Lived]) -> str:
    """A word with its capital, where it never stands without: *Biscuit*."""
    if has_cjk(word):
        return word
    found = {form for one in members for said in one.messages for form in re.findall(rf"\b{re.escape(word)}\b", said.text, re.I)}
    return found.pop() if len(found) == 1 else word


def _pattern(members: Sequence[Lived], words: Sequence[str], ground: Ground) -> Entry:
    ids = [one.note.id for one in members]
    note_id = derived_id("pattern", *sorted(ids))
    people = [{said.speaker for said in one.messages} for one in members]
    everywhere = sorted(set.intersection(*people)) if people else []
    zh = has_cjk("".join(words))
    action = ("说起" if zh else "talk of ") + ("、" if zh else ", ").join(_as_written(one, members) for one in words)
    note = Note(
        id=note_id,
        key=f"pat_{_slug('_'.join(words))}_{note_id[:6]}",
        body=AbstractSituation(pattern=Event(action=action, initiator=everywhere[0] if len(everywhere) == 1 else "")),
        tags=("pattern",),
        created_at=ground.at,
        decayed_at=ground.at,
        scope=members[0].note.scope,
        kept_from=members[0].note.kept_from,
        sources=tuple(dict.fromkeys(said.id for one in members for said in one.messages[:1])),
    )
    links = [
        one
        for id_ in ids
        for one in (link(note_id, id_, SituationLink(), ground.at), link(id_, note_id, SituationLink(), ground.at))
    ]
    return Entry(
        number=0,
        sign=Sign.NEW,
        kind="pattern",
        text=action,
        why=f"{len(members)} situations are alike",
        sources=ground.places(note.sources),
        parts=Parts(notes=(note,), links=tuple(links)),
    )


def _slug(text: str) -> str:
    return re.sub(r"\W+", "_", text).strip("_")[:40]


# -- ways of acting -----------------------------------------------------------------------------------------------------------


def procedure_entries(
    lived: Sequence[Lived], known: Mapping[str, str], patterns: Mapping[str, str], ground: Ground
) -> Iterator[Entry]:
    """A way of speaking for each saying that the character repeats in several situations.

    ``known``: normal saying → id of the procedure the mind has. ``patterns``: situation id → id of its pattern. The likeliest
    trigger is a pattern that half of them belong to, else the situation it was said in first; situations heard in different
    scopes teach nothing together.
    """
    for some in _apart(lived):
        for saying, places in sorted(_sayings(some).items()):
            if len(places) >= REPEATED and normal_form(saying) not in known:
                yield _procedure(saying, [some[number] for number in places], patterns, ground)


def _sayings(lived: Sequence[Lived]) -> dict[str, list[int]]:
    """What the character says, sentence by sentence or clause by clause, → the situations it says it in."""
    places: dict[str, list[int]] = defaultdict(list)
    shown: dict[str, str] = {}
    for number, one in enumerate(lived):
        for said in one.messages:
            if said.role is not Role.CHARACTER:
                continue
            for text in _phrases(said.text):
                normal = re.sub(r"[\W_]+", "", normal_form(text))
                shown.setdefault(normal, text)
                if number not in places[normal][-1:]:
                    places[normal].append(number)
    return {shown[normal]: found for normal, found in places.items()}


def _phrases(text: str) -> Iterator[str]:
    for sentence in sentences(text):
        for phrase in dict.fromkeys((sentence.text, *(sentence.clauses if has_cjk(text) else ()))):
            long = len(phrase) >= LEAST_ZH if has_cjk(phrase) else len(phrase.split()) >= LEAST_EN
            if long and len(phrase) <= MOST_SAYING and QUOTED not in phrase:
                yield phrase


def learned_entries(learned: Sequence[Learned], known: Collection[str], ground: Ground) -> Iterator[Entry]:
    """Ways of acting as a model saw them, triggered by the situations that quote their lines. ``known``: ids of procedures that
    are there; what no situation shows is left out."""
    for one in learned:
        lines = [ground.messages[line] for line in one.sources if line in ground.messages]
        scope, kept_from = narrowest([said.scope for said in lines]), drawn_from([said.kept_from for said in lines])
        note_id = procedure_id(one.content, scope, kept_from)
        triggers = list(dict.fromkeys(ground.situations[line] for line in one.sources if line in ground.situations))
        if note_id in known or not triggers:
            continue
        note = Note(
            id=note_id,
            key=f"proc_{_slug(normal_form(one.content))}_{note_id[:6]}",
            body=Procedure(content=one.content, action_type=one.action_type),
            created_at=ground.at,
            decayed_at=ground.at,
            scope=scope,
            kept_from=kept_from,
            sources=one.sources,
        )
        yield _habit(note, triggers[:MOST_TRIGGERS], "as the model has it", ground)


def procedure_id(content: str, scope: str, kept_from: Sequence[str]) -> str:
    """The id of a way of acting, of its own for each talk it was seen in."""
    return derived_id("procedure", content, *heard_mark(scope, kept_from))


def _procedure(saying: str, members: Sequence[Lived], patterns: Mapping[str, str], ground: Ground) -> Entry:
    zh = has_cjk(saying)
    heard = members[0].note
    note_id = procedure_id(saying, heard.scope, heard.kept_from)
    sources = [said.id for one in members for said in one.messages if said.role is Role.CHARACTER and saying in said.text]
    note = Note(
        id=note_id,
        key=f"say_{_slug(normal_form(saying))}_{note_id[:6]}",
        body=Procedure(content=f"说“{saying}”" if zh else f"Say “{saying}”", action_type=ActionType.SPEAK),
        tags=("habit",),
        created_at=ground.at,
        decayed_at=ground.at,
        scope=heard.scope,
        kept_from=heard.kept_from,
        sources=tuple(dict.fromkeys(sources)),
    )
    triggers = _triggers([one.note.id for one in members], patterns)
    return _habit(note, triggers, f"said in {len(members)} situations", ground)


def _habit(note: Note, triggers: Sequence[str], why: str, ground: Ground) -> Entry:
    """A way of acting with its triggers, the likeliest first, and known to the character of itself."""
    content = note.body.content if isinstance(note.body, Procedure) else ""
    links = [
        link(source, note.id, TrigToAction(MAIN if place == 0 else OTHERS), ground.at) for place, source in enumerate(triggers)
    ]
    self_note = next((one.id for one in ground.old.values() if one.core), None)
    if self_note is not None:
        links.append(link(self_note, note.id, Sem("习惯" if has_cjk(content) else "has the habit to", 0.8), ground.at))
    return Entry(
        number=0,
        sign=Sign.NEW,
        kind="procedure",
        text=content,
        why=why,
        sources=ground.places(note.sources),
        parts=Parts(notes=(note,), links=tuple(links)),
    )


def _triggers(situations: Sequence[str], patterns: Mapping[str, str]) -> list[str]:
    counts = Counter(patterns[one] for one in situations if one in patterns)
    main = [one for one, number in counts.most_common(1) if 2 * number >= len(situations)]
    return list(dict.fromkeys([*main, *situations]))[:MOST_TRIGGERS]


def is_situation(note: Note) -> bool:
    """Whether a note is a situation that patterns are drawn from."""
    return isinstance(note.body, SpecificSituation)
