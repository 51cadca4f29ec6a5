"""What holds no longer, and what became of a plan, in English sentences (pure patterns; the grammar uses them)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from soulmem.consolidate.people import KIN_EN_PATTERN, one_of

#: Whom one breaks up with.
PARTNERS_EN = ("girlfriend", "boyfriend", "partner", "wife", "husband", "fiancé", "fiancée", "fiance", "fiancee", "spouse")
#: What is given up with a job.
JOB = (("work", ""), ("workplace", ""), ("shift", ""))

_NO_MORE = r"(?:any\s*more|any\s+longer|these\s+days|nowadays)"
_AFFIRMED = (
    (re.compile(rf"(?:do\s+not|don't)\s+(?:really\s+|even\s+)?(?P<rest>.+?)\s+{_NO_MORE}\b", re.I), ""),
    (re.compile(rf"am\s+not\s+(?P<rest>.+?)\s+{_NO_MORE}\b", re.I), "am "),
    (re.compile(r"(?:am|was)\s+never\s+(?:really\s+|actually\s+)?(?P<rest>.+?)\s+(?:at\s+all|after\s+all)\Z", re.I), "am "),
    (re.compile(r"am\s+not\s+(?:really\s+|actually\s+)?(?P<rest>.+?)\s+after\s+all\Z", re.I), "am "),
    (re.compile(r"am\s+no\s+longer\s+(?P<rest>.+)", re.I), "am "),
    (re.compile(r"no\s+longer\s+(?P<rest>.+)", re.I), ""),
)
_USED_TO = re.compile(r"used\s+to\s+(?P<rest>.+)", re.I)
#: Where people work, so that to quit it is to quit a job.
_WORKPLACE = (
    r"(?:bakery|shop|store|office|hospital|clinic|factory|restaurant|caf[eé]|bar|pub|firm|company|agency|bank|army|navy|police|force"
    r"|kitchen|hotel|library|lab|studio|newspaper|paper|magazine|warehouse|museum|mill|plant|salon|garage|call\s+cent(?:re|er))"
)
_JOB = (
    r"(?:my|the|that|this)\s+(?!(?:side|second|weekend|summer|holiday|first|last|old|previous|former|volunteer)\s)(?:[\w-]+\s+)?"
    r"(?:job|post|position)"
)
#: What may follow the giving up of a job; with anything else it is another thing (*my job application*, *for lunch*).
_THEN = (
    r"(?=\s*(?:\Z|[,;.!:–—-]|\b(?:yesterday|today|this\s+morning|last\s+\w+|this\s+(?:week|month|year|spring|summer|autumn|fall|winter)"
    r"|in\s+(?:\d{4}|january|february|march|april|may|june|july|august|september|october|november|december|(?:the\s+)?(?:spring|summer"
    r"|autumn|fall|winter))|on\s+\w+day|(?:\w+\s+){1,3}ago|recently|again|too|already|at\s+(?:the|my)\s+\w+|as\s+an?\s+[\w-]+"
    r"|because|so|and|but|after|when|since|for\s+good|to\s+(?:become|be|start|study|travel|move|open|write|raise|look)\b)))"
)
_QUIT = re.compile(
    r"(?:have\s+)?(?:(?:just|finally|recently|already|actually)\s+)*(?:"
    rf"(?:(?:quit|left|lost|resigned\s+from|retired\s+from|gave\s+up)\s+{_JOB}|(?:quit|resigned\s+from)\s+(?:my|the)\s+{_WORKPLACE}"
    r"|(?:handed|gave)\s+in\s+my\s+notice|resigned|retired|(?:got|was|were)\s+(?:fired|sacked|laid\s+off|made\s+redundant)"
    rf"(?:\s+from\s+(?:{_JOB}|(?:my|the)\s+{_WORKPLACE}))?){_THEN})",
    re.I,
)
_WHOM = rf"(?:(?:my|My)\s+(?P<kin{{n}}>{KIN_EN_PATTERN})(?:,?\s+(?P<named{{n}}>[A-Z][\w'-]+),?)?|(?P<who{{n}}>NAMES))"
_PARTED = re.compile(
    rf"(?P<lead>[^,]{{2,30}},\s+)?(?:(?:{_WHOM.format(n=1)}\s+and\s+I|I\s+and\s+{_WHOM.format(n=2)}|(?P<we>We))\s+(?:have\s+|had\s+)?(?:(?:just|finally"
    r"|recently|sadly|actually)\s+)*(?:broke(?:n)?\s+up|split(?:\s+up)?|separated|(?:got\s+|are\s+getting\s+|are\s+)?divorced"
    r"|parted\s+ways|(?:are\s+no\s+longer|aren't|are\s+not)\s+(?:together|a\s+couple)(?:\s+any\s*more)?)"
    rf"|I\s+(?:have\s+)?(?:(?:just|finally|recently)\s+)*(?:broke(?:n)?|split)\s+up\s+with\s+{_WHOM.format(n=3)}"
    rf"|{_WHOM.format(n=4)}\s+(?:has\s+)?(?:(?:just|finally|recently)\s+)*(?:broke(?:n)?\s+up\s+with\s+me|left\s+me|dumped\s+me))"
    r"(?=\s+(?:yesterday|last|in|on|a|an|two|three|some|this|after|because)\b|[,;.!]|\Z)(?P<more>.*)"
)
_PLAN_DAY = re.compile(
    r"have\s+(?:got\s+)?(?:an?|my|the|another)\s+(?P<what>(?:[\w'-]+\s+){0,3}?[\w'-]+?)\s+"
    r"(?=on\b|at\b|this\b|next\b|tomorrow\b|tonight\b|today\b|in\s+\w+|with\b)",
    re.I,
)
_NEW_JOB = re.compile(r"\b(?:now|these\s+days|since|new\s+job|start(?:ed|ing)?|switch\w*|currently)\b", re.I)


def affirmed(rest: str) -> str | None:
    """What was so, of what is no longer: ``don't live in Ghent any more`` → ``live in Ghent``. ``rest``: as it follows *I*."""
    for pattern, verb in _AFFIRMED:
        match = pattern.match(rest)
        if match:
            return verb + match["rest"]
    return None


