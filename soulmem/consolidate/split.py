"""Messages → facts, without a model: who said what about whom, in words that stand by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from soulmem.consolidate import grammar_en, grammar_zh
from soulmem.consolidate.answered import completed, named_after
from soulmem.consolidate.courtesies import without_courtesies
from soulmem.consolidate.drafts import Draft
from soulmem.consolidate.facts import DISLIKES, LIKES, Fact, Kind
from soulmem.consolidate.people import KIN_EN_PATTERN, Discourse, Scene, names_another, names_in, possessive, without_kin
from soulmem.consolidate.sentences import Sentence, Standing, is_joke, sentences
from soulmem.consolidate.subjects_en import subjects
from soulmem.model.messages import Message, Role
from soulmem.text.entities import entity_mentions
from soulmem.text.language import Language, has_cjk
from soulmem.text.names import normal_name
from soulmem.text.stopwords import stop_words

_THIRD = re.compile(r"[他她它]|\b(?:he|she|his|her|him|hers|they|their|them)\b", re.I)
_SECOND = re.compile(r"[你您]|\byou\b|\byour\b", re.I)
#: A longer text is a story, not a fact.
_MOST_FACT = 300


def name_forms(messages: Sequence[Message], known: Mapping[str, str]) -> dict[str, str]:
    """How who and what these messages name is called: form → canonical name. ``known``: normal form → name of the mind's
    notes."""
    said = [message for message in messages if not message.hidden]
    speakers = sorted({message.speaker for message in said if message.role is not Role.NARRATOR})
    forms: dict[str, str] = {}
    for name, mentions in entity_mentions([message.text for message in said], speakers=speakers).items():
        for form in (name, *mentions.aliases):
            forms[form] = known.get(normal_name(form)) or known.get(normal_name(name)) or name
    for name in subjects([message.text for message in said]):
        forms.setdefault(name, known.get(normal_name(name)) or name)
    for text in (message.text for message in said):
        forms |= {form: name for form, name in _as_written(text, known) if form not in forms}
    for speaker in speakers:
        forms[speaker] = known.get(normal_name(speaker)) or speaker
    return forms


def _as_written(text: str, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The known names in ``text``, as they are written there; in Latin script with a capital."""
    for normal, name in known.items():
        for form in dict.fromkeys((name, normal)):
            place = text.find(form)
            if place >= 0 and (has_cjk(form) or (form[:1].isupper() and len(form) > 2)):
                yield form, name


def split(messages: Sequence[Message], forms: Mapping[str, str], context: Sequence[Message] = ()) -> tuple[Fact, ...]:
    """The facts that ``messages`` (of one chat, in order) state. ``context``: lines before them, for what they refer to.

    ``forms``: of :func:`name_forms`. Nothing is drawn from hidden lines, nor from a narrator's.
    """
    said = [message for message in (*context, *messages) if not message.hidden and message.role is not Role.SYSTEM]
    new = {message.id for message in messages}
    speakers = [message.speaker for message in said if message.role is not Role.NARRATOR]
    talkers = tuple(dict.fromkeys(forms.get(name, name) for name in speakers))
    discourse = Discourse(speakers=frozenset(talkers), forms=dict(forms))
    found: list[Fact] = []
    for number, message in enumerate(said):
        before = said[number - 1] if number else None
        facts = list(_of_message(message, number, before, talkers, discourse))
        if message.id in new:
            found = _taken_back(found, said, number) + facts
    return tuple(found)


def _taken_back(found: list[Fact], said: Sequence[Message], number: int) -> list[Fact]:
    """``found`` without what its speaker takes back as a joke now: the last message of the same speaker."""
    message = said[number]
    if not is_joke(message.text) or len(message.text) > 40:
        return found
    last = next((one for one in reversed(said[:number]) if one.speaker == message.speaker), None)
    return [fact for fact in found if last is None or last.id not in fact.sources]


