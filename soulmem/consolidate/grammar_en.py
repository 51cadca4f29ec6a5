"""Facts in English sentences, by pattern. Every pattern looks at what follows the subject."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from soulmem.consolidate.changes_en import (
    JOB,
    affirmed,
    formerly,
    is_leaving,
    is_new_job,
    parted,
    parted_ends,
    plan_noun,
    planned,
)
from soulmem.consolidate.dates import Tense, absolute, any_year, find_whens, told
from soulmem.consolidate.drafts import Draft, most_time
from soulmem.consolidate.english import contracted, first_person, first_verb, is_past, predicate, with_subject
from soulmem.consolidate.facts import DISLIKES, ENDED, Kind
from soulmem.consolidate.people import KIN_EN_PATTERN, Scene, kin_label, one_of
from soulmem.consolidate.sentences import Sentence
from soulmem.consolidate.voice import told_en
from soulmem.text._numerals import EN_NUMBERS
from soulmem.text.language import Language, has_cjk
from soulmem.text.stopwords import words_of

MOST_CHARACTERS = 240

_NUMBER_NAMES = "|".join(name for name in EN_NUMBERS if len(name) > 2)
_N = rf"(?:\d{{1,3}}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?|{_NUMBER_NAMES})"
_LEAD = re.compile(
    r"(?:(?:no,?\s+wait|wait|scratch\s+that|well|so|oh|hey|woah|whoa|ooh|aww|yay|hi|hello|yeah|yes|yep|nope|no|ok|okay|ha|haha|actually|honestly|and|but|also|anyway|hmm+|um+|aw+|wow"
    r"|thanks|thank\s+you|plus|sure"
    r"|right|true|fair|look|listen|you\s+know(?:\s+what)?|you\s+see|i\s+mean|in\s+fact|to\s+be\s+honest|guess\s+what"
    r"|by\s+the\s+way|btw|of\s+course"
    r"|speaking\s+of\s+which|lol|god|sadly|luckily|fortunately|unfortunately|finally|basically|now|then|all\s+right|alright"
    r"|noted|oh\s+no|gosh|congrats|sorry|oops|correction|my\s+mistake|my\s+bad"
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
    r"(?P<verb>like|love|enjoy|adore|prefer|hate|dislike|detest|loathe|despise|stand|bear|mind|eat|drink|fear|miss|collect"
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
#: *I have always hated*: a taste, in the perfect.
_ALWAYS = re.compile(
    r"\Ahave\s+(?P<how>always|never)\s+(?:really\s+)?(?P<verb>hate|love|like|dislike|enjoye?|feare?|adore)d\b", re.I
)
_RATHER = re.compile(r"would\s+rather\s+(?:have\s+|drink\s+|eat\s+|take\s+)?(?P<object>.{2,40}?)\s+than\s+.+", re.I)
_REFUSES = re.compile(
    r"(?:really\s+|also\s+)?(?:don't|do\s+not|never)\s+(?P<value>drink|smoke|vape|gamble|drive|cook|swear|dance)"
    r"(?:\s+(?:alcohol|cigarettes|at\s+all|any\s?more))?\Z",
    re.I,
)
_FAVOURED = re.compile(
    r"(?P<value>[A-Z][\w' -]{1,40}?)\s+(?:is|are|has\s+always\s+been)\s+my\s+(?:absolute\s+"
    r"|all-time\s+)?favou?rite(?:\s+(?P<thing>[\w ]{2,30}))?\Z"
)
_BEST = re.compile(r"Nothing\s+beats\s+(?P<value>.{3,50})\Z")
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
    r"|florist|butcher|jeweller|policeman|policewoman|miner|shepherd|cobbler|blacksmith|watchmaker|optician|undertaker"
    r"|sculptor|potter|weaver|beekeeper|lifeguard|referee|composer|conductor|comedian|magician|priest|monk|nun|imam|rabbi"
    r"|pastor"
    r"|officer|detective|judge|politician|activist|volunteer|homemaker|housewife|stay-at-home\s+\w+|single\s+(?:mom|mum"
    r"|mother|dad|father|parent)"
)
#: What is no trade though one is named: *a bit of a baker*, *a terrible cook*.
_NO_TRADE = (
    r"(?:(?:bit|kind|sort|piece|little)\s+of\b|(?:[\w-]+\s+)?(?:good|bad|great|terrible|awful|decent|horrible|lousy|slow|careful|fast|better"
    r"|poor)\s+(?:cook|driver|singer|dancer|writer|actor|actress|host|painter|photographer|guide|coach)\b)"
)
#: How somebody works, and not as what: *as hard as I can*, *as a team*.
_NO_POST = (
    r"as\s+(?:\w+\s+as\b|(?:an?\s+)?(?:[\w-]+\s+)?(?:team|pair|couple|group|duo|unit|one|usual|normal|always|before|planned)\b)"
)
_WORKS = re.compile(
    rf"(?:am|was)\s+(?:now\s+|currently\s+|actually\s+|also\s+"
    rf"|just\s+)*an?\s+(?!{_NO_TRADE})(?P<value>(?:[\w-]+\s+){{0,3}}(?:{_TRADE}))\b(?!['’])(?P<where>.*)"
    rf"|(?:currently\s+|now\s+)?(?:work|am\s+working)\s+(?!{_NO_POST})(?:as|at|for)\s+"
    r"(?P<value2>(?!(?:it|that|this|home|least|night|free|hours|days|weeks|nothing|now|once|the\s+moment)\b).{2,60})"
    r"|(?:work|do)\s+(?P<value3>nights|shifts|night\s+shifts)\b",
    re.I,
)
_LIVES = re.compile(
    r"(?:(?:currently|now|still|just|actually|also)\s+)*(?:live|reside|am\s+(?:living|based))\s+(?:(?:alone|here"
    r"|now)\s+)?(?P<value>(?:in|at|on|near|by|with|outside)\s+[\w' ,-]{2,50})"
    r"|have\s+(?:been\s+living|lived|been\s+based)\s+(?P<value4>(?:in|at|on|near|with)\s+[\w' ,-]{2,50})"
    r"|(?:just\s+"
    r"|recently\s+)?(?:have\s+)?(?:just\s+)?moved\s+(?:here\s+)?(?:back\s+)?(?:from\s+[\w' -]{2,30}\s+)?"
    r"to\s+(?P<value2>(?-i:[A-Z])[\w' -]{1,40})"
    r"|am\s+in\s+(?P<value3>(?-i:[A-Z])\w+)\s+(?:now|these\s+days|at\s+the\s+moment)",
    re.I,
)
_FROM = re.compile(
    r"(?:am|come)\s+(?:originally\s+)?from\s+(?P<value>(?:(?:an?|the)\s+[\w' -]{2,30}?\s+)?(?-i:[A-Z])[\w' ,-]{1,40})"
    r"|grew\s+up\s+in\s+(?P<value2>.{2,40})"
    r"|was\s+born\s+in\s+(?P<value3>(?-i:[A-Z]).{1,40})",
    re.I,
)
_AGED = re.compile(
    rf"am\s+(?:only\s+|already\s+|now\s+)?(?P<value>{_N})(?:\s+years\s+old)?\Z"
    rf"|(?:have\s+)?(?:just\s+)?turned\s+(?P<value2>{_N})\b(?!\s+(?:pages?|corners?|times?|of)\b)",
    re.I,
)
_STANDS = re.compile(
    r"(?:am|have\s+(?:always\s+)?been)\s+(?:(?:still|now|happily|recently|currently)\s+)*(?P<value>married|single|divorced"
    r"|engaged|widowed|pregnant"
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
_STUDIES = re.compile(
    r"(?:study|am\s+(?:now\s+|currently\s+)?(?:studying|majoring\s+in))\s+(?P<value>(?!(?:it|that|this|hard|all|every"
    r"|at\s+night|tonight|tomorrow"
    r"|today|with|(?:for|with)\s+(?:my|the|an?)\s+(?:\w+\s+)?(?:exam|test|quiz|final)\w*)\b).{3,60})"
    r"|am\s+(?:in|doing)\s+(?:my\s+|his\s+|her\s+)?(?P<value2>(?:\w+\s+)?(?:year|grade|semester)\b.*|an?\s+(?:PhD|master's"
    r"|degree)\b.*)",
    re.I,
)
_USED = re.compile(r"used\s+to\s+(?P<value>(?:\w+ly\s+)?\w{2,}(?:\s.*)?)", re.I)
_AMONG = re.compile(
    r"am\s+(?P<value>the\s+(?:youngest|oldest|eldest|middle|second|baby)\b(?:\s+(?:of|in|child|one|kid)\b.*)?"
    r"|one\s+of\s+\w+\s+(?:children|siblings|kids))\Z",
    re.I,
)
_AILMENT = (
    r"asthma|diabetes|epilepsy|migraines|arthritis|adhd|ocd|eczema|insomnia|an?emia|hay\s*fever|high\s+blood\s+pressure|tinnitus"
    r"|ptsd|dyslexia|allergies|depression|anxiety|autism|cancer|lupus|scoliosis|psoriasis|vertigo|coeliac\s+disease"
    r"|celiac\s+disease"
    r"|(?:a\s+)?bad\s+(?:back|knees?|eyesight|hearing)|a\s+heart\s+condition|a\s+pacemaker|a\s+slipped\s+disc"
)
_AILS = re.compile(
    r"(?:have(?:\s+(?:got|had|always\s+had))?|suffer\s+from|(?:was|have\s+been|got|am)\s+diagnosed\s+with)\s+"
    rf"(?:(?:really|quite|severe|mild|bad|chronic|type\s+\w+)\s+)*(?P<value>{_AILMENT})\b",
    re.I,
)
_THING = (
    r"car|motorbike|motorcycle|scooter|bike|bicycle|boat|canoe|kayak|guitar|piano|violin|cello|drum\s+kit|garden|allotment"
    r"|balcony|house"
    r"|flat|apartment|cottage|cabin|van|truck|caravan|camera|telescope|tattoos?|scars?|sewing\s+machine|licen[cs]e|degree"
    r"|phd|farm|shop"
    r"|caf[eé]|restaurant|bakery|studio|greenhouse|record\s+player|typewriter|volvo|saxophone|accordion|podcast|blog|channel"
    r"|lisp|stammer"
)
_OWNS = re.compile(
    rf"(?:still\s+)?(?:have(?:\s+got)?|own|drive|ride)\s+(?P<value>(?:an?|two|three|four"
    rf"|my\s+own)\s+(?:[\w'-]+\s+){{0,4}}?(?:{_THING}))\b",
    re.I,
)
_STAYS = re.compile(
    r"am\s+(?:currently\s+|still\s+|now\s+)?(?:staying|crashing)\s+(?P<value>(?:with|at|in)\s+(?!(?:home|bed|tonight"
    r"|touch)\b).{3,40})",
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
    r"|homesick|proud|jealous|cold|hungry|sleepy|dizzy|unwell|down(?!\s+(?:to|for|with)\b)|miserable|terrified|thrilled"
)
_FEELS = re.compile(
    rf"(?:have\s+been\s+having|am\s+having|keep\s+having|have\s+(?:got\s+)?)\s*(?P<value4>trouble\s+\w+ing|nightmares"
    rf"|panic\s+attacks|headaches|insomnia)"
    r"|(?P<value5>can't\s+sleep|am\s+not\s+sleeping|have\s+not\s+slept|haven't\s+slept)\b"
    rf"|(?:(?:am|feel|am\s+feeling|have\s+been(?:\s+feeling)?)\s+(?P<adverb>(?:so|really|very|a\s+bit|a\s+little|pretty"
    rf"|quite|kind\s+of|super|still|just|too|completely|totally|absolutely|feeling)\s+)*(?P<value>{_FEELING})"
    r"|(?:have|have\s+got|caught)\s+(?P<value2>an?\s+(?:(?:bad|terrible|nasty|awful|stinking)\s+)?(?:cold|fever|headache"
    r"|migraine|flu|hangover|sore\s+throat|cough)"
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
    r"\A(?P<lead>[^,]{2,45}?,?\s+)??(?P<who>I|We|(?:My|Our)\s+(?:\w+\s+)?KIN|NAMES)(?:\s+|(?=[',]))(?P<rest>.+)\Z".replace(
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
        bare = contracted(_owned(_without_lead(_uncalled(_without_lead(text), scene)), scene)).strip()
        if not bare or len(bare) > MOST_CHARACTERS:
            continue
        alone = next((draft for rule in _WHOLE if (draft := rule(bare, scene)) is not None), None)
        kin = _kin_of_another(bare, scene)
        clause = kin[1] if kin else _clause(bare, scene) or _subjectless(bare, scene)
        if kin and kin[0] is not None:
            yield kin[0]
        if alone is not None:
            yield alone
        elif clause is not None:
            yield from _of_clause(clause, scene)
        else:
            yield from _dated_thing(bare, scene)


_OWN = re.compile(r"(?P<kin>Mom|Mum|Mama|Mummy|Dad|Daddy|Papa|Grandma|Grandpa|Granddad|Granny|Gran|Nan)(?=\s+[a-z]|['’]s\s)")


def _owned(text: str, scene: Scene) -> str:
    """*Dad broke his leg*: of these everyone has their own."""
    match = _OWN.match(text)
    is_theirs = match is None or match["kin"] in scene.forms or scene.of_another or scene.among_others
    return text if is_theirs else f"My {text[0].lower()}{text[1:]}"


_KIN_OF = re.compile(
    rf"(?P<owner>NAMES)['’]s\s+(?P<kin>{KIN_EN_PATTERN})\b(?:,?\s+(?P<named>[A-Z][\w-]+)(?!['’]),?)?\s*(?P<rest>(?:'s\s|\s*[a-z]).+)",
    re.S,
)


def _kin_of_another(text: str, scene: Scene) -> tuple[Draft | None, Clause] | None:
    """*Tom's sister Ann is a nurse*: who she is to him, and what is said of her."""
    forms = one_of(form for form, name in scene.forms.items() if not has_cjk(form) and name != scene.speaker)
    match = re.match(_KIN_OF.pattern.replace("NAMES", forms), text, re.S)
    if match is None:
        return None
    owner, kin, named = scene.forms[match["owner"]], match["kin"], match["named"] or ""
    label = kin_label(owner, kin)
    who, rest = named or label, _with_verb(match["rest"].strip() if not match["rest"].startswith("'s") else match["rest"])
    clause = Clause(text=f"{who} {rest}", lead="", who=who, rest=rest, subject=who, first=False, kin=kin)
    return (_kin_draft(owner, kin, named) if named else None), clause


