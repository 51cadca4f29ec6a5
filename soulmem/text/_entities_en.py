"""English: names by their capitals, topics by how often nouns recur."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from soulmem.text._candidates import Candidate, candidate_of
from soulmem.text.names import normal_name
from soulmem.text.stopwords import stop_words, words_of
from soulmem.text.tokens import stem

_CAPITALISED = r"(?:[A-ZÀ-ÖØ-Þ]|[a-z](?=[A-Z]))[\wÀ-ɏ]*(?:[-&'’](?!(?:s|ll|ve|re|d|m|t)\b)\w+)*"
_LINK = r"(?:\s(?:of\sthe|of|the|de|la|van|von|del))?\s"
_TITLE = r"(?:(?:Dr|Mr|Mrs|Ms|Prof|St)\.\s)"
_RUN = re.compile(rf"(?<![\w@#]){_TITLE}?{_CAPITALISED}(?:{_LINK}{_TITLE}?{_CAPITALISED})*")
_QUOTED = re.compile(rf"[\"“](?P<name>{_CAPITALISED}(?:['’]s)?(?:{_LINK}{_CAPITALISED}(?:['’]s)?){{1,5}})[\"”]")
_ARTICLE = re.compile(r"\A(?:The|An?)\s")
_LOWER = re.compile(r"(?<![\w'’])[a-zà-ɏ][\wÀ-ɏ]*(?:[-'’]\w+)*")
_BEFORE_START = re.compile(r"(?:\A|[.!?…:;\n*~)\]—–]|[^\w\s,'’&-])[\s\"'“”‘’(\[*_]*\Z")
_QUOTES = {'"': '"', "“": "”", "«": "»"}

#: How far back a sentence start is looked for, in characters.
_REACH = 8

#: Capitalised by rule or in excitement, but no names.
_NO_NAMES = words_of(
    """
i wow hey hi hello thanks thank congrats congratulations omg lol ok okay yeah yes yep yup nope no oh ah aw aww
awww haha hahaha sure sorry please bye goodbye cheers hmm hm ugh yay phew gosh god damn man btw fyi asap idk imo
tbh mr mrs ms dr am pm tv january february march april may june july august september october november december
jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon
tue tues wed thu fri sat sun mom mum dad
"""
)

#: Content words of any conversation, that tell nothing about this one.
_GENERIC = words_of(
    """
absolutely actually agree always amazing anything anyone appreciate awesome back bad beautiful believe best
better big bit bring call care chance check come cool cute day days definitely different deal easy else end
enjoy everyone everything exactly excited exciting fact fantastic feel feeling find first fun gonna good great
guess guys hang happen happy hard hear help hope idea important incredible inspiring interesting journey keep
kind know last later learn left life like little long look looks lot lots love lovely luck matter mean means
mind moment moments month months much nice nothing part perfect person people picture photo image pic place plan
plans pretty proud put reach ready reason remember right say see seem sense share shares show side someone
something sometimes soon sort sound sounds special start stay step stuff super support sure take talk tell thing
things think thinking thought time times today together tomorrow tonight totally touch true try trying turn type
understand use wait want way ways week weekend weeks welcome whatever whole wish wonderful wonder word words
work world worth wow year years yesterday yourself many new old next two three lately recently almost glad able
amount point question answer course case line front top couple bunch hour hours minute minutes morning night
evening afternoon half reminds remind inspire recommend loved favorite fave safe black red ton tons blast others
sharing away full free open active intense now though ages huge key self creative collaborate graceful moves
change changes
"""
)

_DETERMINERS = words_of(
    """
a an the my your his her our their its this that these those some any no of in for with about at on from into
every each
"""
)


_ARTICLES = words_of(
    """
