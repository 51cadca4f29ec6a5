"""What consolidation works with: a fact that somebody stated, and how it stands to the lines it comes from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from soulmem.model.notes import Category, derived_id
from soulmem.text.names import normal_name
from soulmem.text.stopwords import words_of


class Kind(StrEnum):
    """What kind of thing is stated; becomes a tag of the note, and its category."""

    IDENTITY = "identity"
    DATE = "date"
    PREFERENCE = "preference"
    RELATION = "relation"
    EVENT = "event"
    PROMISE = "promise"
    STATE = "state"
    KNOWLEDGE = "knowledge"

    @property
    def category(self) -> Category:
        """The category of the notes of this kind: a promise is an event to come."""
        return Category.EVENT if self is Kind.PROMISE else Category(self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A fact that stands by itself: no *I*, no *tomorrow*.

    ``subject``: whom or what it is about, by canonical name. ``slot``: what of the subject it says (``lives``, ``likes:tea``);
    two values of one slot contradict each other; an empty slot takes any number. ``value``: what it says there. ``said_at``:
    when it was last said, UTC, or ``None`` where nobody knows. ``sources``: ids of the lines, oldest first. ``rule``: what it was
    recognised by. ``names``: who and what it names, canonical. ``aliases``: other names of the subject. ``when``: from when to
    when (exclusive) what it tells happens, UTC. ``called``: a name, and what else its bearer is called (小红的妹妹). ``tags``: of
    its note, beside the kind. ``by``: who says it. ``began``: from when to when (exclusive) what it tells began to hold, where
    that is said. ``ends``: (slot, value) of what it says holds no longer; an empty value: whatever stands there; a slot with a
    colon at its end: all that begin so. ``also``: it stands beside other values of its slot, though the slot holds one.
    """

    kind: Kind
    subject: str
    text: str
    rule: str
    slot: str = ""
    value: str = ""
    sources: tuple[str, ...] = ()
    scope: str = "public"
    kept_from: tuple[str, ...] = ()
    said_at: datetime | None = None
    place: int = 0
    names: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    when: tuple[datetime, datetime] | None = None
    called: tuple[str, str] | None = None
    tags: tuple[str, ...] = ()
    by: str = ""
    began: tuple[datetime, datetime] | None = None
    ends: tuple[tuple[str, str], ...] = ()
    also: bool = False

    @property
    def stem(self) -> str:
        """What the keys of all notes about this slot of this subject begin with."""
        return stem_of(self.subject, self.slot or self.kind.value)

    @property
    def says(self) -> str:
        """What two facts of one stem share if they are the same fact."""
        return same_form(self.value if self.slot else self.text)[:MOST_SAYS] or "x"

    @property
    def key(self) -> str:
        """The key of the note it becomes: stem, what it says, and which line said it first."""
        return f"{self.stem}{self.says}_{derived_id('fact', *self.sources[:1], self.text)[:6]}"

    @property
    def contradicts(self) -> bool:
        """Whether another value in this slot means that one of the two is no longer so."""
        return is_single(self.slot) and not self.also

    @property
    def is_end(self) -> bool:
        """Whether it says of something that it holds no longer, and nothing else instead."""
        return self.says.startswith(ENDED)

    @property
    def since(self) -> datetime | None:
        """Since when it holds, as it is told; ``None`` where nothing is said of that."""
        return self.began[0] if self.began else None

    @property
    def note_id(self) -> str:
        """The id of the note it becomes."""
        return derived_id("fact", self.key, self.scope, *self.kept_from)

    @property
    def heard(self) -> tuple[str, frozenset[str]]:
        """Where it was heard, and from whom it is kept: facts that do not share both never meet."""
        return self.scope, frozenset(self.kept_from)


#: Slots that hold one value at a time; of the others (sisters, pets, promises) there may be several.
SINGLE = words_of(
    "lives work workplace shift school age years birthday marital diet stands feels favourite taste when partner told surname"
)
#: Slots whose value never changes: another one means that the first was wrong.
FIXED = words_of("birthday from sign")
#: What stands before the value of a fact that says that it holds no longer.
ENDED = "ended"
#: On which side of a taste somebody is.
LIKES, DISLIKES = "likes", "dislikes"
#: The rule of the facts that a model drew.
MODEL = "model"
#: So much of what a fact says stands in its key.
MOST_SAYS = 32


def is_single(slot: str) -> bool:
    """Whether a slot holds one value at a time."""
    return slot.partition(":")[0] in SINGLE


def stem_of(subject: str, slot: str) -> str:
    """The readable beginning of the keys of notes about one slot of one subject."""
    return "fact_" + "_".join(re.sub(r"\W+", "_", normal_name(part)).strip("_")[:32] or "x" for part in (subject, slot)) + "_"


def says_of(key: str) -> str:
    """What the fact of a note with this key says (:attr:`Fact.says`)."""
    return key.rpartition("_")[0].rpartition("_")[2]


def stem_of_key(key: str) -> str:
    """The stem of the fact of a note with this key (:attr:`Fact.stem`)."""
    return key.rpartition("_")[0].rpartition("_")[0] + "_"


def same_form(text: str) -> str:
    """``text`` without what makes no difference: case, spaces, punctuation."""
    return re.sub(r"[\W_]+", "", normal_name(text))