def _subjectless(text: str, scene: Scene) -> Clause | None:
    """*Passed my exam today*: of the speaker, where nobody else is spoken of."""
    dated = scene.now is not None and bool(find_whens(text, scene.now, Language.EN))
    whole = None if scene.of_another else with_subject(text, dated=dated)
    return _clause(whole, scene) if whole else None


def _uncalled(text: str, scene: Scene) -> str:
    """A sentence of the speaker's without the name it begins by calling: *Joanna, I won*."""
    match = re.match(
        rf"{one_of(form for form in scene.forms if not has_cjk(form))}\s*[,!]\s+(?=(?:I|We|My|Our|we|my|our)\b)", text
    )
    return text[match.end() :] if match else text


def _without_lead(text: str) -> str:
    match = _LEAD.match(text)
    rest = text[match.end() :] if match and match.end() < len(text) else text
    return re.sub(r"\A(?:we|my|our)\b", lambda word: word[0].capitalize(), rest)


def _of_clause(clause: Clause, scene: Scene) -> Iterator[Draft]:
    ended = _ended(clause, scene)
    if ended is not None:
        yield ended
        return
    told = _named_clause(clause)
    if told is not None and _IS_GONE.match(told.rest):
        event = _event(replace(told, who=clause.text[len(clause.lead) :].split(told.rest)[0].strip()), scene)
        if event is not None:
            yield event
        return
    found = [draft for rule in _RULES if (draft := rule(clause, scene)) is not None][:2]
    yield from found[:1]
    if told is not None and found and found[0].called:
        yield from _of_clause(told, scene)
        return
    if found and found[0].kind is Kind.RELATION and len(clause.rest.split()) < 4:
        return
    if not found or found[0].kind is Kind.RELATION:
        event = _event(clause, scene)
        if event is not None:
            yield event
        elif not found:
            yield from _dated_thing(clause.text, scene)