def _of_message(
    message: Message, number: int, before: Message | None, talkers: Sequence[str], discourse: Discourse
) -> Iterator[Fact]:
    speaker = discourse.forms.get(message.speaker, message.speaker)
    others = [name for name in talkers if name != speaker]
    goes_on = before is not None and before.speaker == message.speaker
    asked = before is not None and before.speaker != message.speaker and _SECOND.search(without_kin(before.text)) is not None
    earlier = before.text if goes_on and before is not None else ""
    had = ""
    for place, plain in enumerate(_whole_sentences(message, before, talkers)):
        named_thing = named_after(had, plain.text) if had else None
        plain = sentences(named_thing)[0] if named_thing else plain
        had = ""
        others_before = _THIRD.search(earlier) is not None or (
            place > 0 and any(one.message == number for one in discourse.named)
        )
        earlier += plain.text
        called = _called_by(plain.text, speaker, discourse)
        sentence = _resolved(_uncalled(plain, speaker, discourse), speaker, number, place, discourse, goes_on=goes_on)
        named = _named_alone(plain, speaker, number, place, before, discourse)
        if named is not None and message.role is not Role.NARRATOR:
            discourse.is_called(named.called[1] if named.called else "", named.value)
            yield from _facts(named, message, speaker, discourse)
        if message.role is Role.NARRATOR or sentence.standing is not Standing.STATED:
            continue
        scene = Scene(
            speaker=speaker,
            addressee=called or (others[0] if len(others) == 1 else None),
            asked=asked,
            now=message.sent_at,
            message=number,
            discourse=discourse,
            of_another=before is not None and _speaks_of_another(before.text, discourse),
            among_others=others_before,
        )
        for draft in _drafts(sentence, scene):
            had = draft.slot.removeprefix("has:") if draft.slot.startswith("has:") else had
            if draft.called:
                discourse.is_called(draft.called[1], draft.called[0])
            if len(draft.text) <= _MOST_FACT:
                yield from _facts(draft, message, speaker, discourse)


def _whole_sentences(message: Message, before: Message | None, talkers: Sequence[str]) -> tuple[Sentence, ...]:
    """The sentences of a message; where it answers the line before with a bare thing, the first is put as a whole one."""
    found = sentences(message.text)
    is_answer = before is not None and before.speaker != message.speaker and len(talkers) == 2
    if not found or before is None or not is_answer or found[0].standing is not Standing.STATED:
        return found
    whole = completed(before.text, without_courtesies(found[0].text, found[0].language))
    return (*sentences(whole), *found[1:]) if whole else found


#: Whom a sentence calls at its end or its beginning: *I'll bake you a cake, Dan*; 小安，我给你带.
_CALLS_EN = re.compile(r"(?P<rest>.*\byou(?:r|rs|rself)?\b.*),\s*(?:my\s+dear\s+)?(?P<name>[A-Z][a-z'-]+)\W*\Z", re.S)


def _called_by(text: str, speaker: str, discourse: Discourse) -> str | None:
    """Whom a sentence is said to, where it says so; who is no known name is called by the word itself."""
    match = _CALLS_EN.match(text)
    if match is not None and match["name"].casefold() not in stop_words():
        return discourse.forms.get(match["name"], match["name"])
    opening = re.match(r"(?P<name>[^\s，,!！]{1,12})[，,!！]\s*", text)
    name = discourse.forms.get(opening["name"]) if opening else None
    return name if name not in (None, speaker) and _SECOND.search(text) else None


#: Behind a relative, a name is what they are called (*my sister, Ann*), behind another it goes on (*Tom, Cleo, Ann*).
_NAMES_ON = re.compile(rf"\b(?i:{KIN_EN_PATTERN}|friends?)\Z|,\s*[A-Z][\w'’-]*\Z")
_DEAR = re.compile(r"\A(?:my\s+)?dear(?:est)?\s+", re.I)


def _uncalled(sentence: Sentence, speaker: str, discourse: Discourse) -> Sentence:
    """The sentence without the name it calls at its end: of whoever *you* is, or of somebody else who talks."""
    plain = (_CALLS_EN.sub(lambda match: match["rest"], clause) for clause in sentence.clauses)
    return replace(sentence, clauses=tuple(_without_talker(clause, speaker, discourse) for clause in plain))


def _without_talker(clause: str, speaker: str, discourse: Discourse) -> str:
    """*I live in York, Ann* without her, who talks too."""
    rest, _, last = clause.rpartition(",")
    name = discourse.forms.get(_DEAR.sub("", last.strip(" .!?~…")))
    is_called = name in discourse.speakers and name != speaker and " " in rest.strip() and not _NAMES_ON.search(rest.rstrip())
    return rest.rstrip() if is_called else clause


