"""What is said in confidence: *don't tell Bo*, 别告诉小明, *keep it between us*, 这是秘密; and that it may be told now. By
pattern. A secret too many is better than one too few: what is unclear is kept, and only a whole sentence that says so for
certain lifts anything."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType

from soulmem.text import _confidences_en as en
from soulmem.text import _confidences_zh as zh
from soulmem.text.callings import plain_script
from soulmem.text.language import HAN, has_cjk
from soulmem.text.names import normal_name
from soulmem.text.narrated import own_words
from soulmem.text.spaces import single_spaced
from soulmem.text.spoken import is_plain, listed, plain_signs, unmarked
from soulmem.text.stopwords import stop_words

#: Whoever did not hear it.
EVERYBODY = "*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Confidence:
    """What a line asks: ``kept_from``: who must not be told (normal names; ``*``: anybody); ``told``: who may be told now, and
    ``about`` what, if it says. ``is_bare``: beside that it says nothing, so that what was said before it is meant. ``matter``:
    what else the sentences say that ask for silence."""

    kept_from: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    about: str = ""
    is_bare: bool = False
    matter: str = ""

    def __bool__(self) -> bool:
        return bool(self.kept_from or self.told)


#: Of a sentence that goes on and on so much is looked at together, and so much of that again with what follows; characters.
_PIECE, _OVERLAP = 1000, 200
_SENTENCE = re.compile(r"[^。！？!?.…\n;；]+[。！？!?.…\n;；]*")
_LATIN = re.compile("[A-Za-z]")
_SIGNS = re.compile(r"\W+")
_SQUEEZED = re.compile(rf"(?<=[{HAN}])[ \t]+(?=\S)|(?<=\w)[ \t]+(?=[{HAN}])")
_LEFT = re.compile(
    r"[\W_]+|\b(?:please|you|ok|okay|hey|and|but|so|by the way|btw|promise me|promise|swear|shh+|psst|about|that|this|it)\b"
    r"|\b(?:yet|now|right|anything|a word|ever|dare|me)\b"
    r"|拜托|请|哦|啊|呀|嘘|记住|记得|好吗|好不好|行吗|吗|你|这件事|这事儿?|这个|刚才|的|事|千万|了|吧|嘛|答应我|答应|能不能|可不可以|一定|绝对|可以吗|求求|帮我|替我|我|一个人|可以|能|好",
    re.IGNORECASE,
)


def _compiled(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


_Pairs = tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]
_HINTS: Mapping[ModuleType, _Pairs] = {
    one: tuple((re.compile(first), re.compile(second)) for first, second in one.HINTS) for one in (en, zh)
}


def _forbidding(language: ModuleType, pattern: str) -> re.Pattern[str] | None:
    """What a sentence has that matches ``pattern``, if it is a request not to do something."""
    return next((words for source, words in language.FORBIDDING.items() if source in pattern), None)


#: With what a sentence must have, where that is seen sooner.
_KEPT: Mapping[ModuleType, tuple[tuple[re.Pattern[str], re.Pattern[str] | None], ...]] = {
    one: tuple((pattern, _forbidding(one, pattern.pattern)) for pattern in _compiled(*one.KEPT, *one.SECRET)) for one in (en, zh)
}
_TOLD: Mapping[ModuleType, tuple[re.Pattern[str], ...]] = {one: _compiled(*one.TOLD, *one.OPEN) for one in (en, zh)}


def confidence(text: str, names: Iterable[str] = (), speaker: str = "") -> Confidence:
    """What ``text`` asks to be kept or allows to be told. ``names``: those that are known, by which a name is told from what
    follows it in Chinese, where nothing else does; ``speaker``: whose text it is, whose own words those are that *Ann said, "…"*
    stands before. Whom it does not make clear counts as anybody: rather too much is kept."""
    plain = plain_script(text)
    spoken = plain
    if not is_plain(plain):
        plain = plain_signs(plain)
        spoken = unmarked(plain)
    if not may_ask(spoken):
        return Confidence()
    known = sorted({plain_script(normal_name(name)) for name in set(names)} - {""}, key=len, reverse=True)
    plain = own_words(plain, plain_script(speaker), known)
    plain = plain if is_plain(plain) else unmarked(plain)
    found = _asked(plain, known)
    return found if found or "\n" not in plain else _asked(plain.replace("\n", " "), known)


def may_ask(text: str) -> bool:
    """Whether a text of plain signs has the words that all requests have. Most texts have not, which is soon seen."""
    # What is no letter may stand between letters that belong together: T.J., and İ is written with a point of its own.
    small = text.casefold().replace(".", "").replace("ı", "i").replace("\u0307", "")
    return _has_both(_HINTS[en], small) or (not text.isascii() and _has_both(_HINTS[zh], _SIGNS.sub("", small)))


def _has_both(hints: _Pairs, text: str) -> bool:
    return any(one.search(text) and other.search(text) for one, other in hints)


def _asked(plain: str, known: list[str]) -> Confidence:
    kept: dict[str, None] = {}
    told: dict[str, None] = {}
    left: list[str] = []
    about: list[str] = []
    matter: list[str] = []
    for sentence, is_whole in _sentences(listed(single_spaced(plain))):
        if not may_ask(sentence):
            left.append(sentence)
            continue
        lifts = _lifted(sentence, known) if is_whole else None
        if lifts is not None:
            told.update(dict.fromkeys(lifts[0]))
            about.append(lifts[1])
            left.append(lifts[1])
        else:
            rest = _kept(sentence, known, kept)
            left.append(rest if rest is not None else sentence)
            matter.append(rest or "")
    if not kept and not told:
        return Confidence()
    is_bare = _is_bare(" ".join(left))
    return Confidence(
        kept_from=tuple(kept),
        told=tuple(told),
        about=" ".join(about).strip(),
        is_bare=is_bare,
        matter="" if is_bare else single_spaced(_LEFT.sub(" ", " ".join(matter).lower())).strip(),
    )


def _sentences(text: str) -> Iterator[tuple[str, bool]]:
    """The sentences of a text, or pieces of one; and whether it is all of a sentence."""
    for sentence in _SENTENCE.findall(text):
        last = max(len(sentence) - _OVERLAP, 1)
        is_whole = len(sentence) <= _PIECE
        yield from ((sentence[begin : begin + _PIECE], is_whole) for begin in range(0, last, _PIECE - _OVERLAP))


def _is_bare(left: str) -> bool:
    """Whether what is left beside requests says nothing of its own."""
    return all(word in stop_words() for word in _LEFT.sub(" ", left.lower()).split())


def _languages(sentence: str) -> tuple[ModuleType, ...]:
    is_zh = has_cjk(sentence)
    return (en, *((zh,) if is_zh else ())) if _LATIN.search(sentence) or not is_zh else (zh,)


def _kept(sentence: str, known: list[str], kept: dict[str, None]) -> str | None:
    """Put whom a sentence keeps something from into ``kept``; what is left of it then, ``None``: it asks for nothing."""
    rest = en.TAG.sub("", sentence)
    if rest.rstrip().endswith(("?", "？", "吗")) and (zh if has_cjk(rest) else en).is_asking(rest):
        return None
    is_asked = False
    for language in _languages(sentence):
        rest = _SQUEEZED.sub("", rest) if language is zh else rest
        missing = {words for words in language.FORBIDDING.values() if not words.search(rest)}
        for pattern, words in _KEPT[language]:
            if words in missing and not is_asked:  # what is left of a request may be one
                continue
            rest, is_found = _without(pattern, rest, known, language, kept)
            is_asked = is_asked or is_found
    return rest if is_asked else None


def _without(
    pattern: re.Pattern[str], rest: str, known: list[str], language: ModuleType, kept: dict[str, None]
) -> tuple[str, bool]:
    """``rest`` without the requests of one pattern, whoever is meant put into ``kept``; and whether there is any."""
    begin, is_found = 0, False
    while match := pattern.search(rest, begin):
        found = _people(match, known, language, certain=False)
        begin = max(match.end() if "names" not in match.groupdict() else match.start("names"), begin + 1)
        if found and not (language is en and en.APART.match(rest, match.end())):
            kept.update(dict.fromkeys(found))
            rest = f"{rest[: match.start()]} {_after(match, found)} {rest[match.end() :]}"
            begin, is_found = match.start(), True
    return rest, is_found


def _lifted(sentence: str, known: list[str]) -> tuple[tuple[str, ...], str] | None:
    """Who may be told, and of what; ``None``: nobody for certain."""
    if sentence.rstrip().endswith(("?", "？", "吗")):
        return None
    for language in _languages(sentence):
        said = (_SQUEEZED.sub("", sentence) if language is zh else sentence).strip().rstrip("。！!.…;；")
        for pattern in _TOLD[language]:
            match = pattern.fullmatch(said)
            found = _people(match, known, language, certain=True) if match else ()
            about = _about(match, found, language) if match and found else None
            if about is not None:
                return found, about
    return None


def _people(match: re.Match[str], known: list[str], language: ModuleType, *, certain: bool) -> tuple[str, ...]:
    """Whom a request names; anybody where it names nobody at all."""
    groups = match.groupdict()
    if "names" not in groups and "before" not in groups:
        return (EVERYBODY,)
    if "before" in groups:
        parts = [zh.person_before(part, known, certain=certain) for part in zh.SPLIT.split(match["before"])]
    elif language is zh:
        parts = [zh.person(part, known, certain=certain) for part in zh.SPLIT.split(match["names"])]
    else:
        parts = [
            zh.person(one.strip(), known, certain=certain) if has_cjk(one) else en.person(one, certain=certain)
            for part in en.people(match["names"], known)
            for one in (zh.SPLIT.split(part) if has_cjk(part) else (part,))
        ]
    return tuple(dict.fromkeys(name for part in parts for name in part))


def _after(match: re.Match[str], found: Iterable[str]) -> str:
    """What follows the names in what a request states."""
    if "names" not in match.groupdict():
        return ""
    stated = match["names"]
    if has_cjk(stated):
        return zh.after(stated, found)
    end = max((normal_name(stated).find(name) + len(name) for name in found if name in normal_name(stated)), default=0)
    return stated[end:] if end else en.tail(stated)


def _about(match: re.Match[str], found: tuple[str, ...], language: ModuleType) -> str | None:
    """What may be told, nothing if the sentence does not say; ``None``: it is not certain that anything may."""
    groups = match.groupdict()
    stated = next((one for name in ("about", "this") if (one := groups.get(name))), "")
    if language is zh and "names" in groups and "about" not in groups:
        stated = zh.after(match["names"], found)
    if language.DOUBT.search(stated):
        return None
    if language is en:
        return stated.strip()
    if zh.NEUTRAL.fullmatch(stated):
        return ""
    return None if "before" in groups and not zh.MATTER.fullmatch(stated) else stated