#: Who died, or is denied to be who they are called, is not said again to be so.
_IS_GONE = re.compile(
    rf"(?:(?:just|sadly|suddenly|recently|finally)\s+)*(?:died|(?:has\s+)?passed\s+away|has\s+(?:just\s+)?died|was\s+put\s+(?:down|to\s+sleep)"
    rf"|is\s+(?:dead|gone|deceased|no\s+longer)|(?:isn't|is\s+not|was\s+never|wasn't|was\s+not)\s+(?:really\s+)?(?:my|a|our)\s+"
    rf"(?:\w+\s+)?{KIN_EN_PATTERN})\b",
    re.I,
)


def _named_clause(clause: Clause) -> Clause | None:
    """*My sister Inês moved to Leeds*: what is said of her by whose name she is called."""
    if not (clause.kin and clause.named):
        return None
    rest = re.sub(r"\A[\s,]+", "", clause.rest.lstrip(", ").removeprefix(clause.named))
    if not rest or rest.startswith("'s "):
        rest = _with_verb(rest)
    if not rest or rest[0] == "'" or not re.match(r"[a-z]", rest):
        return None
    text = f"{clause.lead}{clause.named} {rest}"
    return replace(clause, text=text, who=clause.named, rest=rest, subject=clause.named, named="")


_BE_AFTER = words_of(
    "a an the called named in at on from not always really so very too still now also pregnant married retired sick ill away"
)
_ADVERB_WORD = words_of("just only finally recently really still also now always actually currently")


def _with_verb(rest: str) -> str:
    """``'s a welder`` → ``is a welder``, ``'s moved`` → ``has moved``; a possessive stays."""
    match = re.match(r"'s\s+(?P<more>.+)", rest, re.S)
    if match is None:
        return rest
    words = [word for word in match["more"].split() if word.casefold() not in _ADVERB_WORD]
    word = (words[0] if words else "").casefold().strip(",.")
    if word in ("got", "been", "had", "gone", "become", "taken"):
        return f"has {match['more']}"
    if word in _BE_AFTER or (len(word) > 4 and word.endswith("ing")) or re.fullmatch(_FEELING, word):
        return f"is {match['more']}"
    return f"has {match['more']}" if is_past(word) else rest


def _clause(text: str, scene: Scene) -> Clause | None:
    pattern = _HEAD.pattern.replace("NAMES", one_of(form for form in scene.forms if not has_cjk(form)))
    match = re.match(pattern, text, re.S)
    if match is None or (match["lead"] and not _is_lead(match["lead"], scene)):
        return None
    who, rest = match["who"], _with_verb(match["rest"])

    def clause(subject: str | None, *, first: bool = False, kin: str = "", named: str = "") -> Clause | None:
        if subject is None or (rest.startswith("'s ") and not kin):
            return None
        return Clause(text=text, lead=match["lead"] or "", who=who, rest=rest, subject=subject, first=first, kin=kin, named=named)

    if who in ("I", "We"):
        return clause(scene.speaker, first=who == "I")
    if who.startswith(("My ", "Our ")):
        kin = who.split()[-1]
        named = re.match(rf"(?:,\s*)?{_NAME}(?![\w-])(?:'s)?,?", rest)
        if named and rest.lstrip().startswith(",") and not named[0].rstrip().endswith(","):
            named = None
        called = re.sub(r"['’]s?\Z", "", named["name"]) if named else ""
        return clause(
            kin_label(scene.speaker, kin), kin=kin, named="" if called.split()[:1] in (["I"], ["He"], ["She"]) else called
        )
    if rest.startswith(","):
        return None
    name = scene.forms[who]
    return clause(name, first=name == scene.speaker)


def _is_lead(lead: str, scene: Scene) -> bool:
    """Whether what stands before the subject is a time (*Last week, I …*)."""
    if scene.now is None:
        return False
    whens = find_whens(lead, scene.now, Language.EN)
    return bool(whens) and whens[-1].end >= len(lead.rstrip(" ,")) - 1 and len(lead.split()) < 7


# -- rules --------------------------------------------------------------------------------------------------------------------


def _plain(clause: Clause) -> str:
    """What follows the subject, as it follows *I*."""
    return clause.rest if clause.who in ("I", "We") else first_person(clause.rest)


def _finished(words: str, scene: Scene, *, every_year: bool = False, meant: Tense | None = None) -> str | None:
    """``words`` with its times absolute (``every_year``: but for the year) and its pronouns put as names."""
    if scene.now is None:
        if re.search(
            r"\b(?:yesterday|today|tomorrow|tonight|ago|(?:last|next|this)\s+(?:week|month|year|night|\w+day))\b", words, re.I
        ):
            return None
        return told_en(words, scene)
    dated, _ = absolute(words, scene.now, Language.EN, meant, every_year=every_year)
    return told_en(dated, scene)


def _draft(
    clause: Clause, scene: Scene, kind: Kind, rule: str, *, slot: str = "", value: str = "", text: str | None = None
) -> Draft | None:
    put = _told(clause, scene) if text is None else _finished(text, scene)
    if put is None or re.search(r"\b(?:you|it|him|her|them|that|this)\b", value, re.I):
        return None
    return Draft(kind=kind, subject=clause.subject, slot=slot, value=value, text=put, rule=rule, names=scene.names(put))


