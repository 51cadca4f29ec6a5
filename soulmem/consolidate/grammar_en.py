"""Facts in English sentences, by pattern. Every pattern looks at what follows the subject."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from soulmem.consolidate.dates import absolute, find_whens
from soulmem.consolidate.drafts import Draft, most_time
from soulmem.consolidate.english import contracted, first_verb, is_past
from soulmem.consolidate.facts import Kind
from soulmem.consolidate.people import KIN_EN_PATTERN, Scene, kin_label, one_of
from soulmem.consolidate.sentences import Sentence
from soulmem.consolidate.voice import told_en
from soulmem.text._numerals import EN_NUMBERS
from soulmem.text.language import Language
from soulmem.text.stopwords import words_of

MOST_CHARACTERS = 240

_NUMBER_NAMES = "|".join(name for name in EN_NUMBERS if len(name) > 2)
_N = rf"(?:\d{{1,3}}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?|{_NUMBER_NAMES})"
_LEAD = re.compile(
    r"(?:(?:well|so|oh|hey|yeah|yes|yep|nope|no|ok|okay|ha|haha|actually|honestly|and|but|also|anyway|hmm+|um+|aw+|wow"
    r"|thanks|thank\s+you|plus|sure"
    r"|right|true|fair|look|listen|you\s+know(?:\s+what)?|you\s+see|i\s+mean|in\s+fact|to\s+be\s+honest|guess\s+what"
    r"|by\s+the\s+way|btw|of\s+course"
    r"|speaking\s+of\s+which|lol|god|sadly|luckily|fortunately|unfortunately|finally|basically|now|then|all\s+right|alright"
    r"|noted|oh\s+no|gosh|congrats"
    r"|because|since|while|though|although)\b[\s,.!:;–—-]*)+",
    re.I,
)
_FEW = re.compile(r"(?:since|while|though|although|because)\Z", re.I)
_ADVERB = (
    r"(?:really|just|always|absolutely|also|still|actually|totally|truly|honestly|so|kind\s+of|kinda|never|quite|very"
    r"|particularly|especially|even|particularly|do|secretly)\s+"
)
_LIKES = re.compile(
    rf"(?P<adverb>(?:{_ADVERB})*)(?:(?P<neg>don't|do\s+not|never|can't|cannot)\s+(?:{_ADVERB})*)?"
    r"(?P<verb>like|love|enjoy|adore|prefer|hate|dislike|detest|loathe|despise|stand|bear|eat|drink|fear|miss|collect"
    r"|fancy)\s+(?P<object>.+)",
    re.I,
)
_FEELS_FOR = re.compile(
    r"(?:am|have\s+been|have\s+always\s+been)\s+(?P<neg>not\s+)?(?:(?:really|very|so|a\s+bit|quite|super|totally|still|also"
    r"|absolutely|always|terribly|deathly|severely|highly)\s+)*"
    r"(?P<verb>allergic\s+to|afraid\s+of|scared\s+of|terrified\s+of|frightened\s+of|fond\s+of|into|obsessed\s+with"
    r"|crazy\s+about|mad\s+about|keen\s+on|addicted\s+to"
    r"|interested\s+in|passionate\s+about|hooked\s+on|an?\s+(?:(?:big|huge|massive)\s+)?fan\s+of)\s+(?P<object>.+)",
    re.I,
)
_IS_ONE = re.compile(
    r"am\s+(?P<neg>not\s+)?an?\s+(?:(?:big|huge|real|total|bit\s+of\s+a)\s+)*(?P<object>[\w' -]{2,30}?)\s+(?P<verb>person"
    r"|lover|fan|addict|nut|buff|enthusiast)\b",
    re.I,
)
_FAVOURITE = re.compile(
    r"My\s+(?:absolute\s+|all-time\s+)?favou?rite\s+(?P<thing>[\w ]{2,30}?)\s*(?:is|are|'s|was|has\s+(?:always\s+been"
    r"|to\s+be))\s+(?P<value>.+)",
    re.I,
)
_OPINION = re.compile(
    r"(?:think|find|reckon)\s+(?P<object>[\w' -]{3,40}?)\s+(?P<verb>tastes?\s+.+|smells?\s+.+|(?:is|are)\s+(?:the\s+(?:best"
    r"|worst)|overrated|underrated|disgusting|delicious|boring|awful|horrible|gross)\b.*)",
    re.I,
)
_NO_OBJECT = re.compile(
    r"\A(?:it|that|this|these|those|them|him|her|you|your|to\s+(?:think|see\s+you|hear|know|say|be)|how|when|what|where|who"
    r"|why|everything|anything|nothing|something"
    r"|one|some|the\s+(?:idea|sound|look|way|thought|fact)|being\s+able|seeing\s+you|hearing|from|at|in|on|up|out|of|about"
    r"|with)\b",
    re.I,
)
_TRADE = (
    r"doctor|nurse|teacher|lawyer|engineer|designer|chef|cook|accountant|programmer|developer|driver|actor|actress|singer"
    r"|writer|journalist|editor|painter|artist|director"
    r"|professor|student|undergrad|postgrad|manager|assistant|translator|guide|waiter|waitress|cashier|courier|guard|farmer"
    r"|worker|soldier|firefighter|tailor|carpenter"
    r"|electrician|welder|mechanic|technician|vet|veterinarian|pharmacist|photographer|hairdresser|barber|therapist"
    r"|counsel+or|psychologist|analyst|architect|consultant"
    r"|intern|freelancer|musician|drummer|guitarist|pianist|dancer|plumber|scientist|researcher|librarian|baker|barista"
    r"|pilot|sailor|captain|skipper|fisherman|builder"
    r"|entrepreneur|founder|banker|broker|clerk|secretary|receptionist|dentist|surgeon|paramedic|midwife|coach|trainer"
    r"|tutor|linguist|historian|biologist|chemist|physicist"
    r"|mathematician|statistician|economist|geologist|astronomer|philosopher|poet|novelist|producer|host|presenter|gardener"
    r"|florist|butcher|jeweller|policeman|policewoman"
    r"|officer|detective|judge|politician|activist|volunteer|homemaker|housewife|stay-at-home\s+\w+|single\s+(?:mom|mum"
    r"|mother|dad|father|parent)"
)
_WORKS = re.compile(
    rf"am\s+(?:now\s+|currently\s+|actually\s+|just\s+)*an?\s+(?P<value>(?:[\w-]+\s+){{0,3}}(?:{_TRADE}))\b(?!['’])(?P<where>.*)"
    r"|(?:currently\s+|now\s+)?(?:work|am\s+working)\s+(?:as|at|for)\s+(?P<value2>(?!(?:it|that|this|home|least|night"
    r"|the\s+moment)\b).{2,60})"
    r"|(?:work|do)\s+(?P<value3>nights|shifts|night\s+shifts)\b",
    re.I,
)
_LIVES = re.compile(
    r"(?:(?:currently|now|still|just|actually)\s+)*(?:live|reside|am\s+(?:living|based))\s+(?:(?:alone|here"
    r"|now)\s+)?(?P<value>(?:in|at|on|near|by|with|outside)\s+[\w' ,-]{2,50})"
    r"|(?:just\s+"
    r"|recently\s+)?(?:have\s+)?(?:just\s+)?moved\s+(?:here\s+)?(?:back\s+)?(?:from\s+[\w' -]{2,30}\s+)?"
    r"to\s+(?P<value2>(?-i:[A-Z])[\w' -]{1,40})"
    r"|am\s+in\s+(?P<value3>(?-i:[A-Z])\w+)\s+(?:now|these\s+days|at\s+the\s+moment)",
    re.I,
)
_FROM = re.compile(
    r"(?:am|come)\s+(?:originally\s+)?from\s+(?P<value>(?-i:[A-Z])[\w' ,-]{1,40})|grew\s+up\s+in\s+(?P<value2>.{2,40})"
    r"|was\s+born\s+in\s+(?P<value3>(?-i:[A-Z]).{1,40})",
    re.I,
)
_AGED = re.compile(
    rf"am\s+(?:only\s+|already\s+|now\s+)?(?P<value>{_N})(?:\s+years\s+old)?\Z"
    rf"|(?:have\s+)?(?:just\s+)?turned\s+(?P<value2>{_N})\b|will\s+be\s+(?P<value3>{_N})\b(?!\s+(?:minutes|hours|days))",
    re.I,
)
_STANDS = re.compile(
    r"am\s+(?:(?:still|now|happily|recently|currently)\s+)*(?P<value>married|single|divorced|engaged|widowed|pregnant"
    r"|vegetarian|a\s+vegetarian|vegan|a\s+vegan|diabetic|left-handed|colou?r-?blind|deaf|blind|retired|unemployed"
    r"|transgender|trans|gay|bisexual|bi|lesbian|lactose\s+intolerant|gluten[- ]free|coeliac|celiac|an\s+only\s+child"
    r"|adopted|dyslexic|autistic)\b(?!\s+to\b)",
    re.I,
)
_SKILL = re.compile(
    r"(?:still\s+|actually\s+)*(?:can't|cannot|can\s+not|never\s+learn(?:ed|t)\s+(?:how\s+)?to)\s+(?P<value>swim|drive|cook"
    r"|ride\s+(?:a\s+)?\w+|ski|dance|sing|read|speak\s+\w+|whistle|skate|dive|sew|knit|eat\s+[\w ]+|drink\s+[\w ]+"
    r"|have\s+(?:dairy|gluten|nuts|peanuts|shellfish|milk|caffeine))\Z",
    re.I,
)
_PETS = r"(?:cat|dog|puppy|kitten|hamster|rabbit|parrot|horse|turtle|tortoise|pet|fish|bird)"
_NAME = r"(?P<name>(?-i:[A-Z])[\w'’-]+(?:\s(?-i:[A-Z])[\w'’-]+)?)"
_HAS = re.compile(
    rf"(?:have|have\s+got|adopted|got)\s+(?P<number>an?|one|two|three|four|five"
    rf"|\d)\s+(?P<adjective>(?:[\w-]+\s+){{0,2}}?)(?P<kin>{KIN_EN_PATTERN})(?P<plural>s|ren|ies)?\b(?:\s*,?\s*(?:called"
    rf"|named)\s+{_NAME})?",
    re.I,
)
_CALLED = re.compile(
    rf"(?:is|was)\s+(?:called|named)\s+{_NAME}|(?:'s)?\s*name\s*(?:is|'s)\s+{_NAME.replace('?P<name>', '?P<name2>')}"
    rf"|is\s+{_NAME.replace('?P<name>', '?P<name3>')}\Z",
    re.I,
)
_PROMISE = re.compile(r"(?:do\s+|hereby\s+)?(?:(?:have\s+)?promised?|swear|vow|gave\s+(?:you\s+)?my\s+word)\b(?P<what>.*)", re.I)
_WILL = re.compile(
    r"will\s+(?:definitely\s+|certainly\s+|always\s+|also\s+|gladly\s+|never\s+)*(?P<verb>(?!be\b|see\b|have\b|know\b"
    r"|need\b|miss\b|think\b|hear\b|admit\b|say\b|take\s+that|believe\b|guess\b|let\b|keep\s+(?:that|it)\b|get\b|try\b"
    r"|probably\b)\w+)\s+(?P<rest>.+)",
    re.I,
)
_COMMITS = re.compile(r"\b(?:you|your)\b", re.I)
_FEELING = (
    r"tired|exhausted|sick|ill|sad|happy|depressed|anxious|stressed|nervous|lonely|bored|angry|upset|excited|hungover|hurt"
    r"|injured|worried|heartbroken|overwhelmed|burn(?:ed|t)\s+out"
    r"|homesick|proud|jealous|cold|hungry|sleepy|dizzy|unwell|down|miserable|terrified|thrilled"
)
_FEELS = re.compile(
    rf"(?:(?:am|feel|am\s+feeling|have\s+been(?:\s+feeling)?)\s+(?P<adverb>(?:so|really|very|a\s+bit|a\s+little|pretty"
    rf"|quite|kind\s+of|super|still|just|too|completely|totally|absolutely|feeling)\s+)*(?P<value>{_FEELING})"
    r"|(?:have|have\s+got|caught)\s+(?P<value2>an?\s+(?:cold|fever|headache|migraine|flu|hangover|sore\s+throat|cough)"
    r"|the\s+flu))\b(?!\s+(?:of|about\s+(?:you|her|him|it))\b)",
    re.I,
)
_MIND = words_of(
    """
