"""Confidences in English: patterns, and whom they name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from soulmem.text.callings import PAIRS
from soulmem.text.names import normal_name
from soulmem.text.stopwords import stop_words, words_of
from soulmem.text.tokens import MARKS

# A name is a word with a capital, or somebody's relation; and what may follow it in a list.
_OWNER = r"(?:my|your|our|his|her|their|the)\s+(?:(?:best|older|younger|elder|big|little|old|new|dear)\s+)?"
_TITLE = r"(?:mr|mrs|ms|miss|dr|prof|doctor|professor|uncle|aunt|auntie|sir|lady)\.?\s+"
_IN_WORD = rf"[\w'’{MARKS}-]"
#: A name that cannot be read: a macro, a sign, a number.
_UNREADABLE = r"(?:[^\w\s.,!?:;'’\"“”‘’()（）。，！？：；…–—-]|\d)[^\s.,!?:;。，！？：；]{0,60}"
_ONE = (
    rf"(?:(?:{_OWNER})?(?:{_TITLE})?-?(?!(?:\d+|and|n?or|don['’]?t|do\s+not|never)\b)[^\W_]{_IN_WORD}{{0,40}}(?:\s+(?!I\b)(?-i:[A-Z]){_IN_WORD}{{0,40}}){{0,3}}"
    rf"|(?:{_OWNER})?{_UNREADABLE})"
)
_AND = r"(?:\s*[,、，]\s*|(?:\s*,)?\s+(?:and|or|nor)\s+){1,2}(?:also\s+|even\s+|especially\s+)?"
_NAMES = rf"(?P<names>{_ONE}(?:{_AND}{_ONE}){{0,30}})"

_CANT = r"(?:can[’']?t|cannot|can\s+not|(?:can|could|must|may|should|will)\s+never|won[’']?t|will\s+not)"
_NOT = (
    r"(?:do\s*n[o'’]t|don[’']?t|dont|never|must\s+not|mustn[’']?t|shouldn[’']?t|should\s+not|may\s+not|(?:better|best)\s+not|not\s+to|let[’']?s\s+not"
    rf"|you\s+(?:please\s+)?not|you\s+(?:really\s+|absolutely\s+)?{_CANT}|you\s+(?:would\s+not|wouldn[’']?t)"
    r"|(?:you\s+are|you[’']re)\s+not\s+(?:allowed\s+)?to|under\s+no\s+circumstances)"
)
_STATED = (
    r"(?<!\bi )(?<!\bwe )(?<!\bthey )(?<!\bpeople )(?<!\bwho )(?<!\bif )(?<!\bif you )(?<!\bwhen )(?<!\bwhen you )(?<!\bwhy )"
    r"(?<!\bthought )(?<!\bsince )"
)
#: What requests not to do something begin with.
FORBIDDEN = rf"\b(?=[bdlmnsuy]){_STATED}{_NOT}"  # the letters that it may begin with: what it may not follow takes longer
_EASE = r"(?:(?:you|dare|ever|even|please|go\s+and|to|just|also)\s+){0,3}"
_WORD = r"(?:a\s+word|anything|this|that|it|any\s+of\s+(?:this|it)|about\s+(?:this|it|that))"
_SOME = r"(?:\S+\s+){0,6}?"
_LEARN = r"(?:know|find\s+out|hear|learn|see|notice)\b"
_US = r"(?:us|ourselves|you\s+and\s+me|you\s+and\s+i|the\s+two\s+of\s+us|me\s+and\s+you)"
#: The same of what others must not learn.
MUST_NOT = (
    r"(?:must\s*n[o'’]t|mustn[’']?t|must\s+never|can\s*not|can[’']?t|can\s+never|should\s*n[o'’]t|shouldn[’']?t|should\s+never|may\s+not|"
    r"may\s+never|is\s+not\s+(?:supposed\s+|allowed\s+)?to|isn[’']t\s+(?:supposed\s+|allowed\s+)?to|does\s*n[o'’]t\s+(?:need|have)\s+to|"
    r"is\s+never\s+to|better\s+not)"
)
#: What sentences with one of them have.
FORBIDDING = {words: re.compile(rf"\b{start}", re.IGNORECASE) for words, start in ((FORBIDDEN, _NOT), (MUST_NOT, MUST_NOT))}
KEPT = (
    rf"{FORBIDDEN}\s+{_EASE}(?:go\s+)?(?:tell(?:ing)?|inform|warn|notify|show)\s+(?:{_WORD}\s+to\s+)?{_NAMES}",
    rf"{FORBIDDEN}\s+{_EASE}(?:say|mention|breathe|repeat|show|reveal|disclose|leak|forward|pass|share|discuss|talk|speak|give|bring\s+(?:it\s+|this\s+|that\s+)?up|write)\s+{_SOME}"
    rf"(?:to|with|in\s+front\s+of|around)\s+{_NAMES}",
    rf"\b(?:keep|hide)\s+(?:this|that|it|all\s+(?:this|of\s+it))\s+(?:\w+\s+){{0,3}}?from\s+(?!\d+\b){_NAMES}",
    rf"\bkeep\s+{_SOME}(?:secret|hidden|quiet|private|confidential)\s+from\s+{_NAMES}",
    rf"\b(?=h){_STATED}hide\s+(?:\S+\s+){{1,6}}?from\s+{_NAMES}",
    rf"\bkeep\s+{_NAMES}\s+(?:in\s+the\s+dark|out\s+of\s+(?:this|it|the\s+loop))\b",
    rf"{FORBIDDEN}\s+{_EASE}let\s+{_NAMES}\s+(?:ever\s+)?{_LEARN}",
    rf"\b(?:do\s*n[o'’]t|don[’']?t|dont|never|wouldn[’']?t|would\s+not|not)\s+(?:really\s+|ever\s+)?want(?:ing)?\s+{_NAMES}\s+to\s+(?:ever\s+)?{_LEARN}",
    rf"\bwould\s+you\s+mind\s+not\s+(?:telling|informing)\s+{_NAMES}",
    rf"{FORBIDDEN}\s+{_EASE}let\s+(?:it|this|that|anything)\s+slip\s+(?:to|in\s+front\s+of|around)\s+{_NAMES}",
    rf"{FORBIDDEN}\s+{_EASE}(?:spill\s+the\s+beans|let\s+the\s+cat\s+out\s+of\s+the\s+bag|give\s+(?:it|this)\s+away)\s+to\s+{_NAMES}",
    rf"\bi(?:['’]d|\s+would)\s+(?:much\s+|really\s+)?(?:rather|prefer(?:\s+it)?(?:\s+if|\s+that)?)\s+(?!not\b|to\b){_NAMES}\s+"
    r"(?:did\s*n[o'’]t|didn[’']?t|never|not)\s+(?:ever\s+)?(?:knows?|knew|find\s+out|found\s+out|(?:hear|learn)\s+(?:of|about))\b",
    rf"\b{_NAMES}\s+{MUST_NOT}\s+(?:ever\s+)?(?:know|find\s+out|hear\s+(?:of|about)|learn\s+(?:of|about)|be\s+told)\b",
    rf"\bmake\s+sure\s+(?:that\s+)?{_NAMES}\s+(?:never|does\s*n[o'’]t|doesn[’']?t|do\s*n[o'’]t|don[’']?t)\s+(?:ever\s+)?"
    r"(?:finds?\s+out|knows?|hears?|learns?)\b",
    rf"\bsay\s+nothing\s+to\s+{_NAMES}",
    rf"\b(?:if|when|should)\s+(?:ever\s+)?{_NAMES}\s+(?:ever\s+)?asks?(?:\s+you)?(?:\s+(?:about\s+)?(?:this|that|it|anything))?,?\s*"
    r"(?:then\s+)?(?:just\s+)?(?:(?:say|tell\s+\w+)\s+)?(?:that\s+)?(?:you\s+)?(?:know\s+nothing|nothing|(?:don[’']?t|did\s*n[o'’]t|never)\s+"
    r"(?:know|hear|heard|see|saw)\b)",
    rf"\b(?=t){_STATED}tell\s+neither\s+{_NAMES}",
    rf"\btell\s+(?:anyone|anybody|everyone|everybody)\s+(?:except|but)\s+{_NAMES}",
    rf"\bkeep(?:ing)?\s+(?!(?:away|back|far|calm|safe)\b)(?:\S+\s+){{1,4}}?from\s+(?!(?:the|an?|here|there|home|work|\d+)\b){_NAMES}",
)
SECRET = (
    rf"\bkeep\s+(?:this|that|it|all\s+this)\s+(?:just\s+|strictly\s+)?(?:between\s+{_US}|secret|a\s+secret|"
    r"quiet|private|confidential|to\s+yourself|under\s+your\s+hat)\b",
    r"\bkeep\s+(?!an?\s+secret)(?:\S+\s+){1,5}?(?:a\s+)?secret\b(?!\s+from)",
    r"\b(?:can|could|will|would)\s+you\s+keep\s+(?:a|this|my|our)\s+secret\b",
    rf"\b(?:this|that|it)(?:\s+is|['’]s)\s+(?:just\s+|strictly\s+|a\s+)?(?:between\s+{_US}|(?:(?:big|little|our|my)\s+){{0,2}}secret|confidential)\b",
    rf"\b(?:stays?|remains?|kept)\s+(?:(?:just|strictly|only)\s+)?between\s+{_US}\b",
    r"\b(?:this|that|it)\s+(?:(?:has\s+to|must|should|will)\s+)?(?:stays?|remains?)\s+(?:a\s+)?(?:secret|private|confidential|here|with\s+(?:us|you))\b",
    rf"\b(?:just|strictly|only)\s+between\s+{_US}\b",
    r"\bbetween\s+you\s+(?:and|&)\s+(?:me|i)\b",
    r"(?:^|[,:–—-]\s*)between\s+us\s*[,:]",
    r"^\W*(?:(?:strictly|highly|top)\s+)?(?:confidential|secret)\s*[:!.–—]",
    r"\b(?:tell|let)\s+you\s+(?:in\s+on\s+)?(?:a|my|our)\s+(?:\w+\s+)?secret\b",
    r"\bi(?:['’]ve|\s+have)(?:\s+got)?\s+a\s+(?:\w+\s+)?secret\b",
    r"\b(?:must|should|may|can)\s*(?:not|n[o'’]t|never)\s+leave\s+this\s+room\b",
    r"\bin\s+(?:strict\s+)?confidence\b(?!\s+(?:in|of)\b)",
    r"\b(?:not\s+a\s+word(?:\s+to\s+(?:any(?:one|body)|a\s+soul))?|mum['’]?s\s+the\s+word|my\s+lips\s+only|for\s+your\s+(?:ears|eyes)\s+only"
    r"|off\s+the\s+record)\b",
    r"\b(?:nobody|no[\s-]*one|not\s+a\s+soul)\s+(?:else\s+)?(?:must|can|may|should|is\s+to|needs?\s+to|has\s+to|is\s+allowed\s+to)\s+(?:ever\s+)?"
    r"(?:know|find\s+out|hear|learn)\b",
    rf"\b(?=[lt]){_STATED}(?:tell|let)\s+(?:nobody|no[\s-]*one|not\s+a\s+soul)\b",
    rf"{FORBIDDEN}\s+{_EASE}(?:say|mention|breathe|repeat|spread|share|talk\s+about|speak\s+of)\s+(?:a\s+word|this|that|it)\b"
    r"(?!\s+(?:on\s+)?(?:to|with|in\s+front))",
    rf"(?<!\bshow )(?<!\bshow, ){FORBIDDEN}\s+{_EASE}tell\s*(?:[^\w\s,]|$)",
    r"\bonly\s+telling\s+you\b",
    r"(?:^|[,:–—-])\W*(?:(?:it['’]?s|it['’]?ll\s+be|it\s+will\s+be|that['’]?s|this\s+is|let\s+it\s+be)\s+)?our\s+(?:\w+\s+)?secret\b"
    r"(?=\W*(?:$|(?:ok|okay|right|yes|yeah|please|alright|all\s+right|deal|promise)\b))",
    r"\b(?:can|could|may)\s+i\s+(?:trust\s+you\s+with|tell\s+you|let\s+you\s+in\s+on)\s+(?:a|my|this)\s+(?:\w+\s+)?secret\b",
    r"(?:^|[,:–—-]|\bplease)\s*(?:keep|stay)\s+(?:mum|schtum|quiet)\s+about\s+(?:it|this|that|my|our)\b",
    r"(?:^|[,:–—-]|\bplease)\s*be\s+(?:very\s+)?discreet\b",
    rf"{FORBIDDEN}\s+{_EASE}(?:spill\s+the\s+beans|let\s+(?:it|this|anything)\s+slip|let\s+the\s+cat\s+out\s+of\s+the\s+bag)\b"
    r"(?=\s*(?:[.,!:;]|$|(?:that|about|yet)\b))",
)

#: Whatever asks for something has, in small letters, both of one of these pairs. They begin with letters: such are found soonest.
HINTS = (
    (r"secret|between|confiden|mum|schtum|record|discreet|nobody|no\W*one|soul|nothing\W+to", ""),
    ("keep|hide|stay|remain", r"from|dark|out\W+of|hidden|quiet|privat|yourself|your\W+hat|here|with|mum|schtum"),
    ("only", "telling|ears|eyes|lips"),
    ("ask", "nothing|know|hear|see|saw"),
    (
        "tell",
        r"neither|tell\W+any|tell\W+every|you\W+(?:can|may|are|have)\b|ok\W+(?:now\W+)?to\W+tell|okay\W+(?:now\W+)?to\W+tell"
        r"|fine\W+(?:now\W+)?to\W+tell|right\W+(?:now\W+)?to\W+tell",
    ),
    (
        "know|told",
        r"already\W+(?:know|been)|finally\W+(?:know|been)|now\W+(?:know|been)|may\W+(?:know|been)|can\W+(?:know|been)"
        r"|knows?\W+(?:now|already|by|about|everything)|told\W+(?:now|already|by|about|everything)",
    ),
    (
        r"n['’]t|not\b|never|dont|mustnt|shouldnt|cant|wont|wouldnt|didnt|doesnt|no\W+circumstances",
        r"tell|inform|warn|notify|show|say|mention|breathe|repeat|reveal|disclose|leak|forward|pass|share|discuss|talk|speak|give|bring"
        r"|write|know|knew|find|found|hear|learn|see|notice|told|spill|spread|slip|bag|leave|word",
    ),
)

# What lifts a confidence must be the whole sentence, and certain.
_LEAD = (
    r"(?:(?:ok|okay|well|so|and|now|yes|yeah|yep|sure|alright|all\s+right|fine|good|anyway|oh|hey|btw|by\s+the\s+way|of\s+course"
    r"|actually)[\s,:–—-]+){0,4}"
)
_NOW = r"(?:(?:\s*,)?\s+(?:now|already|anyway|too|as\s+well|again|by\s+now|if\s+you\s+(?:like|want|wish)(?:\s+to)?))*"
_WHAT = rf"{_NOW}(?P<about>\s+(?:about|of|that|what|why|the|my|our|this|it|all|everything)\b.*?)?{_NOW}\W*"
_OF_WHAT = rf"(?P<about>\s+(?:(?:about|of)\b.*?|it|everything|this|that|all))?{_NOW}\W*"
_KEPT_SO = r"to\s+keep\s+(?:it|this|that|(?P<about>.{1,60}?))\s+(?:a\s+)?(?:secret|quiet)(?:\s+(?:any\s*(?:more|longer)|now))?\W*"
TOLD = (
    rf"{_LEAD}you\s+(?:can|may|are\s+(?:now\s+)?(?:free|allowed)\s+to|have\s+my\s+permission\s+to)\s+(?:(?:now|finally|also|go\s+ahead\s+and)\s+)*"
    rf"tell\s+{_NAMES}{_WHAT}",
    rf"{_LEAD}(?:it['’]?s|it\s+is)\s+(?:now\s+)?(?:ok|okay|fine|all\s+right|alright)\s+(?:now\s+)?to\s+tell\s+{_NAMES}{_WHAT}",
    rf"{_LEAD}{_NAMES}\s+(?:already|finally|now|may|can|has\s+already|has\s+now)\s+(?:knows?|been\s+told){_OF_WHAT}",
    rf"{_LEAD}{_NAMES}\s+(?:knows?|has\s+been\s+told|was\s+told)(?=\s+(?:now|already|by\s+now|about|everything)\b){_OF_WHAT}",
)
_THAT = r"(?:it|this|that|(?P<about>(?:the|my|our)\s+[\w\s'’-]{1,60}?))"
OPEN = (
    rf"{_LEAD}{_THAT}(?:['’]s|\s+is|\s+was)\s+(?:no\s+longer|not)\s+(?:a\s+|our\s+)?secret(?:\s+(?:any\s*more|any\s+longer|now))?\W*",
    rf"{_LEAD}{_THAT}\s+(?:isn|wasn)['’]?t\s+(?:a\s+|our\s+)?secret(?:\s+(?:any\s*more|any\s+longer|now))?\W*",
    rf"{_LEAD}(?:there\s+is\s+|there['’]s\s+)?(?:no\s+need|you\s+(?:don['’]?t|do\s+not)\s+(?:need|have))\s+{_KEPT_SO}",
)
#: Said with one of these a word that would lift it does not.
DOUBT = re.compile(
    r"\b(?:when|once|if|after|until|till|unless|only|before|tomorrow|tonight|next|later|soon|not|never|no|except|but|without|wish|think|maybe"
    r"|perhaps|had|would|could|on\s+(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|n['’]t\b",
    re.IGNORECASE,
)
#: *You can't tell Bob and Ann apart.*
APART = re.compile(r"\s*(?:apart\b|from\b)", re.IGNORECASE)
#: A request that is asked for: what is left without it is no question.
TAG = re.compile(
    r",?\s*\b(?:will|would|can|could)\s+(?:you|ya|u)(?:\s+please)?\s*\?+\s*$|,?\s*\b(?:ok|okay|right|please|alright|all\s+right|promise|yes|yeah"
    r"|deal|understood|got\s+it)\s*\?+\s*$",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"^\W*(?:(?:so|and|but|well|hey|oh)\W+)*(?:why|how|what|who|where|when|which|did|do|does|didn|doesn|don['’]?t\s+you|don['’]?t\s+(?:they|we|i)\b"
    r"|is|are|was|were|have|has|had|hasn|haven|should|shouldn|must|may|am)\b",
    re.IGNORECASE,
)


def is_asking(sentence: str) -> bool:
    """Whether a question wants to know something, and asks for no silence."""
    return _ASKING.search(sentence) is not None


_NOBODY = words_of(
    "me us you i we it yourself yourselves lies stories jokes myself that this time apart fortunes"
    " no yes nope yeah ok okay well oh"
)
_EVERYBODY = words_of("anyone anybody everyone everybody others people")
_ANYBODY = _EVERYBODY | words_of(
    "him her them he she they someone somebody nobody who whom soul anything one a the else family friends folks strangers"
)
_SUBJECT = words_of("he she they i we it you")
_END = re.compile(
    r"\s+(?:that|about|this|it|what|how|why|when|where|because|until|unless|yet|now|please|but|or\s+else|anything|a\s+word|i|we|he|she|"
    r"they|though|ok|okay|right|everything|the\s+truth|to|if|for|in|at|on|so|of|yet)\b.*",
    re.IGNORECASE,
)
_SPLIT = re.compile(
    r"(\s*[,、，]\s*(?:(?:and|or|nor)\s+(?:also\s+|even\s+)?)?|\s+(?:and|or|nor)\s+(?:also\s+|even\s+)?)", re.IGNORECASE
)
_EDGES = "'’_-\u00b7"
_READABLE = re.compile(r"(?!\d+\Z)[^\W_]")
_OWNED = re.compile(rf"^{_OWNER}", re.IGNORECASE)
_SOMEBODY = re.compile(rf"^\s*(?:{_OWNER}|(?-i:[A-Z])|(?:anyone|anybody|everyone|everybody)\b)", re.IGNORECASE)


def people(stated: str, known: Iterable[str]) -> Iterator[str]:
    """The parts of ``stated`` that name people."""
    parts = _SPLIT.split(_END.sub("", stated))
    yield parts[0]
    for joint, part in zip(parts[1::2], parts[2::2], strict=True):
        if normal_name(part).split(" ")[0] in _SUBJECT:
            continue
        if joint.strip() != "," or _SOMEBODY.match(part) or normal_name(part) in known:
            yield part


def person(part: str, *, certain: bool) -> tuple[str, ...]:
    """Whom the part names, ``*``: anybody; nothing: nobody who could be kept from anything, or, ``certain``, nobody is sure."""
    words = normal_name(_OWNED.sub("", part.strip())).split(" ")
    while not certain and len(words) > 1 and words[0] in stop_words() and words[0] not in _NOBODY | _ANYBODY:
        words = words[1:]
    name = normal_name(_OWNED.sub("", " ".join(words)).strip(_EDGES))
    if not name or name.split(" ")[0] in _NOBODY:
        return ()
    if name.split(" ")[0] in (_EVERYBODY if certain else _ANYBODY):
        return ("*",)
    if not _READABLE.match(name) or name.endswith("'s"):
        return () if certain else ("*",)
    return () if certain and name.split(" ")[0] in _ANYBODY else PAIRS.get(name, (name,))


def tail(stated: str) -> str:
    """What follows the names in ``stated``."""
    match = _END.search(stated)
    return match[0] if match else ""