#: What was cut off goes on with the same things: *the energy, diversity and food of this city*.
_LISTED = re.compile(r"\s*,\s*(?!(?:it|its|that|this|they|there|he|she|I|we|you|so|but|and|which|who|because|since)\b)", re.I)


def _told(clause: Clause, scene: Scene) -> str | None:
    """What the clause says; without what follows, where that speaks of what cannot be told (*I enjoy yoga, it's great*)."""
    whole = f"{clause.lead}{clause.who} {clause.rest}".replace(" 's", "'s")
    put = _finished(whole, scene)
    if put is not None:
        return put
    cut = _cut(clause.rest)
    goes_on = clause.rest.removeprefix(cut)
    refused = not goes_on or len(cut.split()) < 3 or _LISTED.match(goes_on) is not None
    return None if refused else _finished(f"{clause.lead}{clause.who} {cut}".replace(" 's", "'s"), scene)


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
    return _kin_draft(scene.speaker, kin, name)


def _kin_draft(owner: str, kin: str, name: str) -> Draft:
    label = kin_label(owner, kin)
    return Draft(
        kind=Kind.RELATION,
        subject=owner,
        slot=f"{kin}:{name}",
        value=name,
        text=f"{label} is {name}",
        rule="kin",
        names=tuple(dict.fromkeys((owner, name))),
        called=(name, label),
    )


_OFFSPRING = re.compile(
    rf"have\s+(?:got\s+)?(?P<value>(?:(?:an?|one|two|three|four|five|no)\s+(?:\w+\s+)?)?(?:twins|triplets|kids|children"
    rf"|{KIN_EN_PATTERN})s?)\Z",
    re.I,
)


def _offspring(clause: Clause, scene: Scene) -> Draft | None:
    """*My sister has two kids*."""
    match = _OFFSPRING.match(_plain(clause))
    if match is None or clause.subject == scene.speaker:
        return None
    return _draft(clause, scene, Kind.RELATION, "has", slot=f"has:{match['value']}", value=match["value"])


def _possession(clause: Clause, scene: Scene) -> Draft | None:
    match = _HAS.match(clause.rest)
    if match is None or clause.who not in ("I", "We"):
        return _offspring(clause, scene)
    kin = match["kin"].casefold()
    name = match["name"] or _named_beside(clause.rest[match.end() :], match["number"], scene)
    if name:
        return _kin(scene, kin, name)
    if match["plural"] and match["number"] in ("a", "an"):
        return None
    return _draft(
        clause,
        scene,
        Kind.RELATION,
        "has",
        slot=f"has:{kin}",
        value=f"{match['number']}",
        text=f"{clause.who} {_cut(clause.rest)}",
    )


#: *I have a dog, Biscuit, who lost a leg*: a name between commas, or at the end.
_BESIDE_NAME = re.compile(rf"\s*,\s+{_NAME}(?=\s*(?:[.!]*\Z|,\s+(?:who|which|that|and|but|from|in|with|an?|the)\b))")
#: What is called to somebody, or said in wonder, is no name.
_NO_NAME = words_of(
    """
god lord christ jesus heavens honestly sir madam doctor captain mister miss mother father mom mum dad grandma grandpa monday
tuesday wednesday thursday friday saturday sunday thanks sorry actually yes yeah no too also why well i he she they we you it
"""
)


#: What an animal is, and not its name: *a dog, Labrador*.
_BREED = re.compile(
    r"(?:labrador|poodle|beagle|collie|terrier|spaniel|husky|dachshund|pug|corgi|dalmatian|boxer|rottweiler|chihuahua|retriever|shepherd"
    r"|greyhound|whippet|persian|bengal|ragdoll|maine|german|border|golden|[a-z]+(?:ese|ish|[iy]an))\b",
    re.I,
)


def _named_beside(behind: str, number: str, scene: Scene) -> str:
    """The name of the one whom somebody has, where it stands right behind; empty: none."""
    match = _BESIDE_NAME.match(behind) if number.casefold() in ("a", "an", "one", "1") else None
    if match is None or match["name"].split()[0].casefold() in _NO_NAME or _BREED.match(match["name"]):
        return ""
    name = scene.forms.get(match["name"], match["name"])
    return "" if name in scene.discourse.speakers else match["name"]


def _identity(clause: Clause, scene: Scene) -> Draft | None:
    rest = _plain(clause)
    for slot, pattern in _IDENTITIES:
        if not clause.first and clause.subject == scene.speaker and slot not in _SHARED:
            continue
        match = pattern.match(rest if slot != "age" else _cut(rest))
        if match is None:
            continue
        value = next((found for name in ("value", "value2", "value3", "value4") if (found := match.groupdict().get(name))), "")
        if slot == "studies" and match["value2"]:
            slot = "school"
        return _identified(clause, scene, _work_slot(match, value) if slot == "work" else slot, _cut(value))
    return None


def _former(clause: Clause, plain: str, scene: Scene) -> Draft | None:
    """What the clause would say if it said ``plain`` (as it follows *I*)."""
    rest = plain if clause.who in ("I", "We") else predicate(plain)
    positive = replace(clause, rest=rest, text=f"{clause.lead}{clause.who} {rest}")
    found = next((draft for rule in _RULES if (draft := rule(positive, scene)) is not None), None)
    return found if found is not None and found.slot else None


def _ended(clause: Clause, scene: Scene) -> Draft | None:
    """*I don't live in Ghent any more*: what was so, and is no longer."""
    cut = _cut(clause.rest)
    plain = affirmed(cut if clause.who in ("I", "We") else first_person(cut))
    former = _former(clause, plain, scene) if plain else None
    put = _finished(f"{clause.lead}{clause.who} {cut}", scene) if former else None
    if former is None or put is None or (former.kind is Kind.STATE and "never" in cut):
        return None
    taste = former.slot.startswith("taste:")
    return Draft(
        kind=former.kind,
        subject=clause.subject,
        slot=former.slot,
        value=f"{ENDED} {former.value}",
        text=put,
        rule="ended",
        names=scene.names(put),
        ends=((former.slot, "" if taste else former.value),),
    )


_MARITAL = re.compile(r"married|single|divorced|engaged|widowed|separated", re.I)
_DIET = re.compile(r"vegan|vegetarian|gluten|lactose", re.I)
_UNWORKING = re.compile(r"retired|unemployed", re.I)


def stands_slot(value: str) -> str:
    """The slot of what somebody is: one is married and vegetarian at once."""
    if _MARITAL.search(value):
        return "marital"
    if _DIET.search(value):
        return "diet"
    return "work" if _UNWORKING.search(value) else f"is:{value}"


def _work_slot(match: re.Match[str], value: str) -> str:
    """A trade, a place of work and the hours of it are three things."""
    if match["value3"]:
        return "shift"
    as_one = match["value"] or re.search(r"work(?:ing)?\s+as\s", match[0])
    return "work" if as_one else "workplace"


_PLACE = re.compile(r"(?:in|at)\s+(?!(?:an?|my|our|the|his|her|their)\s)", re.I)


def _home_slot(value: str) -> str:
    """Where somebody lives, with whom, and what is near are three things."""
    if value.casefold().startswith("with "):
        return "household"
    return "lives" if _PLACE.match(value) or not re.match(r"(?:in|at|on|near|by|outside)\s", value, re.I) else f"abode:{value}"


