"""Whether the lines that a model cites bear what it says of them (pure): whom it is about, whether they state it at all, and on
which side. What they do not bear is left out, and told."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from soulmem.consolidate.entries import telling_words
from soulmem.consolidate.facts import Fact, is_single
from soulmem.consolidate.figures import strange_figure
from soulmem.consolidate.people import KIN_EN, KIN_EN_PATTERN, KIN_ZH, KIN_ZH_PATTERN
from soulmem.consolidate.sentences import Sentence, Standing, sentences
from soulmem.consolidate.split import split
from soulmem.model.messages import Message, Role
from soulmem.text.language import has_cjk
from soulmem.text.names import normal_name

_SECOND = re.compile(r"\b(?:you|your|yours|yourself)\b|[你您]", re.I)
_THIRD = re.compile(r"\b(?:he|she|they|him|her|his|hers|them|their|it|its)\b|[他她它]", re.I)
#: What stands for a question in the end of what is stated.
_TAG = re.compile(
    r",\s*(?:remember|right|you\s+know|did\s+i\s+tell\s+you|okay|ok|see|huh|eh|isn't\s+it|don't\s+you\s+think)\W*\Z"
    r"|[，,](?:对吧|是吧|记得吗|知道吗|好吗|行吗|对不对|你知道吗?|还记得吗)\W*\Z",
    re.I,
)
_ASKS = re.compile(r"\b(?:ask|wonder|want(?:s|ed)?\s+to\s+know|question|curious)|问|想知道|好奇|打听", re.I)
_NOT = re.compile(
    r"\b(?:not|never|no\s+longer|nobody|nothing|none|neither|nor|without|hardly|barely|no|cannot|\w+n['’]t)\b"
    r"|没(?!事|关系)|不(?!过|久|错|少|小心|得不|仅|光|止|断|一会|知不觉|好意思|只|然|管|论|同|客气|用说|见不散)|别(?!人|的|处)|从未|未曾|未婚|无法",
    re.I,
)
#: Words that are on the other side by themselves: to dislike is not to like.
_AVERSE = re.compile(
    r"\b(?:dislike|hate|detest|loathe|despise|avoid|refuse|stop|quit|gave\s+up|give\s+up|allergic|afraid|fear|scared|lack|fail|miss"
    r"|unable|un\w+|only|cancel|ended?|broke|former|used\s+to|ex-|vegan|vegetarian|free\s+of|too)\w*"
    r"|讨厌|厌恶|恨|怕|戒|拒绝|过敏|受不了|停|放弃|取消|分手|离|缺|失|曾|以前|只|素|难|才",
    re.I,
)
#: What ends something without a no.
_ENDS = re.compile(
    r"\b(?:sold|sell|lost|lose|left|leave|gone|moved|died|dead|gave|given|finish|over|instead|rather)\w*|卖|丢|走|搬|死|去世|完|换",
    re.I,
)
#: Says no, and denies nothing.
_IDIOMS = re.compile(
    r"\b(?:can't\s+wait|cannot\s+wait|not\s+only|no\s+doubt|don't\s+forget|never\s+mind|not\s+bad|no\s+problem|no\s+worries|why\s+not"
    r"|if\s+not|or\s+not|not\s+just|couldn't\s+be\s+(?:happier|better|more)|don't\s+worry|don't\s+you\s+think|isn't\s+it|no\s+wonder)\b"
    r"|不得不|不好意思|不客气|没问题|忍不住|不得了|巴不得|恨不得|好不容易|等不及|说不定|是不是|要不要|能不能|有没有|不知道为什么",
    re.I,
)
#: So much of what a fact says must stand in a clause for the clause to deny it.
_SHARE = 0.5
_NO_WORDS = frozenset(
    ("longer", "anymore", "never", "doesn", "isn", "more", "cannot", "does", "doesn't", "isn't", "不再", "没有")
)
_PIECE = re.compile(r"[,，。.;；!！?？\n]|\b(?:but|though|although|however)\b|但是?|不过|可是")


def unborne(fact: Fact, sources: Sequence[Message], near: Sequence[Message], forms: Mapping[str, str]) -> str:
    """Why these lines do not bear what ``fact`` says; empty: they do. ``near``: the lines around them, oldest first; ``forms``:
    form → canonical name."""
    if not _is_spoken_of(fact, sources, near, forms):
        return "none of its lines is by or about whom it is about"
    spoken = [sentence for said in sources for sentence in sentences(said.text)]
    telling = _telling(fact, forms)
    checks: tuple[Callable[[], str], ...] = (
        lambda: _only_asked(spoken, fact),
        lambda: _of_another(fact, sources, spoken, telling, forms),
        lambda: _not_stated(fact, sources, spoken, telling, forms),
        lambda: _of_the_other(fact, sources, telling, forms),
        lambda: _swapped(fact, sources, forms),
        lambda: _other_side(fact, sources, telling),
        lambda: _undone(fact, sources, telling),
        lambda: _strange(fact, sources, near),
    )
    return next((why for check in checks if (why := check())), "")


#: The speaker vouches for what follows.
_BY_ME = re.compile(
    r"\bI(?:['’]ve|\s+have)?\s+(?:\w+\s+)?(?:said|told|mentioned|explained|announced|wrote|say|tell|thought|think|heard|asked)\b"
    r"|我(?:们)?(?:都|也|还|跟你|和你|早就)*(?:说|告诉|问|听说)",
    re.I,
)
#: A fact that tells of what is reported, supposed or wanted as that.
_HEDGED = re.compile(
    r"\b(?:if|unless|would|could|might|may|should|maybe|perhaps|probably|possibly|wants?|wanted|hopes?|hoped|wish\w*|plans?|planned|thinks?|thought"
    r"|consider\w*|intends?|says?|said|told|tells?|claims?|asks?|asked|suggest\w*|offer\w*|promis\w*|dream\w*|believes?|wonder\w*|afraid"
    r"|according|heard|like|likes|love\w*|prefer\w*|idea|imagin\w*|will|call\w*|quot\w*|writes?|wrote|mention\w*|report\w*|feels?)\b"
    r"|如果|要是|想|希望|打算|可能|也许|说|觉得|认为|以为|考虑|提议|建议|梦|问|告诉|听|会|要|怕|愿|喜欢|叫|让|准备|计划|写|讲|嫌|据",
    re.I,
)
#: What is surely not so yet, whoever says it.
_SURELY_SUPPOSED = re.compile(
    r"\b(?:if|unless|maybe|perhaps|possibly|might|wish|imagine|suppose)\b|如果|要是|假如|倘若|万一|也许|说不定|就好了|多希望|可能",
    re.I,
)
_REPORTS = (
    r"(?:\w+ly\s+)?(?:said|says|told|tells|claims?|claimed|swears|swore|insists|insisted|thinks|thought|believes|believed|wrote|writes"
    r"|mentioned|announced)\b"
)


_TELLS = re.compile(rf"\b{_REPORTS}|\bheard\b|\baccording\s+to\b|说|告诉|写道", re.I)


def _not_stated(
    fact: Fact, sources: Sequence[Message], spoken: Sequence[Sentence], telling: frozenset[str], forms: Mapping[str, str]
) -> str:
    """Whether the lines only quote it, suppose it, or report it of somebody who does not say it themselves."""
    if not telling or _HEDGED.search(fact.text):
        return ""
    about = [one for one in spoken if len(telling & telling_words(one.text)) >= _SHARE * len(telling)]
    if not about:
        within = telling_words("\n".join(one.text for one in spoken))
        heard = telling_words("\n".join(said.text for said in sources))
        return "it is quoted from somebody else" if telling <= heard and not telling & within else ""
    if any(
        one.standing in (Standing.STATED, Standing.ASKED) and telling & telling_words("\n".join(one.clauses)) for one in about
    ):
        return ""
    text = "\n".join(one.text for one in about)
    if all(one.standing is Standing.SUPPOSED and _SURELY_SUPPOSED.search(one.text) for one in about):
        return "its lines suppose it, or joke"
    reported = all(one.standing is Standing.REPORTED and _TELLS.search(one.text) for one in about)
    if reported and not _BY_ME.search(text) and not _reports(fact, text, forms):
        return "it is reported by somebody else"
    return ""


def _reports(fact: Fact, text: str, forms: Mapping[str, str]) -> bool:
    """Whether the subject is who says it: *Tom said he lives in Leeds*."""
    called = {
        fact.subject,
        *fact.aliases,
        *(form for form, name in forms.items() if normal_name(name) == normal_name(fact.subject)),
    }
    names = "|".join(map(re.escape, called))
    return (
        re.search(rf"(?:{names})(?:\s+{_REPORTS}|[^，,。]{{0,3}}[说讲写告])|\b(?:he|she|they)\s+{_REPORTS}|[他她]说", text, re.I)
        is not None
    )


def _of_the_other(fact: Fact, sources: Sequence[Message], telling: frozenset[str], forms: Mapping[str, str]) -> str:
    """Whether what is told of one who talks is what another one says of themselves."""
    subject = normal_name(fact.subject)
    called = {subject, *map(normal_name, fact.aliases)}
    called |= {normal_name(form) for form, name in forms.items() if normal_name(name) == subject}
    bearing = [said for said in sources if telling & telling_words(said.text)]
    if not bearing or subject not in {normal_name(forms.get(said.speaker, said.speaker)) for said in sources}:
        return ""
    for said in bearing:
        own = normal_name(forms.get(said.speaker, said.speaker)) == subject
        named = any(_names(name, normal_name(_uncalled(said.text, name))) for name in called)
        if own or named or _SECOND.search(said.text) or not _OF_ONESELF.search(said.text):
            return ""
    told = normal_name(fact.text)
    others = {normal_name(forms.get(said.speaker, said.speaker)) for said in bearing}
    return "" if any(_names(name, told) for name in others) else "another says it of themselves"


def _uncalled(text: str, name: str) -> str:
    """``text`` without ``name`` where it only calls somebody: *Wren, I am a doctor*."""
    form = re.escape(name)
    edge = r"(?!\w)" if not has_cjk(name) else ""
    text = re.sub(
        rf"(\A|[.!?。！？]\s*)((?:hey|oh|hi|hello|well|so|yes|no|dear|嗨|喂|哎)?[\s,，]*){form}{edge}\s*[,，!！]",
        r"\1\2",
        text,
        flags=re.I,
    )
    return re.sub(rf"[,，]\s*{form}{edge}\s*([.!?。！？]|\Z)", r"\1", text, flags=re.I)


def _swapped(fact: Fact, sources: Sequence[Message], forms: Mapping[str, str]) -> str:
    """Whether the lines, as the rules understand them, say this value of somebody else, and another of whom it is about."""
    drawn = [one for one in split(list(sources), forms) if one.slot and one.value and is_single(one.slot)]
    subject, told = normal_name(fact.subject), normal_name(fact.text)
    for own in drawn:
        if normal_name(own.subject) != subject or normal_name(own.value) in told:
            continue
        if any(
            one.slot == own.slot
            and normal_name(one.subject) != subject
            and normal_name(one.value) in told
            and one.value != own.value
            for one in drawn
        ):
            return "its lines say it of somebody else"
    return ""


#: What is wanted, tried, refused or over is not so.
_NOT_DONE = re.compile(
    r"\b(?:failed|fails|refused|refuses|declined|stopped|quit|gave\s+up|wants?|wanted|hopes?|hoped|plans?|planned|tries|tried|trying|used|longs?"
    r"|would\s+(?:like|love))\s+(?:to\b|\w+ing\b)"
    r"|没能|拒绝|不肯|放弃|停止|不再|(?<![梦思理感联])想(?![念起到法着])|打算|希望|以前|曾经|差点",
    re.I,
)
_OF_THAT = re.compile(
    rf"{_HEDGED.pattern}|{_AVERSE.pattern}|\b(?:fail|tries|tried|trying|try|used|once|formerly|long|aim|going|about|look\w*|want\w*|no\s+longer|stopped)\b|曾|以前|过|拒|放弃|停|差点",
    re.I,
)


def _undone(fact: Fact, sources: Sequence[Message], telling: frozenset[str]) -> str:
    """Whether the lines say that it is wanted, was tried or refused, or is over, and not that it is so."""
    if not telling or _OF_THAT.search(fact.text) or _NOT.search(fact.text):
        return ""
    pieces = [piece for said in sources for piece in _PIECE.split(said.text) if piece.strip()]
    said = telling & telling_words("\n".join(pieces))
    about = [piece for piece in pieces if said and len(said & telling_words(piece)) >= _SHARE * len(said)]
    if not about:
        return ""

    def is_undone(piece: str) -> bool:
        match = _NOT_DONE.search(piece)
        return (
            match is not None
            and bool(telling & telling_words(piece[match.start() :]))
            and not telling & telling_words(piece[: match.start()])
        )

    return "its lines say that it is wanted, or over" if all(map(is_undone, about)) else ""


def _strange(fact: Fact, sources: Sequence[Message], near: Sequence[Message]) -> str:
    figure = strange_figure(fact.text, sources, near)
    return f"none of its lines says {figure}" if figure else ""


#: What somebody says of themselves, by another's word: *Tom said he lives in Leeds*.
_SAID_BY_ANOTHER = re.compile(
    r"(?:\b(?!I\b)\w+\s+(?:said|says|told\s+(?:me|us)|claims?|claimed|swears|insists|thinks)\s+(?:that\s+)?(?:he|she|they)\b(?P<a>.+))"
    r"|(?<!我)(?:说|告诉我)[，,:：]?(?:他|她)(?P<b>.+)",
    re.I,
)
_IF_I = re.compile(r"\bif\s+I\b|\bI\s+wish\b|(?:如果|要是|假如|若)我", re.I)


def _is_spoken_of(fact: Fact, sources: Sequence[Message], near: Sequence[Message], forms: Mapping[str, str]) -> bool:
    """Whether its subject says one of the lines, is named in one, or may be meant there: who talks is *I* or *you*; who does not
    is not meant where somebody speaks of nobody but themselves."""
    subject = normal_name(fact.subject)
    called = {subject, *map(normal_name, fact.aliases)}
    called |= {normal_name(form) for form, name in forms.items() if normal_name(name) == subject}
    talkers = {normal_name(forms.get(said.speaker, said.speaker)) for said in (*near, *sources)}
    for said in sources:
        own = normal_name(forms.get(said.speaker, said.speaker)) in called
        if own or any(_names(name, normal_name(_uncalled(said.text, name))) for name in called):
            return True
    if subject in talkers:
        return any(_SECOND.search(said.text) for said in sources)
    if any(_names(word, normal_name(said.text)) for said in sources for word in _parts(subject)):
        return True
    told = normal_name(fact.text)
    is_with = any(_names(normal_name(forms.get(said.speaker, said.speaker)), told) for said in sources)
    may_be = (_SPOKEN_OF, _SECOND)
    return is_with or any(
        not _OF_ONESELF.search(said.text) or any(pattern.search(said.text) for pattern in may_be) for said in sources
    )


#: Somebody is spoken of without a name; or the speaker speaks of themselves.
_SPOKEN_OF = re.compile(rf"{_THIRD.pattern}|{KIN_ZH_PATTERN}|\b{KIN_EN_PATTERN}\b", re.I)
_OF_ONESELF = re.compile(r"\bI\b|\b(?:my|me)\b|我", re.I)


def _names(name: str, text: str) -> bool:
    if has_cjk(name):
        return name in text
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _parts(subject: str) -> Iterable[str]:
    """The words by which a longer subject is known: *Wren's sister* by *sister*, 小红的妈妈 by 妈妈."""
    if has_cjk(subject):
        return [kin for kin in KIN_ZH if subject.endswith(kin)] + [subject[at : at + 2] for at in range(len(subject) - 1)][2:]
    words = re.findall(r"\w+", subject)
    return [word for word in words if word in KIN_EN or (len(words) > 1 and len(word) > 3)]