am is are was were be been think thought know knew mean meant say said see saw hear heard feel felt want wanted need
needed guess hope hoped wish wished believe believed remember remembered forget forgot like liked love loved hate
hated can could will would should may might must do did does have had has seem seemed notice noticed wonder wondered
understand understood agree agreed expect expected suppose bet get got figure figured admire appreciate appreciated
realize realise realized realised used tend care imagine doubt look looked
"""
)
_DENIED = re.compile(r"\b(?:not|never|no|nobody|nothing|none|neither|nor|without|hardly|barely|\w+n't)\b", re.I)
_HEAD = re.compile(
    r"\A(?P<lead>[^,]{2,45},?\s+)??(?P<who>I|We|My\s+(?:\w+\s+)?KIN|NAMES)(?:\s+|(?='))(?P<rest>.+)\Z".replace(
        "KIN", KIN_EN_PATTERN
    ),
    re.S,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A sentence with its subject told apart: ``who`` as it stands there, ``rest``: what follows it, ``text``: from the lead
    on."""

    text: str
    lead: str
    who: str
    rest: str
    subject: str
    first: bool
    kin: str = ""
    named: str = ""


def drafts(sentence: Sentence, scene: Scene) -> Iterator[Draft]:
    """The facts of a sentence that was stated."""
    for text in sentence.clauses:
        bare = contracted(_without_lead(text)).strip()
        if not bare or len(bare) > MOST_CHARACTERS:
            continue
        favourite = _favourite(bare, scene) or _affecting(bare, scene)
        clause = _clause(bare, scene)
        if favourite is not None:
            yield favourite
        elif clause is not None:
            yield from _of_clause(clause, scene)
        else:
            yield from _dated_thing(bare, scene)