_IDENTITIES = (
    ("age", _AGED),
    ("lives", _LIVES),
    ("stays", _STAYS),
    ("from", _FROM),
    ("stands", _STANDS),
    ("work", _WORKS),
    ("cannot", _SKILL),
    ("never", _REFUSES),
    ("studies", _STUDIES),
    ("used", _USED),
    ("among", _AMONG),
    ("health", _AILS),
    ("owns", _OWNS),
)
#: What *we* do, the speaker does.
_SHARED = ("lives", "stays", "owns", "used")
#: Of these one has any number.
_MANY = ("cannot", "never", "used", "health", "owns", "studies")


def _identified(clause: Clause, scene: Scene, slot: str, value: str) -> Draft | None:
    if slot == "age" and scene.now is not None:
        text = f"{clause.who} {_cut(clause.rest)}"
        return _as_of(_draft(clause, scene, Kind.IDENTITY, slot, slot=slot, value=value, text=text), scene)
    if slot == "lives":
        return _home(clause, scene, value)
    if slot in _JOB_SLOTS and clause.rest.startswith("was "):
        slot = "used"
    rule = "work" if slot in _JOB_SLOTS else slot
    is_beside, value = _beside(clause, value) if slot in _JOB_SLOTS else (False, value)
    shown = f"{slot}:{value}" if slot in _MANY else stands_slot(value) if slot == "stands" else slot
    draft = _draft(clause, scene, Kind.IDENTITY, rule, slot=shown, value=re.sub(r"\A(?:in|at|on)\s", "", value))
    if draft is None:
        return None
    past = formerly(_plain(clause)) if slot == "used" else None
    former = _former(clause, past, scene) if past else None
    ends: tuple[tuple[str, str], ...] = ((former.slot, former.value),) if former else ()
    if slot in _JOB_SLOTS and is_new_job(clause.rest):
        ends = tuple(one for one in JOB if one[0] != slot)
    when = most_time(clause.text, scene, Language.EN) if is_past(first_verb(clause.rest)) else None
    return replace(draft, ends=() if is_beside else ends, when=when, also=is_beside)


_JOB_SLOTS = tuple(slot for slot, _ in JOB)
_SINCE = re.compile(r"\bsince\b", re.I)


#: What people live in that is no place.
_NO_HOME = re.compile(
    r"in\s+(?-i:(?:hell|heaven|paradise)\b)|in\s+(?:(?:constant|perpetual|eternal|total|complete|great|utter|relative|blissful|my|a|the|an?\s+\w+)\s+)*(?:fear|hope|sin|peace"
    r"|harmony|poverty|luxury|style|comfort|denial|misery|squalor|exile|silence|darkness|dread|terror|pain|shame|ignorance|bliss|chaos"
    r"|uncertainty|anticipation|solitude|isolation|moment|past|present|future|now|head|dreams?|bubble|fantasy|simulation"
    r"|limbo|times?|world|memory|memories|books?|shadows?|hiding|trepidation|awe|pyjamas|jeans)\b",
    re.I,
)
#: Where something moves to that is no town: *Plan B*, *Tom's side of the bed*.
_NO_TOWN = re.compile(
    r"(?:Plan|Step|Stage|Phase|Chapter|Level|Page|Part|Python|Linux|Mac|Windows|Team|Room|Seat|Table|Tier)\b|\w+'s\s+\w+\s+(?:of|on|in)\b"
)
#: Who went, and need not have stayed: *to York and back*, *for a week*.
_NOT_TO_STAY = re.compile(
    r"\bmoved\b.*\b(?:and\s+(?:then\s+)?(?:(?:straight|right)\s+)?(?:back|came\s+back|moved\s+back|moved\s+on|returned|left|then)\b"
    r"|for\s+(?:an?|the|two|three|four|five|six|\d+|some|a\s+few)\s+(?:\w+\s+)?(?:days?|weeks?|weekend|months?|years?|summer|winter|term"
    r"|semester|while)\b)",
    re.I,
)
#: A place beside the home.
_AT_TIMES = re.compile(
    r"\b(?:during\s+the\s+(?:week|term|summer|winter|holidays)|on\s+(?:weekdays|weekends)|at\s+weekends|half\s+(?:of\s+)?the\s+(?:year"
    r"|time|week)|part[- ]time|in\s+(?:the\s+)?(?:summers?|winters?)|most\s+of\s+the\s+(?:year|time)|sometimes)\b",
    re.I,
)


#: What is so beside something else takes nothing's place: *I live in Tarn too*.
_BESIDE = re.compile(r"\A(?:(?:am|do)\s+)?also\b|,?\s+(?:too|as\s+well|also)\Z", re.I)


def _beside(clause: Clause, value: str) -> tuple[bool, str]:
    """Whether something is so beside another thing; and ``value`` without the word that says so."""
    bare = _BESIDE.sub("", value) or value
    return _BESIDE.search(_plain(clause)) is not None or _BESIDE.search(_cut(clause.rest)) is not None or bare != value, bare


def _home(clause: Clause, scene: Scene, value: str) -> Draft | None:
    """Where somebody lives or moved to; with since when, if that is told."""
    is_beside, value = _beside(clause, value)
    if _NO_HOME.match(value) or _NO_TOWN.match(value) or _NOT_TO_STAY.search(clause.rest):
        return None
    slot = _home_slot(value)
    if _AT_TIMES.search(clause.rest) and slot == "lives":
        slot = f"abode:{value}"
    place = re.sub(r"\A(?:in|at|on)\s", "", value)
    if slot == "lives":
        place = re.sub(r"(?<=\w)\s+(?:in|on|last|since|this|for|at|near|by|with|to)\s.*\Z", "", place)
        place = re.sub(r"(?<=\w)\s+(?:(?:\w+\s+){1,3}ago|yesterday|today|recently|now|back|again)\b.*\Z", "", place)
    moved = re.search(r"\bmoved\b", _cut(clause.rest)) is not None
    text = f"{clause.lead}{clause.who} {_cut(clause.rest)}" if moved else None
    draft = _draft(clause, scene, Kind.IDENTITY, "lives", slot=slot, value=place, text=text)
    if draft is not None and is_beside and not moved:
        draft = replace(draft, also=True)
    if draft is None or not (moved or _SINCE.search(clause.rest)):
        return draft
    began = most_time(clause.text, scene, Language.EN)
    return replace(_moved(draft, scene, began, plural=clause.who == "We") if moved else draft, began=began)


#: Who moved so long ago need not live there still.
_LONG_AGO = timedelta(days=365)
_DAY = timedelta(days=1)


def _moved(draft: Draft, scene: Scene, began: tuple[datetime, datetime] | None, *, plural: bool) -> Draft:
    """*moved to Leeds* is also asked for as where somebody lives."""
    is_old = began is not None and scene.now is not None and began[1] + _LONG_AGO < scene.now
    goes_on = "to live there" if is_old else "and live there" if plural else "and lives there"
    return replace(draft, text=f"{draft.text} {goes_on}", when=began)


