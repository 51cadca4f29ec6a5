"""What people say of themselves, told of them: English verbs and pronouns in the third person."""

from __future__ import annotations

import re
from collections.abc import Mapping

from soulmem.text.stopwords import words_of

#: Past forms that do not end in *ed*. Those that are also the base form (put, let) count as past: they stay as they are.
PAST_FORMS = words_of(
    """
was were had did went came got took made gave saw found left lost won met bought brought thought told said felt kept
slept sat stood ran ate drank drove flew wrote read broke chose spoke woke wore tore swam sang rang began became forgot
fell grew knew threw blew drew held heard hid hit hurt led lent let lay lit meant paid put quit rode rose sent set shook
shot shut sold spent split spread stole stuck struck swore taught understood built burnt caught cut cost dealt dug fed
fought fit froze hung learnt spilt spoilt swept wept won wound bit bled bound bred dreamt dwelt forbade forgave knelt
leapt overcame overslept rebuilt shone shrank slid sped spun sprang stung swung underwent upset withdrew dropped been
done gone taken given seen known used tied lied died
"""
)
_MODALS = words_of(
    "will can cannot can't won't could would should may might must shall couldn't wouldn't shouldn't mustn't ought"
)
_ADVERBS = words_of(
    """
just always never still also already even only once actually often usually sometimes finally recently both totally
definitely kinda literally honestly basically now then almost rarely seldom ever soon later probably quite rather truly
so too secretly kind sort of
    """
)
_AUX: Mapping[str, str] = {
    "am": "is", "'m": "is", "are": "is", "'re": "is", "have": "has", "'ve": "has", "do": "does", "don't": "doesn't",
    "haven't": "hasn't", "aren't": "isn't", "ain't": "isn't", "was": "was", "were": "was", "weren't": "wasn't",
}  # fmt: skip
_FULL = {"'m": " am", "'ve": " have", "'ll": " will", "'d": " had", "'re": " are"}
_WORD = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)?")


def is_past(word: str) -> bool:
    """Whether a verb stands in a past form."""
    low = word.casefold()
    return low in PAST_FORMS or (len(low) > 4 and low.endswith("ed") and not low.endswith("eed"))


def third_person(verb: str) -> str:
    """The verb as *she* would take it: *love* → *loves*, *'m* → *is*; past forms and modals stay."""
    low = verb.casefold().replace("’", "'")
    if low in _AUX:
        return _AUX[low]
    if low in _MODALS or low == "had" or is_past(low) or low.endswith("n't"):
        return verb
    if re.search(r"(?:s|x|z|ch|sh|o)\Z", low):
        return verb + "es"
    if re.search(r"[^aeiou]y\Z", low):
        return verb[:-1] + "ies"
    return verb + "s"


_BASE: Mapping[str, str] = {
    "is": "am", "are": "am", "has": "have", "does": "do", "doesn't": "don't", "isn't": "am not", "aren't": "am not", "goes": "go",
    "hasn't": "haven't",
}  # fmt: skip
_HURRIED: Mapping[str, str] = {
    "i": "I", "im": "I'm", "i'm": "I'm", "ive": "I've", "dont": "don't", "cant": "can't", "doesnt": "doesn't", "didnt": "didn't",
    "wont": "won't", "isnt": "isn't", "wasnt": "wasn't", "gonna": "going to", "wanna": "want to", "gotta": "have to",
    "thats": "that's", "hes": "he's", "shes": "she's", "theyre": "they're", "youre": "you're",
}  # fmt: skip
_IN_HASTE = re.compile(rf"(?<![\w'’.])(?:{'|'.join(sorted(_HURRIED, key=len, reverse=True))})(?![\w.])(?:['’](?=\w))?", re.I)
#: What adds nothing to what is said, where it is typed in haste.
_CHATTER = re.compile(r"[\s,]*\b(?:tbh|ngl|btw|imo|imho|haha+|hehe+|xd|fyi|by\s+the\s+way|to\s+be\s+honest)(?=[\s.!]*\Z)", re.I)


def base_form(verb: str) -> str:
    """The verb as *I* would take it: *hates* → *hate*, *is* → *am*; other forms stay."""
    low = verb.casefold()
    if low in _BASE:
        return _BASE[low]
    if len(low) > 4 and low.endswith("ies"):
        return verb[:-3] + "y"
    if re.search(r"(?:ss|sh|ch|x|zz|o)es\Z", low):
        return verb[:-2]
    return verb[:-1] if len(low) > 3 and low.endswith("s") and not re.search(r"(?:ss|us|is)\Z", low) else verb


def first_person(rest: str) -> str:
    """What follows a name, as it follows *I*: ``really hates tea`` → ``really hate tea``."""
    words = rest.split(" ")
    for number, word in enumerate(words):
        if not _is_adverb(word):
            return " ".join((*words[:number], base_form(word), *words[number + 1 :]))
    return rest