def _telling(fact: Fact, forms: Mapping[str, str]) -> frozenset[str]:
    """The words of the fact that say what it says, without names."""
    names = frozenset(word for name in (*forms, *forms.values(), *fact.names) for word in telling_words(name))
    return frozenset(telling_words(fact.text) - names)


def _only_asked(spoken: Sequence[Sentence], fact: Fact) -> str:
    stated = [one for one in spoken if one.standing is not Standing.ASKED or _TAG.search(one.text + "?")]
    if not spoken or stated or _ASKS.search(fact.text):
        return ""
    return "its lines only ask"


def _of_another(
    fact: Fact, sources: Sequence[Message], spoken: Sequence[Sentence], telling: frozenset[str], forms: Mapping[str, str]
) -> str:
    """Whether what is told of a speaker is only quoted, reported of another, supposed or joked in the speaker's own lines."""
    speakers = {normal_name(forms.get(said.speaker, said.speaker)) for said in sources}
    if speakers != {normal_name(fact.subject)} or not telling:
        return ""
    about = [sentence for sentence in spoken if telling & telling_words(sentence.text)]
    if not about:
        heard = telling_words("\n".join(said.text for said in sources))
        return "it is quoted from somebody else" if telling & heard else ""
    if any(telling & telling_words("\n".join(one.clauses)) and one.standing is Standing.STATED for one in about):
        return ""
    standing = {one.standing for one in about}
    heard_in = [one.text for one in about]
    if standing == {Standing.JOKED} or (standing <= {Standing.SUPPOSED, Standing.JOKED} and _IF_I.search("\n".join(heard_in))):
        return "its lines suppose it, or joke"
    if any(telling & telling_words(said) for one in about for said in _reported(one.text)):
        return "somebody else is reported to say it of themselves"
    return ""