def _taste(clause: Clause, scene: Scene) -> Draft | None:
    if clause.who == "We":
        return None
    rest = _ALWAYS.sub(_without_always, _plain(clause))
    opinion = _OPINION.match(rest) if clause.first else None
    if opinion and not _NO_OBJECT.match(opinion["object"]):
        return _draft(clause, scene, Kind.PREFERENCE, "opinion", slot=f"taste:{opinion['object']}", value=opinion["verb"])
    rather = _RATHER.match(rest)
    if rather and not _NO_OBJECT.match(rather["object"]):
        return _draft(clause, scene, Kind.PREFERENCE, "taste", slot=f"taste:{_bare_object(rather['object'])}", value="prefer")
    match = _IS_ONE.match(rest) or _FEELS_FOR.match(rest) or _LIKES.match(rest)
    if match is None:
        return None
    about, verb = _cut(match["object"]), match["verb"].casefold()
    denied = bool(match["neg"])
    if _NO_OBJECT.match(about) or not about or len(about) > 70 or _is_no_taste(verb, denied, match):
        return None
    value = "accept" if verb == "mind" else ("not " if denied else "") + verb
    slot = f"taste:{_bare_object(about)}"
    if denied and _AVERSION.match(verb):
        averse = _draft(clause, scene, Kind.PREFERENCE, "taste", slot=slot, value=f"{ENDED} {verb}")
        return replace(averse, ends=((slot, DISLIKES),)) if averse else None
    found = _draft(clause, scene, Kind.PREFERENCE, "taste", slot=slot, value=value)
    return found or _with_reason(clause, scene, slot, value)


#: Who is *not* that has nothing against the thing, and need not like it.
_AVERSION = re.compile(r"(?:allergic|afraid|scared|terrified|frightened|hate|dislike|detest|loathe|despise)\b", re.I)
#: What is said of the thing somebody likes or not: *…, it tastes like soap*.
_OF_IT = re.compile(r"\s*[,;:–—-]+\s*(?P<why>it\s*(?:'s|is|tastes?|smells?|looks?|feels?|sounds?)\b[^,.;?]{2,40})\Z", re.I)


def _with_reason(clause: Clause, scene: Scene, slot: str, value: str) -> Draft | None:
    """*I hate coriander, it tastes like soap*: the thing stands right before *it*."""
    cut = _cut(clause.rest)
    found = _draft(clause, scene, Kind.PREFERENCE, "taste", slot=slot, value=value, text=f"{clause.lead}{clause.who} {cut}")
    why = _OF_IT.match(clause.rest.removeprefix(cut))
    if found is None or why is None or re.search(r"\b(?:I|me|my|you|your|we|us|he|she|they|him|her|them)\b", why["why"], re.I):
        return found
    return replace(found, text=f"{found.text}, {why['why']}")


def _without_always(match: re.Match[str]) -> str:
    verb = {"enjoye": "enjoy", "feare": "fear"}.get(match["verb"].casefold(), match["verb"])
    return f"always {verb}" if match["how"].casefold() == "always" else f"don't {verb}"


def _is_no_taste(verb: str, denied: bool, match: re.Match[str]) -> bool:
    if verb in ("eat", "drink", "stand", "bear", "mind"):
        return not denied or (verb in ("eat", "drink") and (match["neg"] or "").casefold() in ("can't", "cannot"))
    if verb in ("miss", "fear", "collect", "fancy"):
        return denied
    return (match["neg"] or "").casefold() in ("can't", "cannot", "never") and "adverb" in match.groupdict()


def _bare_object(about: str) -> str:
    return re.sub(
        r"\A(?:to|the|a|an|my|some)\s+|\s+(?:anything|person|so\s+much|a\s+lot|too|very\s+much|the\s+most|now|again|lately|these\s+days|after\s+all"
        r"|any\s*more|any\s+longer)\Z",
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
    match = _FEELS.match(_plain(clause))
    if match is None or not (clause.first or clause.kin) or (_DENIED.search(match[0]) and not match["value5"]):
        return None
    text = f"{clause.lead}{clause.who} {_cut(clause.rest)}"
    value = match["value"] or match["value2"] or match["value4"] or match["value5"]
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
    r"train|keep(?!\s+\w+ing)|restore|repair|build|make|sing|sew|garden|commute"
    r"|(?:drive|ride)(?=\s+an?\s)|am\s+learning|am\s+training\s+for)\s+(?P<object>.+)",
    re.I,
)
_AFFECTS = re.compile(
    r"(?P<object>[A-Z][\w' -]{2,40}?)\s+(?:always\s+|really\s+|just\s+)?(?P<verb>makes?\s+me|gives?\s+me|scares?\s+me"
    r"|disgusts?\s+me|bores?\s+me|terrif(?:y|ies)\s+me|annoys?\s+me|freaks?\s+me\s+out|drives?\s+me\s+(?:mad|crazy|nuts"
    r"|insane))\b(?P<rest>.*)"
)


_OFTEN = r"(?:usually|normally|generally|always|often|rarely|mostly|never|sometimes)"
#: What is done again and again, by an adverb or by its times.
_REGULAR = re.compile(
    rf"{_OFTEN}\s+(?!(?:am|was|had|think|thought|feel|felt|want|wanted|wonder|say|said|know|knew|love|like"
    rf"|hate)\b)[a-z]+(?<!ed)\s+\S.*"
    r"|(?!(?:am|was|had|have|think|feel|want|wish|hope|see|miss|will|can|could|did"
    r"|do)\b)[a-z]+(?<!ed)\s+.*\b(?:every\s+(?:other\s+)?(?:day|morning|night|evening|week|month"
    r"|year|summer|winter|weekend|\w+day)|(?:once|twice|three\s+times|\w+\s+times)\s+an?\s+\w+|on\s+\w+days|on\s+weekends"
    r"|at\s+weekends)",
    re.I,
)


_NO_SKILL = re.compile(r"(?:a\s+(?:ton|lot|bit)|so\s+much|more|to|how|as|new|sure|sense|fun|friends|it)\b", re.I)


#: *I have been playing chess since I was six*.
_LONG = re.compile(
    r"have\s+(?:always\s+)?been\s+(?P<done>(?!(?:being|thinking|wondering|feeling|trying|meaning|having"
    r"|keeping)\b)\w+ing\s+(?:(?!since\b|for\b)[\w'-]+\s+){1,6}"
    r"(?:since\s+(?:I\s+was|childhood|school|college|university|\d{4}|the\s+age)\b.*|for\s+(?:\w+\s+){0,2}(?:years|months"
    r"|decades|ages)))\b",
    re.I,
)


def _is_only_verb(clause: Clause, rest: str) -> bool:
    """*My roommate snores*: one verb, in the present, of a relative."""
    word = clause.rest.strip(" .!")
    return bool(clause.kin) and re.fullmatch(r"[a-z]{4,}s", word) is not None and rest != clause.rest and rest not in _MIND