a an the my your his her our their
"""
)

#: A word that stands in one pair in this share of its texts is left to the pair.
_MOSTLY = 0.7


@dataclass(frozen=True, slots=True)
class _Run:
    """Capitalised words that stand together. ``starts``: whether a sentence begins here, so that the first may be no name."""

    text: int
    words: tuple[str, ...]
    starts: bool


def _runs(place: int, text: str) -> Iterator[_Run]:
    for match in _RUN.finditer(text):
        before = text[max(0, match.start() - _REACH) : match.start()]
        quoted = _QUOTES.get(before[-1:]) == text[match.end() : match.end() + 1] != ""
        starts = not quoted and _BEFORE_START.search(before) is not None
        yield _Run(place, tuple(match.group().split()), starts)


@dataclass(frozen=True, slots=True)
class _Usage:
    """How often words occur: capitalised inside a sentence (as written), and in lower case."""

    inside: Counter[str]
    lower: Counter[str]

    def is_name(self, word: str) -> bool:
        low = word.lower()
        if low in _NO_NAMES or low in stop_words() or len(low) < 2:
            return False
        return self.inside[word] > self.lower[low]


def _usage(runs: Sequence[_Run], texts: Sequence[str]) -> _Usage:
    inside = Counter(word for run in runs for word in run.words[run.starts :])
    lower = Counter(word for text in texts for word in _LOWER.findall(text))
    return _Usage(inside, lower)


def entities(texts: Sequence[str]) -> Iterator[Candidate]:
    """Names in ``texts``."""
    unquoted = [_QUOTED.sub(",", text) for text in texts]
    runs = [run for place, text in enumerate(unquoted) for run in _runs(place, text)]
    usage = _usage(runs, unquoted)
    places: dict[str, set[int]] = defaultdict(set)
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    named = [(run.text, name) for run in runs for name in _names(run, usage)]
    named += [(place, _ARTICLE.sub("", match["name"])) for place, text in enumerate(texts) for match in _QUOTED.finditer(text)]
    for place, name in named:
        places[normal_name(name)].add(place)
        forms[normal_name(name)][name] += 1
    for normal in sorted(places):
        yield candidate_of(forms[normal], places[normal])


def _names(run: _Run, usage: _Usage) -> Iterator[str]:
    """The stretches of a run that are names: cut at words that never are, the first word of a sentence doubted."""
    stretch: list[str] = []
    for number, word in enumerate(run.words):
        doubted = len(run.words) == 1 or (run.starts and number == 0)
        if _belongs(word, usage, doubted):
            stretch.append(word)
        else:
            yield from _name(stretch, usage)
            stretch = []
    yield from _name(stretch, usage)


def _belongs(word: str, usage: _Usage, doubted: bool) -> bool:
    """Whether a word of a run may be part of a name: a link (of, the), a title, a name by itself, or any word beside others."""
    if usage.is_name(word) or word.endswith(".") or word.islower():
        return True
    return not doubted and word.lower() not in _NO_NAMES and word.lower() not in stop_words()


def _name(stretch: Sequence[str], usage: _Usage) -> Iterator[str]:
    """The stretch without links at its ends, unless it is one word that is no name."""
    capital = [place for place, word in enumerate(stretch) if not word.islower()]
    words = stretch[capital[0] : capital[-1] + 1] if capital else ()
    if len(words) > 1 or (words and usage.is_name(words[0])):
        yield " ".join(words)


_TOKEN = re.compile(r"[a-z]+(?:[-'’][a-z]+)*|[^\w\s]")


def topics(texts: Sequence[str]) -> Iterator[Candidate]:
    """Nouns and pairs of content words, each with its forms; a word that mostly stands in one pair is left to the pair."""
    places: dict[tuple[str, ...], set[int]] = defaultdict(set)
    forms: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    nouns: Counter[tuple[str, ...]] = Counter()
    for place, text in enumerate(texts):
        for words, is_noun in _phrases(_TOKEN.findall(text.lower())):
            key = tuple(stem(word) for word in words)
            places[key].add(place)
            forms[key][" ".join(words)] += 1
            nouns[key] += is_noun
    good = [key for key in sorted(places) if nouns[key] * 3 >= forms[key].total()]
    covered = {word: len(places[key]) for key in sorted(good, key=lambda key: len(places[key])) if len(key) == 2 for word in key}
    for key in good:
        if len(key) == 2 or covered.get(key[0], 0) < _MOSTLY * len(places[key]):
            yield _with_number_forms(candidate_of(forms[key], places[key]))


def _with_number_forms(candidate: Candidate) -> Candidate:
    """Of the other forms only singular and plural: the name of a painting is no name of what is painted."""
    forms = tuple(form for form in candidate.forms if _singular(form) == _singular(candidate.name))
    return replace(candidate, forms=forms)


def _singular(form: str) -> str:
    return re.sub(r"ies\Z", "y", form) if form.endswith("ies") else re.sub(r"(?:(?<=[sxz])|(?<=[cs]h))es\Z|(?<!s)s\Z", "", form)


def _phrases(tokens: Sequence[str]) -> Iterator[tuple[tuple[str, ...], bool]]:
    """Single content words and adjacent pairs, and whether each stands where nouns stand."""
    around = ["", "", *tokens, "", ""]
    for place, word in enumerate(tokens, start=2):
        if not _is_content(word):
            continue
        yield (word,), _stands_as_noun(around[place - 2 : place + 2])
        if _is_content(around[place + 1]):
            yield (word, around[place + 1]), around[place - 1] in _DETERMINERS and not _is_content(around[place + 2])


def _stands_as_noun(window: Sequence[str]) -> bool:
    """``window``: two words before, the word, one after. After an article or the like, and before no other content word."""
    far, near, word, after = window
    if _is_content(after) or after in _ARTICLES:
        return False
    described = far in _DETERMINERS and near.isalpha() and near not in stop_words() and not word.endswith(("ing", "ed"))
    return near in _DETERMINERS or described


def _is_content(word: str) -> bool:
    return len(word) > 2 and word.isascii() and word.isalpha() and word not in stop_words() and word not in _GENERIC