def _reported(text: str) -> list[str]:
    return [match["a"] or match["b"] or "" for match in _SAID_BY_ANOTHER.finditer(text)]


def _other_side(fact: Fact, sources: Sequence[Message], telling: frozenset[str]) -> str:
    """Whether the lines deny what is affirmed, or affirm what is denied."""
    all_pieces = [piece for said in sources for piece in _PIECE.split(_IDIOMS.sub(" ", said.text)) if piece.strip()]
    pieces = [piece for piece in all_pieces if len(telling & telling_words(piece)) >= _SHARE * len(telling)]
    if not pieces or not telling:
        return ""
    says_no = _NOT.search(_IDIOMS.sub(" ", fact.text)) is not None
    if not says_no and not _AVERSE.search(fact.text) and all(_NOT.search(piece) for piece in pieces):
        return "its lines deny it"
    whole = " ".join(all_pieces)
    bare = {word for word in telling if not re.search("[不没别]", word)} - _NO_WORDS
    said_so = any(all(word in normal_name(piece) for word in bare) for piece in pieces)
    if says_no and said_so and not any(pattern.search(whole) for pattern in (_NOT, _AVERSE, _ENDS)):
        return "its lines do not deny it"
    return ""


def slot_of(text: str, subject: str, forms: Mapping[str, str]) -> str:
    """The slot of what a sentence says of ``subject``, as the rules understand it (``lives``, ``taste:tea``); empty: none."""
    line = Message(id="text", chat="", index=0, file="", line=0, speaker="\ue002", role=Role.USER, text=text)
    found = split([line], {**forms, subject: subject})
    return next((fact.slot for fact in found if normal_name(fact.subject) == normal_name(subject) and fact.slot), "")