def _habit(clause: Clause, scene: Scene) -> Draft | None:
    """What somebody does as a rule: *I carry a jab*, *I play the cello in an orchestra*."""
    rest = _plain(clause)
    if clause.who == "We" or clause.lead or _DENIED.search(clause.rest):
        return None
    done = clause.rest if _LONG.match(rest) else _cut(clause.rest)
    if (
        _LONG.match(rest)
        or (_REGULAR.match(rest) and not (clause.who == "I" and rest != clause.rest))
        or _is_only_verb(clause, rest)
    ):
        return _draft(clause, scene, Kind.IDENTITY, "habit", slot=f"does:{done}", value="does", text=f"{clause.who} {done}")
    match = _HABIT.match(rest)
    if match is None or _NO_OBJECT.match(match["object"]) or _NO_SKILL.match(match["object"]):
        return None
    about = _cut(match["object"])
    return _draft(
        clause,
        scene,
        Kind.IDENTITY,
        "habit",
        slot=f"does:{match['verb'].casefold()} {_bare_object(about)}",
        value=match["verb"],
        text=f"{clause.who} {done}",
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
    if _DENIED.match(value):
        return None
    return Draft(
        kind=Kind.PREFERENCE,
        subject=scene.speaker,
        slot=f"favourite:{match['thing']}",
        value=value,
        text=put,
        rule="favourite",
        names=scene.names(put),
    )


def _favoured(text: str, scene: Scene) -> Draft | None:
    """*Liquorice is my favourite sweet*; *nothing beats sourdough*."""
    match = _FAVOURED.match(text)
    best = _BEST.match(text)
    if best is not None and not _NO_OBJECT.match(best["value"]):
        put = _finished(f"I say nothing beats {best['value']}", scene)
        slot, value = f"taste:{best['value']}", "likes"
    elif (
        match is not None and not re.match(r"(?:He|She|They|We|You|What|Which|There|Here)\b", text) and not _NO_OBJECT.match(text)
    ):
        put = _finished(text, scene)
        slot, value = f"favourite:{match['thing'] or 'thing'}", match["value"]
    else:
        return None
    return _of_speaker(scene, Kind.PREFERENCE, put, "favourite", slot, value)


def _of_speaker(scene: Scene, kind: Kind, put: str | None, rule: str, slot: str = "", value: str = "") -> Draft | None:
    if put is None:
        return None
    return Draft(kind=kind, subject=scene.speaker, slot=slot, value=value, text=put, rule=rule, names=scene.names(put))


_PART = (
    r"head|back|neck|shoulders?|arms?|elbows?|wrists?|hands?|fingers?|hips?|legs?|knees?|ankles?|foot|feet|toes?|stomach"
    r"|tummy|tooth|teeth|throat|ears?|eyes?|chest"
)
_AILING = re.compile(
    rf"My\s+(?:left\s+|right\s+|lower\s+|upper\s+|bad\s+)?(?P<part>{_PART})\s*(?P<how>(?:'s|is"
    rf"|are)\s+(?:\w+\s+){{0,2}}?(?:sore|swollen|broken|stiff"
    r"|sprained|killing\s+me|hurting|aching|infected|bleeding|acting\s+up)|(?:still\s+|really\s+)?(?:hurts?|aches?)|(?:has"
    r"|have|'s)\s+been\s+(?:hurting|aching|killing\s+me))\b.*"
)


def _ailing(text: str, scene: Scene) -> Draft | None:
    """*My knee hurts*."""
    match = _AILING.match(text)
    if match is None:
        return None
    put = _finished(_cut(text), scene)
    return _as_of(_of_speaker(scene, Kind.STATE, put, "ailing", f"ails:{match['part']}", match["how"]), scene)


_CALLS = re.compile(
    r"(?:Everyone|Everybody|People|(?:My|All\s+my)\s+(?:friends|family|colleagues|mates))(?:\s+(?:just|always"
    r"|all))?\s+calls?\s+me\s+(?P<name>[A-Z][\w'-]{1,15})\Z"
)


def _called(text: str, scene: Scene) -> Draft | None:
    """*Everybody calls me Bee*."""
    match = _CALLS.match(text)
    draft = _of_speaker(scene, Kind.IDENTITY, _finished(text, scene), "called", "name", match["name"]) if match else None
    return replace(draft, aliases=(draft.value,)) if draft else None


_CHANGED = re.compile(
    r"(?P<whose>The|Our|My)\s+(?P<what>[\w-]+(?:\s+[\w'-]+){0,3}?)"
    r"(?:\s+(?:is|was|got|has\s+been|will\s+be|is\s+being)|'s(?:\s+been)?)\s+(?:now\s+|also\s+|just\s+)?"
    r"(?P<how>moved|cancel+ed|postponed|called\s+off|rescheduled|delayed|put\s+off|pushed\s+back|brought\s+forward|off|sold"
    r"|stolen"
    r"|approved|accepted|rejected|confirmed|booked)\b.*"
)


def _changed(text: str, scene: Scene) -> Draft | None:
    """*The wedding got moved to May*: what became of a plan or a thing, told by the speaker."""
    match = _CHANGED.match(text)
    if match is None or _DENIED.search(text) or (match["how"] == "off" and not re.search(r"off\Z", text)):
        return None
    words = f"I said t{text[1:]}" if match["whose"] == "The" else text
    named = find_whens(match["what"], scene.now, Language.EN) if scene.now else ()
    what = match["what"][: named[0].begin].strip() if named and named[0].begin else match["what"]
    slot = f"when:{plan_noun(what)}" if _REPLANNED.fullmatch(match["how"]) else ""
    meant = Tense.FUTURE if slot and named else None
    whens = find_whens(text, scene.now, Language.EN, meant) if scene.now else ()
    of_plan = next((one for one in whens if slot and one.end <= match.start("how")), None)
    anew = next((one for one in whens if one.begin >= match.end("how") and _TO_WHEN.search(text[: one.begin])), None)
    when = anew or of_plan or next(iter(whens), None)
    value = (anew.told() if anew else match["how"]) if slot else ""
    draft = _of_speaker(scene, Kind.EVENT, _finished(words, scene, meant=meant), "changed", slot, value)
    ends = ((slot, f"{of_plan.start:%Y-%m-%d}"),) if of_plan else ()
    return replace(draft, when=(when.start, when.stop) if when else None, ends=ends, also=bool(ends)) if draft else None


#: A new time follows.
_TO_WHEN = re.compile(r"\b(?:to|until|till|for|by)\s+(?:(?:the|on|at|about|around|early|late)\s+)*\Z", re.I)


#: What changes when a plan is, or whether it is at all.
_REPLANNED = re.compile(
    r"moved|cancel+ed|postponed|called\s+off|rescheduled|delayed|put\s+off|pushed\s+back|brought\s+forward|off", re.I
)
_HOME_IS = re.compile(
    r"(?:My\s+)?[Hh]ome\s+is\s+(?:still\s+|now\s+|currently\s+|in\s+)*(?P<value>[A-Z][\w'-]+(?:\s[A-Z][\w'-]+)?)(?=[,.!]|\Z)"
)


_BORN_ON = re.compile(r"I\s+was\s+born\s+(?:on\s+)?(?P<when>.+)")


def _born(text: str, scene: Scene) -> Draft | None:
    """*I was born on the third of May*: a day of every year."""
    match = _BORN_ON.match(text)
    whens = find_whens(match["when"], scene.now, Language.EN) if match and scene.now else ()
    day = next((one for one in whens if one.begin < 4 and one.stop - one.start == _DAY), None)
    put = _finished(_cut(text), scene, every_year=True) if day else None
    return _of_speaker(scene, Kind.DATE, put, "dated", "birthday", f"{day.start:%m-%d}") if day else None


_MEET = re.compile(r"Let's\s+(?P<rest>meet\b.+)", re.I)


def _proposal(text: str, scene: Scene) -> Draft | None:
    """*Let's meet at six on Friday*: what was proposed, and not what is agreed."""
    match = _MEET.match(text)
    when = most_time(text, scene, Language.EN, Tense.FUTURE) if match else None
    if match is None or when is None or scene.now is None or when[0] < scene.now - _DAY:
        return None
    rest, _ = absolute(_cut(match["rest"]), scene.now, Language.EN, Tense.FUTURE)
    put = told_en(f"I suggested to {rest}", scene)
    draft = _of_speaker(scene, Kind.EVENT, put, "proposal")
    return replace(draft, when=when) if draft else None


def _home_is(text: str, scene: Scene) -> Draft | None:
    """*Home is Malmö now*."""
    match = _HOME_IS.match(text)
    put = _finished(f"I live in {match['value']}", scene) if match else None
    return _of_speaker(scene, Kind.IDENTITY, put, "lives", "lives", match["value"]) if match else None


def _parted(text: str, scene: Scene) -> Draft | None:
    """*Lena and I broke up*: whoever it was is the speaker's no longer."""
    forms = (form for form, name in scene.forms.items() if not has_cjk(form) and name != scene.speaker)
    found = parted(text, forms)
    if found is None:
        return None
    name, kin, when = found
    name = scene.forms.get(name, name)
    other = name or kin_label(scene.speaker, kin or "partner")
    whens = find_whens(when, scene.now, Language.EN) if scene.now and when else ()
    day = f" ({whens[0].told()})" if whens else ""
    put = f"{scene.speaker} and {other} broke up{day}"
    draft = _of_speaker(scene, Kind.RELATION, put, "parted", "partner", f"{ENDED} {name or kin}")
    began = (whens[0].start, whens[0].stop) if whens else None
    return replace(draft, ends=parted_ends(name, kin), when=began, began=began) if draft else None


_WHOLE: tuple[Callable[[str, Scene], Draft | None], ...] = (
    _favourite, _favoured, _affecting, _ailing, _called, _changed, _home_is, _parted, _born, _proposal,
)  # fmt: skip


# -- events and dates ---------------------------------------------------------------------------------------------------------

_DATED = re.compile(r"(?P<my>My\s+)?(?P<what>(?:[\w'-]+\s+){0,4}?[\w-]+?)(?:\s+(?:is|was|will\s+be)|'s)\s+(?P<when>.+)", re.I)
_BIRTHDAY = re.compile(r"\bbirthday\b", re.I)


def _dated_thing(text: str, scene: Scene) -> Iterator[Draft]:
    """*My interview is on the ninth*; *the ninth is my birthday*: what is when."""
    is_known, born = scene.now is not None, _BIRTHDAY.search(text) is not None
    now = scene.now or (any_year(text) if born else None)
    if now is None:
        return
    scene = replace(scene, now=now)
    match = _DATED.match(text)
    if match is None or match["what"].casefold() in ("it", "that", "this", "he", "she", "there", "what", "who", "here", "let"):
        return
    if _DENIED.match(match["when"]):
        return
    whens = find_whens(text, now, Language.EN)
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
    put = _finished(words, scene, every_year=born)
    if put is not None:
        when = whens[0] if of_subject else first_in_value[0]
        is_day = when.stop - when.start <= _DAY
        yield Draft(
            kind=Kind.DATE if born else Kind.EVENT,
            subject=scene.speaker,
            slot=("birthday" if is_day else "") if born else f"when:{plan_noun(match['what'])}",
            value=(f"{when.start:%m-%d}" if is_day else "") if born else when.told(),
            text=put,
            rule="dated",
            names=scene.names(put),
            when=(when.start, when.stop) if is_known else None,
        )


_JUST = re.compile(r"\A(?:(?:just|finally|recently|also|actually|already|even)\s+)+", re.I)
#: So little is said that nobody can be reminded of anything.
_VAGUE = re.compile(r"\A(?:have\s+)?(?:done|come|grown|learned|learnt|been\s+through)\s+(?:so|too)\s+(?:much|far|many)\b", re.I)
_GAINS = re.compile(
    r"got\s+(?:the|my|an?)\s+(?:[\w-]+\s+)?(?:job|part|role|offer|visa|flat|apartment|keys|scholarship|results|grant"
    r"|promotion|contract"
    r"|internship|position|loan|raise|licen[cs]e|degree|tattoo|haircut|place|ticket|puppy|internship|mortgage)s?\b"
    r"|got\s+(?:fired|promoted|hired|engaged"
    r"|married|divorced|laid\s+off|accepted|into\s+\w+)|had\s+(?:an?\s+(?:[\w-]+\s+)?(?:accident|surgery|operation|baby"
    r"|miscarriage|stroke|heart\s+attack)|surgery)",
    re.I,
)


def _event(clause: Clause, scene: Scene) -> Draft | None:
    """What happened or will, with its time where one is said."""
    rest = (
        re.sub(r"\A(?:have|has|'s|had)\s+(?:(?:just|finally|already|also)\s+)*", "", clause.rest)
        if _is_perfect(clause.rest)
        else clause.rest
    )
    rest = _JUST.sub("", rest)
    verb = first_verb(rest)
    leaving = is_leaving(_plain(clause))
    short = 1 if leaving else 2 if scene.names(clause.rest) or _GAINS.match(rest) or _IS_GONE.match(rest) else 3
    if _DENIED.search(clause.rest) or _VAGUE.search(clause.rest) or len(clause.rest.split()) < short:
        return None
    dated = scene.now is not None and bool(find_whens(clause.text, scene.now, Language.EN))
    happened = is_past(verb) and (
        leaving
        or verb not in _MIND
        or (dated and re.match(r"(?:did|had|got)\s+(?:an?|my|the|some|\d+)\s", rest) is not None)
        or _GAINS.match(rest) is not None
    )
    if not happened and not (dated and _comes(clause.rest)):
        return None
    put = _told(clause, scene)
    if put is None:
        return None
    when = most_time(clause.text, scene, Language.EN)
    what = planned(_plain(clause)) if when and clause.who != "We" else ""
    return Draft(
        kind=Kind.EVENT,
        subject=clause.subject,
        slot=f"when:{what}" if what and when else "",
        value=told(*when) if what and when else "",
        text=put,
        rule="event",
        names=scene.names(put),
        when=when,
        ends=JOB if leaving else (),
        also=bool(what),
    )


def _is_perfect(rest: str) -> bool:
    match = re.match(r"(?:have|has|'s|had)\s+(?:(?:just|finally|already|also)\s+)*(?P<verb>\w+)", rest, re.I)
    return match is not None and (is_past(match["verb"]) or match["verb"].casefold() in ("gone", "come", "become", "run"))


_COMES = re.compile(
    r"(?:am|is|are)\s+(?:\w+\s+)?(?:going|\w+ing|due|off)\b|will\s+\w+|have\s+(?:an?|my|the|to)\s+\w+|has\s+(?:an?|his|her"
    r"|to)\s+\w+|want\s+to\s+\w+|plan\s+to\s+\w+|(?:start|leave|fly|move|begin|finish|go|come|get|arrive|graduate|travel"
    r"|return|open|turn)e?s?\b",
    re.I,
)


def _comes(rest: str) -> bool:
    return _COMES.match(rest) is not None
