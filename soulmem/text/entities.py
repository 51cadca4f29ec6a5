"""Who and what a conversation names, found without any model: named entities and recurring topics, Chinese and English.

English names are told by their capitals where no sentence begins; Chinese names by jieba's tags, by book-title marks and by how
people introduce them (我叫…). Topics are content words and word pairs that recur, but not everywhere.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from soulmem.text import _entities_en, _entities_zh
from soulmem.text._candidates import Candidate
from soulmem.text.given_names import persons_of
from soulmem.text.language import has_cjk
from soulmem.text.names import normal_name
from soulmem.text.tokens import cut_words

#: A topic recurs in at least so many texts …
LEAST_TEXTS = 3
#: … and in at most this share of them (of few texts: at most ``FEW_TEXTS``).
MOST_SHARE = 0.2
FEW_TEXTS = 4
#: A short form of a first name has at least so many letters.
_LEAST_SHORT = 3
#: Of more forms of names than this the texts they stand in are looked up for all of them at once.
_FEW_FORMS = 32
#: Progress is told after so many texts.
_TOLD = 256
#: At most one topic for so many texts.
TEXTS_PER_TOPIC = 4


@dataclass(frozen=True, slots=True)
class Mentions:
    """``texts``: ascending indices of the texts that name it; ``aliases``: other forms of the name that occur in them."""

    texts: tuple[int, ...]
    aliases: tuple[str, ...] = ()


def entity_mentions(
    texts: Sequence[str],
    *,
    speakers: Iterable[str] = (),
    known: Iterable[str] = (),
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Mentions]:
    """Named entities of a conversation: canonical name → where it is named, most named first, then by name.

    A given name is found with the one full name that it certainly stands for (:mod:`soulmem.text.given_names`), as its alias.

    ``speakers``: names of those who talk. A speaker is found by the full name and by short forms of it (Mel for Melanie; 曼婷,
    小婷 for 张曼婷) when these belong to one speaker only; short forms are given as aliases. Speakers whom no text names are left
    out. ``known``: names that others have; they are found too, if they are Chinese, whose words do not show what is a name.
    ``progress(done, total)`` is told of texts, now and then.
    """
    people = tuple(dict.fromkeys(speaker for speaker in speakers if normal_name(speaker)))
    short = _short_forms(people)
    owners = _Owners(people, short)
    named = tuple(known)
    texts_of: dict[str, set[int]] = defaultdict(set)
    forms_of: dict[str, Counter[str]] = defaultdict(Counter)

    def gone(number: int) -> None:
        if progress is not None and number % _TOLD == 0:
            progress(number, len(texts))

    for candidate in (*_people(texts, people, short), *_entities_en.entities(texts), *_entities_zh.entities(texts, gone, named)):
        owner = owners.of(candidate.name)
        texts_of[owner] |= candidate.texts
        for form in (candidate.name, *candidate.forms):
            forms_of[owner][form] += len(candidate.texts)
    alone = _given_names(texts_of.keys() - set(people), texts)
    for given, name in persons_of({**alone, **texts_of}, texts, (*named, *people)).items():
        if not {given, name} & set(people):
            places = texts_of.pop(given, alone.get(given, set()))
            texts_of[name] |= places
            forms_of[name][given] += len(places)
    ranked = sorted(texts_of, key=lambda name: (-len(texts_of[name]), name))
    return {name: Mentions(tuple(sorted(texts_of[name])), _aliases(name, forms_of[name])) for name in ranked}


def topic_mentions(
    texts: Sequence[str], *, speakers: Iterable[str] = (), entities: Mapping[str, Mentions] | None = None
) -> dict[str, Mentions]:
    """Recurring topics: canonical form → where it comes up, the most telling first; entities and speakers are no topics.

    A topic comes up in at least 3 texts and in at most a fifth of them (of fewer than 20 texts: in at most 4); at most one topic
    for 4 texts. Its other forms in the texts (painting, paintings) are its aliases. ``entities``: what :func:`entity_mentions`
    found in the same texts, where that is known already.
    """
    people = tuple(speakers)
    names = _words_of_names(entity_mentions(texts, speakers=people) if entities is None else entities, people)
    most = max(FEW_TEXTS, int(len(texts) * MOST_SHARE))
    topics = [
        candidate
        for candidate in (*_entities_en.topics(texts), *_entities_zh.topics(texts))
        if LEAST_TEXTS <= len(candidate.texts) <= most and names.isdisjoint((candidate.name, *candidate.name.split()))
    ]
    topics.sort(key=lambda candidate: (-_telling(candidate, len(texts)), candidate.name))
    best = topics[: len(texts) // TEXTS_PER_TOPIC]
    return {candidate.name: Mentions(tuple(sorted(candidate.texts)), candidate.forms) for candidate in best}


def _telling(candidate: Candidate, number: int) -> float:
    """Texts it comes up in, times the logarithm of their rarity; a pair tells more than a word."""
    frequency = len(candidate.texts)
    return frequency * math.log(number / frequency) * (1.5 if " " in candidate.name else 1.0)


def _words_of_names(mentions: Mapping[str, Mentions], speakers: tuple[str, ...]) -> set[str]:
    forms = {normal_name(form) for name, found in mentions.items() for form in (name, *found.aliases)}
    forms |= {normal_name(speaker) for speaker in speakers}
    return forms | {word for form in forms for word in form.split()}


def _short_forms(people: Sequence[str]) -> dict[str, str]:
    """Short form → the one speaker it belongs to."""
    owners: dict[str, set[str]] = defaultdict(set)
    full = frozenset(people)
    for person in people:
        for form in (*_entities_zh.short_forms(person), *_first_names(person)):
            owners[form].add(person)
    return {form: next(iter(persons)) for form, persons in owners.items() if len(persons) == 1 and form not in full}


def _first_names(person: str) -> Iterator[str]:
    first = person.split()[0]
    if first != person and first.isalpha():
        yield first


class _Owners:
    """Which of those who talk a name means: ``people``, and ``short``, forms that belong to one of them."""

    def __init__(self, people: Sequence[str], short: Mapping[str, str]) -> None:
        self._short = short
        self._named: dict[str, str] = {}
        self._begun: dict[str, list[str]] = defaultdict(list)
        for person in people:
            self._named.setdefault(normal_name(person), person)
            first = normal_name(person).split()[0]
            for length in range(_LEAST_SHORT, len(first)):
                self._begun[first[:length]].append(person)

    def of(self, name: str) -> str:
        """The speaker by full name, known short form, or as the only one whose first name begins so; else the name itself."""
        normal = normal_name(name)
        if normal in self._named:
            return self._named[normal]
        if name in self._short:
            return self._short[name]
        begun = self._begun.get(normal, ()) if name.isascii() and name.isalpha() else ()
        return begun[0] if len(begun) == 1 else name


def _people(texts: Sequence[str], people: Sequence[str], short: Mapping[str, str]) -> Iterator[Candidate]:
    """Speakers and their short forms wherever they stand, at the beginning of a sentence too."""
    forms = (*people, *short)
    holding = _entities_zh.places_of(forms, texts) if len(forms) > _FEW_FORMS else {}
    for form in forms:
        near = holding[form] if holding else range(len(texts))
        places = frozenset(place for place in near if _names_person(texts[place], form, form in short))
        if places:
            yield Candidate(form, places)


def _names_person(text: str, form: str, is_short: bool) -> bool:
    """Whether ``form`` stands in ``text`` as a word; a full Chinese name may stand anywhere, a short form not in 小王子."""
    if form not in text:
        return False
    if has_cjk(form):
        return not is_short or form in cut_words(text)
    return re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text) is not None


def _given_names(names: Iterable[str], texts: Sequence[str]) -> dict[str, set[int]]:
    """Where the given names of these full Chinese names stand alone, which no word need show to be names."""
    near = _entities_zh.places_of({given for name in names if (given := _entities_zh.given_name(name))}, texts)
    found = {given: {place for place in places if _names_person(texts[place], given, True)} for given, places in near.items()}
    return {given: places for given, places in found.items() if places}


def _aliases(name: str, forms: Counter[str]) -> tuple[str, ...]:
    others = sorted((form for form in forms if normal_name(form) != normal_name(name)), key=lambda form: (-forms[form], form))
    return tuple(others)