def tidied(text: str) -> str:
    """``text`` typed in haste as it is written with care: *im a baker tbh* → *I'm a baker*."""

    def careful(match: re.Match[str]) -> str:
        word = match[0].casefold().replace("’", "'")
        return _HURRIED.get(word, _HURRIED.get(word.rstrip("'"), word.rstrip("'")) + ("'" if word.endswith("'") else ""))

    put = _CHATTER.sub("", _IN_HASTE.sub(careful, text))
    return re.sub(r"\A\s*(?:we|my|our)\b", lambda match: match[0].capitalize(), put)


#: Forms that are no past by themselves at the beginning of a sentence, where nobody says who.
_UNSURE_PAST = words_of(
    "put let hit cut read set shut cost hurt spread was were had did said thought told gone done been given seen known taken"
)
_DROPPED_PAST = re.compile(
    r"(?:Just\s+|Finally\s+|just\s+|finally\s+)?(?P<verb>[A-Za-z]+)\s+(?:my|the|an?|our|out\s+of|back\s+from|home)\s+\w+"
)
_DROPPED_ING = re.compile(r"(?P<verb>[A-Za-z]{2,}ing)\s+(?P<rest>.+)")
_DROPPED_TASTE = re.compile(
    r"(?:(?:really|absolutely)\s+)?(?:can't\s+(?:stand|bear)|hate|love|allergic\s+to)\s+(?!(?:the|your|you|yours?elf|this"
    r"|that|these|those|it|him|her|them|one|life"
    r"|what|when|how|where|all|hearing|seeing|is|was|are|can|will|makes|always|and|or|of|has|ya|u)\b)[a-z][\w' -]+\Z",
    re.I,
)
#: With a verb of its own, what stands before it is its subject: *moving to Rome was a mistake*.
_OTHER_VERB = re.compile(r"\b(?:is|are|was|were|has|can(?!['’n])|will|makes?|takes?|means?|helps?)\b")
_NO_ACT = words_of(
    """
looking thinking hoping wondering considering trying wishing dreaming talking speaking according depending nothing
something everything anything morning evening during being judging sounding seeing hearing knowing assuming including
having king ring sing thing string spring wing bring missing loving imagining wanting
"""
)


def with_subject(text: str, *, dated: bool) -> str | None:
    """A sentence that leaves out *I* with it: ``Passed my exam`` → ``I passed my exam``; ``None`` where it need not be *I*.

    ``dated``: whether it names a time; without one, what somebody is doing is left out.
    """
    past = _DROPPED_PAST.match(text)
    if past and is_past(past["verb"]) and past["verb"].casefold() not in _UNSURE_PAST:
        return f"I {text[0].lower()}{text[1:]}"
    if _OTHER_VERB.search(text) and not past:
        return None
    if _DROPPED_TASTE.match(text):
        return f"I {'am ' if re.match('allergic', text, re.I) else ''}{text[0].lower()}{text[1:]}"
    doing = _DROPPED_ING.match(text)
    if doing is None or doing["verb"].casefold() in _NO_ACT or not (dated or doing["verb"].casefold() == "feeling"):
        return None
    return f"I am {text[0].lower()}{text[1:]}" if not re.match(r"(?:is|was|are|makes?|helps?)\b", doing["rest"]) else None


def contracted(text: str) -> str:
    """``text`` with *I'm*, *I've*, *I'll*, *we're* in full, so that verbs stand alone."""
    text = re.sub(r"\b(I|we)'d rather\b", r"\1 would rather", text.replace("’", "'"))
    text = re.sub(
        r"\b(I|we|you|they)('m|'ve|'ll|'d|'re)\b", lambda match: match[1] + _FULL[match[2].casefold()], text, flags=re.I
    )
    return re.sub(r"\b(he|she|it)('ll)\b", lambda match: f"{match[1]} will", text, flags=re.I)


def predicate(rest: str, *, plural: bool = False) -> str:
    """What follows *I* (or *we*: ``plural``), as it follows a name: ``really love tea`` → ``really loves tea``.

    A second verb of the same subject follows: ``went home and cook`` stays as it is said; only the first verb is conjugated, and
    ``and I verb``, ``, but I verb`` by whoever replaces the pronoun.
    """
    if plural:
        return rest
    words = rest.split(" ")
    for number, word in enumerate(words):
        if _is_adverb(word):
            continue
        found = _WORD.match(word)
        if found is None:
            return rest
        words[number] = third_person(found[0]) + word[found.end() :]
        return " ".join(words)
    return rest


def first_verb(rest: str) -> str:
    """The verb that follows a subject, in lower case, its adverbs passed over; empty when there is none."""
    for word in rest.split(" "):
        low = word.casefold().strip(",;:")
        if _is_adverb(low):
            continue
        return low
    return ""


def _is_adverb(word: str) -> bool:
    return word.casefold() in _ADVERBS or (
        re.fullmatch(r"[a-z]{2,}ly", word) is not None and word not in ("fly", "rely", "apply", "reply")
    )