def _without_lead(text: str) -> str:
    match = _LEAD.match(text)
    return text[match.end() :] if match and match.end() < len(text) else text


def _of_clause(clause: Clause, scene: Scene) -> Iterator[Draft]:
    found = [draft for rule in _RULES if (draft := rule(clause, scene)) is not None][:2]
    yield from found[:1]
    if found and found[0].kind is Kind.RELATION and len(clause.rest.split()) < 4:
        return
    if not found or found[0].kind is Kind.RELATION:
        event = _event(clause, scene)
        if event is not None:
            yield event
        elif not found:
            yield from _dated_thing(clause.text, scene)


def _clause(text: str, scene: Scene) -> Clause | None:
    pattern = _HEAD.pattern.replace("NAMES", one_of(form for form in scene.forms if form.isascii()))
    match = re.match(pattern, text, re.S)
    if match is None or (match["lead"] and not _is_lead(match["lead"], scene)):
        return None
    who, rest = match["who"], match["rest"]

    def clause(subject: str | None, *, first: bool = False, kin: str = "", named: str = "") -> Clause | None:
        if subject is None or (rest.startswith("'s ") and not kin):
            return None
        return Clause(text=text, lead=match["lead"] or "", who=who, rest=rest, subject=subject, first=first, kin=kin, named=named)

    if who in ("I", "We"):
        return clause(scene.speaker, first=who == "I")
    if who.startswith("My"):
        kin = who.split()[-1]
        named = re.match(rf"(?:,\s*)?{_NAME}\b,?", rest)
        is_named = named is not None and named["name"].split()[0] not in ("I", "He", "She")
        return clause(kin_label(scene.speaker, kin), kin=kin, named=named["name"] if named and is_named else "")
    name = scene.forms[who]
    return clause(name, first=name == scene.speaker)