def formerly(rest: str) -> str | None:
    """What was so once: ``used to live in Paris`` → ``live in Paris``."""
    match = _USED_TO.match(rest)
    return re.sub(r"\Abe\b", "am", match["rest"]) if match else None


def is_leaving(rest: str) -> bool:
    """Whether somebody gives up a job: ``quit my job``."""
    return _QUIT.match(rest) is not None


def is_new_job(rest: str) -> bool:
    """Whether what somebody works as is said to be new."""
    return _NEW_JOB.search(rest) is not None


def parted(text: str, forms: Iterable[str]) -> tuple[str, str, str] | None:
    """Who broke up with the speaker, as (name, relation, when in words): ``Lena and I broke up last week``; either may be empty.

    ``forms``: the names that are known."""
    match = re.match(_PARTED.pattern.replace("NAMES", one_of(forms)), text)
    if match is None:
        return None
    found = match.groupdict()
    name = next(
        (found[key] for key in ("named1", "named2", "named3", "named4", "who1", "who2", "who3", "who4") if found[key]), ""
    )
    kin = next((found[key] for key in ("kin1", "kin2", "kin3", "kin4") if found[key]), "")
    if kin and kin.casefold() not in PARTNERS_EN:
        return None
    return name, kin, f"{match['lead'] or ''}{match['more']}".strip(" ,;.!")


def parted_ends(name: str, kin: str) -> tuple[tuple[str, str], ...]:
    """What ends when somebody parts from ``name``, who was ``kin``; where the name is not told, from that relation; where neither
    is, from any."""
    kins = (kin.casefold(),) if kin and not name else PARTNERS_EN
    return (*((f"{one}:", name) for one in kins), ("marital", ""))


def planned(rest: str) -> str:
    """What somebody has on some day: ``have an interview on Friday`` → ``interview``; empty: nothing."""
    match = _PLAN_DAY.match(rest)
    return plan_noun(match["what"]) if match else ""


def plan_noun(what: str) -> str:
    """What a plan is called for short: ``job interview`` → ``interview``, ``first day of school`` → ``day``."""
    words = re.split(r"\s+(?:of|with|for|at|in|on)(?:\s+|\Z)", what.casefold())[0].split()
    return words[-1] if words else ""
