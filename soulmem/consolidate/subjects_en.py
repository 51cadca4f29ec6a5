"""Names that stand at the beginning of a sentence alone, where every English word has a capital: *Kim lives in Rome.*

Such a word is a name where what follows is said of people alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from soulmem.consolidate.people import KIN_EN_PATTERN
from soulmem.text.stopwords import stop_words, words_of

_OF_PEOPLE = (
    r"(?:(?:still|now|also|just|really|always)\s+)*(?:"
    r"lives?\s+(?:in|near|outside|with)\s+[A-Z]"
    r"|works\s+(?:at|as|for|in)\s+(?:an?\s|the\s|[A-Z])"
    r"|(?:is|got|was)\s+(?:getting\s+|just\s+|now\s+)?(?:married|divorced|engaged|promoted|hired|fired|pregnant|vegan|vegetarian"
    r"|born\s+in|allergic\s+to|afraid\s+of|terrified\s+of)\b"
    r"|(?:has\s+)?moved\s+to\s+[A-Z]|is\s+moving\s+to\s+[A-Z]"
    r"|(?:hates|loves|likes|adores|prefers|dislikes)\s+(?!(?:me|us|you|it|him|her|them|this|that|to|a|an|the)\b)[a-z]"
    r"|speaks\s+(?:[a-z]+\s+languages|[A-Z][a-z]+)"
    r"|plays\s+the\s+[a-z]"
    r"|(?:broke|sprained|twisted|injured|hurt)\s+(?:his|her)\s"
    rf"|has\s+(?:an?|two|three|four)\s+(?:[a-z]+\s+)?{KIN_EN_PATTERN}s?\b"
    r"|(?:turned|is\s+turning)\s+\d{1,2}\b|is\s+\d{1,2}\s+years\s+old"
    r")"
)
_SUBJECT = re.compile(rf"(?:\A|(?<=[.!?\n])\s+)(?P<name>[A-Z][a-z]{{2,14}})\s+(?={_OF_PEOPLE})")
#: Of these people say the same, and none is anybody.
_NOBODY = words_of(
    """
everybody everyone somebody someone nobody anybody anyone people who whoever life love time fate karma god nature death winter
summer spring autumn music work home rain snow sun moon fortune luck history science math the this that one none each mom mum dad
mama papa mummy daddy grandma grandpa granddad granny gran nan mother father sister brother wife husband daughter son baby boss
friend neighbour neighbor boy girl man woman kid cat dog misery trouble money fear hope evil company society
"""
)


def subjects(texts: Sequence[str]) -> Iterator[str]:
    """The names at the beginnings of sentences of ``texts`` of which they tell what only people do or are."""
    found = dict.fromkeys(match["name"] for text in texts for match in _SUBJECT.finditer(text))
    for name in found:
        word = name.casefold()
        if word not in _NOBODY and word not in stop_words() and not any(re.search(rf"\b{word}\b", text) for text in texts):
            yield name