def _is_lead(lead: str, scene: Scene) -> bool:
    """Whether what stands before the subject is a time (*Last week, I …*)."""
    if scene.now is None:
        return False
    whens = find_whens(lead, scene.now, Language.EN)
    return bool(whens) and whens[-1].end >= len(lead.rstrip(" ,")) - 1 and len(lead.split()) < 7


# -- rules --------------------------------------------------------------------------------------------------------------------


def _finished(words: str, scene: Scene) -> str | None:
    """``words`` with its times absolute and its pronouns put as names."""
    if scene.now is None:
        if re.search(
            r"\b(?:yesterday|today|tomorrow|tonight|ago|(?:last|next|this)\s+(?:week|month|year|night|\w+day))\b", words, re.I
        ):
            return None
        return told_en(words, scene)
    dated, _ = absolute(words, scene.now, Language.EN)
    return told_en(dated, scene)


def _draft(
    clause: Clause, scene: Scene, kind: Kind, rule: str, *, slot: str = "", value: str = "", text: str | None = None
) -> Draft | None:
    put = _finished(text or f"{clause.lead}{clause.who} {clause.rest}".replace(" 's", "'s"), scene)
    if put is None or re.search(r"\b(?:you|it|him|her|them|that|this)\b", value, re.I):
        return None
    return Draft(kind=kind, subject=clause.subject, slot=slot, value=value, text=put, rule=rule, names=scene.names(put))


