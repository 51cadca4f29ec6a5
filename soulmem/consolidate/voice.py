"""Pronouns put as names. What cannot be told for certain is refused: a fact about *her* is about nobody."""

from __future__ import annotations

import re

from soulmem.consolidate.english import contracted, predicate
from soulmem.consolidate.people import KIN_ZH_PATTERN, Scene, possessive
from soulmem.text.language import HAN

_ZH = re.compile(
    rf"(?P<both>我们俩|我们两个|咱们俩|咱俩|我俩)|(?P<home>我们家(?=[{HAN}]))|(?P<we>我们|咱们|咱|俺们)"
    rf"|(?P<kin>我(?:们?家的?|的)?(?={KIN_ZH_PATTERN}))|(?P<my>我的)|(?P<i>(?<![自忘])我(?!国|市|省|校))"
    r"|(?P<yous>你们|您们)|(?P<your>[你您]的)|(?P<you>[你您])|(?P<they>[他她它]们|人家|大家|别人|(?<![其吉排])[他她它](?!人"
    r"|妈的))"
)
_POINTING_ZH = re.compile(
    r"(?<![\w”])(?:这|那)(?!么多年)|(?:这|那)(?:个|样|么|些|种|件|事|儿|里|边|天|时|次|本|张|句|话|点|段|位|回)"
)

_SUBJECT = re.compile(r"\b(?P<who>I|we|you)\b(?P<rest>(?:\s+[\w'-]+)+)?", re.I)
_OBJECTS = re.compile(
    r"\b(?P<my>my|mine)\b|\b(?P<me>me|myself)\b|\b(?P<our>our|ours)\b|\b(?P<us>us|ourselves)\b|\b(?P<your>your|yours)\b"
    r"|\b(?P<you>you|yourself)\b",
    re.I,
)
_POINTING_EN = re.compile(
    r"\b(?:he|she|him|his|her|hers|himself|herself|they|them|their|theirs|themselves|these|those|itself|herein|someone"
    r"|somebody|whoever)\b"
    r"|\b(?:this|that)\b(?!\s+(?:I|we|he|she|the|a|my|\d|is\s+called)\b)(?=\s*(?:$|[^\w\s]|is\b|was\b|'s\b|one\b|way\b"
    r"|kind\b|much\b|\w+$))"
    r"|\b(?:that|it)'s\b|\bthere\b(?!\s+(?:is|are|was|were)\b)",
    re.I,
)
#: Words of the talk that nobody else would say: *a thank you card*.
_THANKING = re.compile(r"\bthank\s+(?:you|u)\b", re.I)
_IT = re.compile(r"\bits?\b", re.I)
_ANTECEDENT = re.compile(r"\b(?:a|an|the|my|some|\w+'s)\s+[a-z]{3,}.*\b(?:and|but|so|because|,)", re.I)


def told_zh(text: str, scene: Scene) -> str | None:
    """``text`` with names in place of pronouns; ``None`` where one cannot be told."""
    sure = True

    def name(match: re.Match[str]) -> str:
        nonlocal sure
        found = _zh_name(match, scene)
        sure = sure and found is not None
        return found or ""

    put = _ZH.sub(name, text)
    return put if sure and not _points(text, put) else None


def _points(text: str, put: str) -> bool:
    """Whether the text points at what is not in it (这个, 那天); 她那家店 points at a shop of hers, which is told."""
    return any(
        match.start() == 0 or match[0][-1] in "天时次样么" or not re.match(rf"[我你{HAN}]", text[match.start() - 1])
        for match in _POINTING_ZH.finditer(text)
    )


def _zh_name(match: re.Match[str], scene: Scene) -> str | None:
    speaker, addressee = scene.speaker, scene.addressee
    match match.lastgroup:
        case "i":
            return speaker
        case "kin" | "my":
            return possessive(speaker) if speaker else None
        case "home":
            return f"{speaker}家"
        case "we":
            return f"{speaker}他们"
        case "both":
            return f"{speaker}和{addressee}" if addressee else None
        case "you":
            return addressee
        case "your":
            return possessive(addressee) if addressee else None
        case _:
            return None


def told_en(text: str, scene: Scene) -> str | None:
    """``text`` with names in place of pronouns and verbs to fit; ``None`` where one cannot be told."""
    text = contracted(text)
    if _POINTING_EN.search(text) or _THANKING.search(text) or not _it_is_told(text):
        return None
    subjects = _Subjects(scene)
    put = _SUBJECT.sub(subjects, text)
    objects = _Objects(scene)
    put = _OBJECTS.sub(objects, put)
    return put if subjects.sure and objects.sure else None


def _it_is_told(text: str) -> bool:
    """Whether every *it* has something before it in the same sentence that it can stand for."""
    return all(_ANTECEDENT.search(text[: match.start()]) for match in _IT.finditer(text))


class _Subjects:
    """Replaces pronouns before verbs, and what pronouns after verbs look the same."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.sure = True

    def __call__(self, match: re.Match[str]) -> str:
        who, rest = match["who"], match["rest"] or ""
        if who.casefold() == "you" and not re.match(r"\s+(?:are|were|have|do|don't|will|can|can't)\b", rest):
            return self._nested(match)
        name = self._name(who)
        self.sure = self.sure and name is not None
        return f"{name}{self._rest(who, rest)}"

    def _nested(self, match: re.Match[str]) -> str:
        """*you* as an object stays for later; what follows it may hold subjects of its own."""
        rest = match["rest"] or ""
        return match["who"] + _SUBJECT.sub(self, rest)

    def _rest(self, who: str, rest: str) -> str:
        if not rest:
            return ""
        own = re.split(r"(?=\s(?:I|we|you)\b)", rest, maxsplit=1)
        words = own[0].removeprefix(" ")
        if who.casefold() in ("i", "you"):
            words = predicate(words)
        return (" " + words if words else "") + (_SUBJECT.sub(self, own[1]) if len(own) > 1 else "")

    def _name(self, who: str) -> str | None:
        match who.casefold():
            case "i":
                return self.scene.speaker
            case "we":
                return f"{self.scene.speaker} and others"
            case _:
                return self.scene.addressee


class _Objects:
    """Replaces the pronouns that are not subjects."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.sure = True

    def __call__(self, match: re.Match[str]) -> str:
        name = self._name(match)
        self.sure = self.sure and name is not None
        return name or ""

    def _name(self, match: re.Match[str]) -> str | None:
        scene = self.scene
        match match.lastgroup:
            case "my" | "our":
                return possessive(scene.speaker)
            case "me":
                return scene.speaker
            case "us":
                return f"{scene.speaker} and others"
            case "you":
                return scene.addressee
            case _:
                return possessive(scene.addressee) if scene.addressee else None
