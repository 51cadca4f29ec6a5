"""What a grammar gives: a fact before anybody knows which lines it is from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from soulmem.consolidate.dates import Tense, find_whens
from soulmem.consolidate.facts import Kind
from soulmem.consolidate.people import Scene
from soulmem.text.language import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """See :class:`~soulmem.consolidate.facts.Fact`. ``when``: begin and end (exclusive) of what it tells; ``called``: a name, and
    what else the one who has it is called; ``clauses``: how many clauses of the sentence it took; ``began``, ``ends``,
    ``also``: as of a fact."""

    kind: Kind
    subject: str
    text: str
    rule: str
    slot: str = ""
    value: str = ""
    names: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    when: tuple[datetime, datetime] | None = None
    called: tuple[str, str] | None = None
    clauses: int = 1
    began: tuple[datetime, datetime] | None = None
    ends: tuple[tuple[str, str], ...] = ()
    also: bool = False


def most_time(text: str, scene: Scene, tongue: Language, meant: Tense | None = None) -> tuple[datetime, datetime] | None:
    """The first time that ``text`` names, if it names one; ``meant``: see :func:`~soulmem.consolidate.dates.find_whens`."""
    whens = find_whens(text, scene.now, tongue, meant) if scene.now else ()
    return (whens[0].start, whens[0].stop) if whens else None