def _cut(text: str) -> str:
    """``text`` up to where another thought begins."""
    return re.split(
        r"\s*(?:[,;:–—]|\s-\s|\b(?:but|because|so(?=\s+(?:I|we|it|that|my|he|she|they)\b)|when|while|since|although|though"
        r"|which|who|and\s+(?:I|we|he|she|it|my|the|that))\b)",
        text,
        maxsplit=1,
    )[0].strip()


def _naming(clause: Clause, scene: Scene) -> Draft | None:
    if clause.kin and clause.named:
        return _kin(scene, clause.kin, clause.named)
    match = _CALLED.match(clause.rest)
    if match is None:
        return None
    name = match["name"] or match["name2"] or match["name3"]
    if clause.kin and (match["name3"] is None or name in scene.forms):
        return _kin(scene, clause.kin, name)
    return None


def _kin(scene: Scene, kin: str, name: str) -> Draft:
    label = kin_label(scene.speaker, kin)
    return Draft(
        kind=Kind.RELATION,
        subject=scene.speaker,
        slot=f"{kin}:{name}",
        value=name,
        text=f"{label} is {name}",
        rule="kin",
        names=tuple(dict.fromkeys((scene.speaker, name))),
        called=(name, label),
    )


def _possession(clause: Clause, scene: Scene) -> Draft | None:
    match = _HAS.match(clause.rest)
    if match is None or not clause.first:
        return None
    kin = match["kin"].casefold()
    if match["name"]:
        return _kin(scene, kin, match["name"])
    if match["plural"] and match["number"] in ("a", "an"):
        return None
    return _draft(
        clause, scene, Kind.RELATION, "has", slot=f"has:{kin}", value=f"{match['number']}", text=f"I {_cut(clause.rest)}"
    )


def _identity(clause: Clause, scene: Scene) -> Draft | None:
    if not clause.first and clause.subject == scene.speaker:
        return None
    rest = re.sub(r"\A(?:is|'s)\s", "am ", clause.rest)
    for slot, pattern in (
        ("age", _AGED),
        ("lives", _LIVES),
        ("from", _FROM),
        ("stands", _STANDS),
        ("work", _WORKS),
        ("cannot", _SKILL),
    ):
        match = pattern.match(rest if slot != "age" else _cut(rest))
        if match is None:
            continue
        value = next((found for name in ("value", "value2", "value3") if (found := match.groupdict().get(name))), "")
        return _identified(clause, scene, slot, _cut(value))
    return None


def _identified(clause: Clause, scene: Scene, slot: str, value: str) -> Draft | None:
    if slot == "age" and scene.now is not None:
        text = f"{clause.who} {_cut(clause.rest)}"
        return _as_of(_draft(clause, scene, Kind.IDENTITY, slot, slot=slot, value=value, text=text), scene)
    shown = f"{slot}:{value}" if slot == "cannot" else slot
    return _draft(clause, scene, Kind.IDENTITY, slot, slot=shown, value=re.sub(r"\A(?:in|at|on)\s", "", value))


def _taste(clause: Clause, scene: Scene) -> Draft | None:
    if not clause.first:
        return None
    opinion = _OPINION.match(clause.rest)
    if opinion and not _NO_OBJECT.match(opinion["object"]):
        return _draft(clause, scene, Kind.PREFERENCE, "opinion", slot=f"taste:{opinion['object']}", value=opinion["verb"])
    match = _IS_ONE.match(clause.rest) or _FEELS_FOR.match(clause.rest) or _LIKES.match(clause.rest)
    if match is None:
        return None
    about, verb = _cut(match["object"]), match["verb"].casefold()
    denied = bool(match["neg"])
    if _NO_OBJECT.match(about) or not about or len(about) > 70 or _is_no_taste(verb, denied, match):
        return None
    value = ("not " if denied else "") + verb
    return _draft(clause, scene, Kind.PREFERENCE, "taste", slot=f"taste:{_bare_object(about)}", value=value)


def _is_no_taste(verb: str, denied: bool, match: re.Match[str]) -> bool:
    if verb in ("eat", "drink", "stand", "bear"):
        return not denied or (verb in ("eat", "drink") and (match["neg"] or "").casefold() in ("can't", "cannot"))
    if verb in ("miss", "fear", "collect", "fancy"):
        return denied
    return (match["neg"] or "").casefold() in ("can't", "cannot", "never") and "adverb" in match.groupdict()


