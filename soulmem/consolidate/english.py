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
done gone taken given seen known
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
    return low in PAST_FORMS or (len(low) > 4 and low.endswith("ed") and not low.endswith("eed")) or low == "died"


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


def contracted(text: str) -> str:
    """``text`` with *I'm*, *I've*, *I'll*, *we're* in full, so that verbs stand alone."""
    text = text.replace("’", "'")
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
        if word.casefold() in _ADVERBS or (re.fullmatch(r"[a-z]{2,}ly", word) and word not in ("fly", "rely", "apply", "reply")):
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
        if low in _ADVERBS or (re.fullmatch(r"[a-z]{2,}ly", low) and low not in ("fly", "rely", "apply", "reply")):
            continue
        return low
    return ""