_WHICH = re.compile(r"谁|叫什么|名字|哪位|哪个|那个|就是|\b(?:who|which|name|called|the\s+one)\b", re.I)


def _named_alone(
    sentence: Sentence, speaker: str, number: int, place: int, before: Message | None, discourse: Discourse
) -> Draft | None:
    """*My sister sent it. Lenka.* — a bare name behind the only relative of whom there is talk, in the same message or as
    the answer to the question which one."""
    first = sentence.clauses[0] if sentence.clauses else ""
    if first not in discourse.forms or discourse.forms[first] in discourse.speakers:
        return None
    alone = len(sentence.clauses) == 1 and sentence.text == first and place > 0
    asked = (
        place == 0 and before is not None and "？" in before.text.replace("?", "？") and _WHICH.search(before.text) is not None
    )
    label = discourse.only_kin(speaker, number, 0) if alone else discourse.only_kin(speaker, number, 3) if asked else None
    if label is None:
        return None
    name = discourse.forms[first]
    zh = has_cjk(label)
    kin = label.removeprefix(possessive(speaker)).strip()
    return Draft(
        kind=Kind.RELATION,
        subject=speaker,
        slot=f"{kin}:{name}",
        value=name,
        text=f"{label}叫{name}" if zh else f"{label} is {name}",
        rule="kin",
        names=(speaker, name),
        called=(name, label),
    )


def _speaks_of_another(text: str, discourse: Discourse) -> bool:
    return (
        _THIRD.search(text) is not None
        or names_another(text)
        or any(name not in discourse.speakers for name in names_in(text, discourse.forms))
    )


def _resolved(
    sentence: Sentence, speaker: str, number: int, place: int, discourse: Discourse, *, goes_on: bool = False
) -> Sentence:
    """The sentence with the pronouns that can be told put as names; whom it names is heard. ``goes_on``: the same speaker said
    the line before."""
    clauses = [
        discourse.resolved(clause, speaker, number, opening=goes_on or (place == 0 and first == 0), anywhere=goes_on)
        for first, clause in enumerate(sentence.clauses)
    ]
    if sentence.standing is not Standing.STATED:
        discourse.resolved(sentence.text, speaker, number, opening=place == 0)
    else:
        discourse.hear(sentence.text, speaker, number)
    return replace(sentence, clauses=tuple(clauses))


def _drafts(sentence: Sentence, scene: Scene) -> Iterator[Draft]:
    if sentence.language is Language.ZH:
        return grammar_zh.drafts(sentence, scene)
    return grammar_en.drafts(sentence, scene) if sentence.language is Language.EN else iter(())


def _facts(draft: Draft, message: Message, by: str, discourse: Discourse) -> Iterator[Fact]:
    text = discourse.with_own(draft.text)
    yield Fact(
        kind=draft.kind,
        subject=draft.subject,
        slot=draft.slot,
        value=_side(draft.value) if draft.slot.startswith("taste:") and not draft.ends else draft.value,
        text=_clean(text),
        rule=draft.rule,
        sources=(message.id,),
        scope=message.scope,
        kept_from=message.kept_from,
        said_at=message.sent_at,
        place=message.index,
        names=tuple(dict.fromkeys((*draft.names, draft.subject))),
        aliases=draft.aliases,
        called=draft.called,
        when=draft.when,
        by=by,
        began=draft.began,
        ends=draft.ends,
        also=draft.also,
    )


#: Words of aversion; what is not one is of liking.
_AVERSE = re.compile(
    r"不|讨厌|厌恶|恨|怕|受不了|忍不了|过敏|戒|没兴趣|\bnot\b|hate|dislike|detest|loathe|despise|stand|bear|fear|afraid|scared|terrified|frightened"
    r"|allergic|soap|worst|overrated|disgust|boring|awful|horrible|gross|makes?\s+me|scares?|bores?",
    re.I,
)


def _side(value: str) -> str:
    """On which side a taste is: two words of liking do not contradict each other."""
    return DISLIKES if _AVERSE.search(value) else LIKES


def _clean(text: str) -> str:
    text = re.sub(r"\s+", " ", text).strip(" ,，;；")
    return text[0].upper() + text[1:] if text and text[0].isascii() else text