def _bare_object(about: str) -> str:
    return re.sub(
        r"\A(?:to|the|a|an|my|some)\s+|\s+(?:anything|person|so\s+much|a\s+lot|too|very\s+much|the\s+most)\Z",
        "",
        about,
        flags=re.I,
    )


def _promise(clause: Clause, scene: Scene) -> Draft | None:
    if not clause.first or clause.who != "I":
        return None
    match = _PROMISE.match(clause.rest)
    if match and len(match["what"].split()) > 2 and not _DENIED.match(match["what"].strip()):
        return _draft(clause, scene, Kind.PROMISE, "promise")
    match = _WILL.match(clause.rest)
    dated = scene.now is not None and bool(find_whens(clause.rest, scene.now, Language.EN))
    if match and (dated or _COMMITS.search(match["rest"])) and not re.search(r"\b(?:when|as\s+soon\s+as)\b", match["rest"]):
        return _draft(clause, scene, Kind.PROMISE, "will")
    return None


def _state(clause: Clause, scene: Scene) -> Draft | None:
    rest = re.sub(r"\Ais\s", "am ", clause.rest) if clause.kin else clause.rest
    match = _FEELS.match(rest)
    if match is None or not (clause.first or clause.kin) or _DENIED.search(match[0]):
        return None
    text = f"{clause.lead}{clause.who} {_cut(clause.rest)}"
    value = match["value"] or match["value2"]
    return _as_of(_draft(clause, scene, Kind.STATE, "state", slot="feels", value=value, text=text), scene)


def _as_of(draft: Draft | None, scene: Scene) -> Draft | None:
    """The draft with the day it was said, if it names none."""
    if draft is None or scene.now is None or re.search(r"\d{4}-\d\d", draft.text):
        return draft
    return replace(draft, text=f"{draft.text} ({scene.now:%Y-%m-%d})")


Rule = Callable[[Clause, Scene], Draft | None]
_RULES: tuple[Rule, ...] = (
    _naming,
    _possession,
    _taste,
    _identity,
    _promise,
    _state,
    lambda clause, scene: _habit(clause, scene),
)


_HABIT = re.compile(
    r"(?:(?:usually|always|often|still|also|mostly|mainly|sometimes)\s+)*(?P<verb>own|carry|wear|play|teach|coach|ride|grow"
    r"|raise|breed|volunteer|practi[cs]e|speak|paint|bake|knit|brew|run|write|"
    r"train|keep(?!\s+\w+ing)|restore|repair|build|make|sing|sew|garden|commute)\s+(?P<object>.+)",
    re.I,
)
_AFFECTS = re.compile(
    r"(?P<object>[A-Z][\w' -]{2,40}?)\s+(?:always\s+|really\s+|just\s+)?(?P<verb>makes?\s+me|gives?\s+me|scares?\s+me"
    r"|disgusts?\s+me|bores?\s+me)\b(?P<rest>.*)"
)


def _habit(clause: Clause, scene: Scene) -> Draft | None:
    """What somebody does as a rule: *I carry a jab*, *I play the cello in an orchestra*."""
    match = _HABIT.match(clause.rest)
    if match is None or clause.who != "I" or clause.lead or _NO_OBJECT.match(match["object"]) or _DENIED.search(clause.rest):
        return None
    about = _cut(match["object"])
    return _draft(
        clause,
        scene,
        Kind.IDENTITY,
        "habit",
        slot=f"does:{match['verb'].casefold()} {_bare_object(about)}",
        value=match["verb"],
        text=f"I {_cut(clause.rest)}",
    )


def _affecting(text: str, scene: Scene) -> Draft | None:
    """*Cats make me sneeze*: what something does to the speaker."""
    match = _AFFECTS.match(text)
    if (
        match is None
        or _NO_OBJECT.match(match["object"])
        or match["object"].split()[0] in ("You", "He", "She", "They", "We", "I")
    ):
        return None
    put = _finished(_cut(text), scene)
    if put is None:
        return None
    return Draft(
        kind=Kind.PREFERENCE, subject=scene.speaker, slot=f"taste:{match['object']}", value=_cut(match["verb"] +
        match["rest"]), text=put, rule="affects", names=scene.names(put),
    )  # fmt: skip


def _favourite(text: str, scene: Scene) -> Draft | None:
    match = _FAVOURITE.match(text)
    if match is None or _NO_OBJECT.match(match["value"]):
        return None
    put = _finished(text, scene)
    if put is None:
        return None
    value = _cut(match["value"])
    return Draft(
        kind=Kind.PREFERENCE,
        subject=scene.speaker,
        slot=f"favourite:{match['thing']}",
        value=value,
        text=put,
        rule="favourite",
        names=scene.names(put),
    )


# -- events and dates ---------------------------------------------------------------------------------------------------------

_DATED = re.compile(r"(?P<my>My\s+)?(?P<what>(?:[\w'-]+\s+){0,4}?[\w-]+?)(?:\s+(?:is|was|will\s+be)|'s)\s+(?P<when>.+)", re.I)
_BIRTHDAY = re.compile(r"\bbirthday\b", re.I)


def _dated_thing(text: str, scene: Scene) -> Iterator[Draft]:
    """*My interview is on the ninth*; *the ninth is my birthday*: what is when."""
    if scene.now is None:
        return
    match = _DATED.match(text)
    if match is None or match["what"].casefold() in ("it", "that", "this", "he", "she", "there", "what", "who", "here", "let"):
        return
    whens = find_whens(text, scene.now, Language.EN)
    first_in_value = [when for when in whens if when.begin >= match.start("when") and when.begin - match.start("when") < 8]
    of_subject = whens and whens[0].end >= match.end("what") - 2 and re.match(r"my\s", match["when"], re.I)
    if not first_in_value and not of_subject:
        return
    own = bool(match["my"]) or bool(of_subject)
    bare = (
        not own
        and not scene.of_another
        and match["what"][0].isupper()
        and len(match["what"].split()) == 1
        and match["what"] not in scene.forms
    )
    words = f"My {text[0].lower()}{text[1:]}" if bare else text
    if not own and not bare:
        return
    put = _finished(words, scene)
    if put is not None:
        when = whens[0] if of_subject else first_in_value[0]
        born = _BIRTHDAY.search(text) is not None
        yield Draft(
            kind=Kind.DATE if born else Kind.EVENT,
            subject=scene.speaker,
            slot="birthday" if born else f"when:{match['what'].casefold()}",
            value=f"{when.start:%m-%d}" if born else when.told(),
            text=put,
            rule="dated",
            names=scene.names(put),
            when=(when.start, when.stop),
        )


def _event(clause: Clause, scene: Scene) -> Draft | None:
    """What happened or will, with its time where one is said."""
    rest = (
        re.sub(r"\A(?:have|has|'s|had)\s+(?:(?:just|finally|already|also)\s+)*", "", clause.rest)
        if _is_perfect(clause.rest)
        else clause.rest
    )
    verb = first_verb(rest)
    if _DENIED.search(clause.rest) or len(clause.rest.split()) < (2 if scene.names(clause.rest) else 3):
        return None
    dated = scene.now is not None and bool(find_whens(clause.text, scene.now, Language.EN))
    happened = is_past(verb) and (
        verb not in _MIND or (dated and re.match(r"(?:did|had|got)\s+(?:an?|my|the|some|\d+)\s", rest) is not None)
    )
    if not happened and not (dated and _comes(clause.rest)):
        return None
    put = _finished(f"{clause.lead}{clause.who} {clause.rest}", scene)
    if put is None:
        return None
    return Draft(
        kind=Kind.EVENT,
        subject=clause.subject,
        text=put,
        rule="event",
        names=scene.names(put),
        when=most_time(clause.text, scene, Language.EN),
    )


def _is_perfect(rest: str) -> bool:
    match = re.match(r"(?:have|has|'s|had)\s+(?:(?:just|finally|already|also)\s+)*(?P<verb>\w+)", rest, re.I)
    return match is not None and (is_past(match["verb"]) or match["verb"].casefold() in ("gone", "come", "become", "run"))


_COMES = re.compile(
    r"(?:am|is|are)\s+(?:\w+\s+)?(?:going|\w+ing|due|off)\b|will\s+\w+|have\s+(?:an?|my|the|to)\s+\w+|has\s+(?:an?|his|her"
    r"|to)\s+\w+|want\s+to\s+\w+|plan\s+to\s+\w+|(?:start|leave|fly|move|begin|finish|go|come|get|arrive|graduate|travel"
    r"|return|open)e?s?\b",
    re.I,
)


def _comes(rest: str) -> bool:
    return _COMES.match(rest) is not None
