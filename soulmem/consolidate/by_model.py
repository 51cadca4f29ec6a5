"""A language model in the place of the deterministic steps: it splits, links and summarises. What it answers is checked twice: in
:mod:`soulmem.llm.schemas` for its form, in :mod:`soulmem.consolidate.answers` for what it may do to the mind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from soulmem.consolidate.contract import Known, LinkQuestion, SplitQuestion
from soulmem.errors import ModelError
from soulmem.llm.answers import Answered, ask
from soulmem.llm.contract import Model
from soulmem.llm.prompting import message_line, rendered
from soulmem.llm.schemas import (
    PROMISE,
    LinksForm,
    ProposedNote,
    SplitForm,
    SummaryForm,
    labelled,
    proposed_links,
    proposed_notes,
)
from soulmem.model.links import Sem, TrigToAction
from soulmem.model.messages import Message
from soulmem.model.notes import Note, Procedure, Semantic, SpecificSituation, display_text
from soulmem.text.language import Language, language
from soulmem.working.summary import Extractive, Summary, SummaryLine

Json = dict[str, Any]


def _tongue(messages: Sequence[Message]) -> str:
    return "zh" if language("\n".join(message.text for message in messages)) is Language.ZH else "en"


def _lines(messages: Sequence[Message]) -> list[str]:
    return [message_line(number, said.speaker, said.text, said.sent_at) for number, said in enumerate(messages, 1)]


@dataclass(frozen=True, slots=True)
class ModelSplitter:
    """Draws notes from messages by a model. ``at``: now."""

    model: Model
    character: str
    at: datetime

    def split(self, question: SplitQuestion) -> Mapping[str, Any]:
        """See :class:`~soulmem.consolidate.contract.Splitter`. Raises :class:`ModelError`."""
        known = {f"k{number}": fact for number, fact in enumerate(question.known, 1)}
        values = {
            "character": self.character,
            "now": f"{self.at:%Y-%m-%d %H:%M}",
            "known": [f"{label}: {fact.text}" for label, fact in known.items()],
            "summary": question.summary,
            "before": [f"{said.speaker}: {said.text}" for said in question.context if not said.hidden],
            "messages": _lines(question.messages),
        }
        answered = ask(self.model, rendered("split", _tongue(question.messages), values), SplitForm)
        said = {number: f"{message.speaker}: {message.text}" for number, message in enumerate(question.messages, 1)}
        found = proposed_notes(answered.value, messages=said, known=known.keys(), now=self.at)
        notes = [_note(one, known) for one in found.notes if not isinstance(one.body, Procedure)]
        whose = [f"{note['content'][:40]!r}: it does not say whom it is about" for note in notes if not note["subject"]]
        return {
            "notes": [note for note in notes if note["subject"]],
            "procedures": [_procedure(one, one.body) for one in found.notes if isinstance(one.body, Procedure)],
            "problems": [*_left_out("split", answered), *found.dropped, *whose],
        }


def _left_out(what: str, answered: Answered[Any]) -> list[str]:
    """What is missing of an answer already."""
    cut = [f"{what}: the answer was cut off; what came before is taken (model.max_tokens allows longer ones)"]
    return [*(cut if answered.cut_off else ()), *answered.dropped]


def _note(proposed: ProposedNote, known: Mapping[str, Known]) -> Json:
    """What the checks of consolidation take; without a ``subject`` where nobody is named."""
    told: Json = {"sources": list(proposed.messages), "tags": list(proposed.tags)}
    told["supersedes"] = known[proposed.supersedes].id if proposed.supersedes else None
    match proposed.body:
        case Semantic(content=name, aliases=aliases, description=description, category=category):
            told |= {"content": description or name, "subject": name, "aliases": list(aliases)}
            if category:
                told["category"] = PROMISE if PROMISE in proposed.tags else category.value
            return told
        case SpecificSituation(narrative=narrative, context=context, time_start=start, time_end=end):
            people = [*(person.name for person in context.participants), *(one.initiator for one in context.event)]
            names = [name for name in dict.fromkeys(people) if name]
            told |= {"content": narrative, "subject": names[0] if names else "", "names": names, "category": "event"}
            return told | ({"when": [start, end]} if start and end else {})
    raise TypeError(f"no fact is made of {proposed.body!r}")


def _procedure(proposed: ProposedNote, body: Procedure) -> Json:
    return {"content": body.content, "action_type": body.action_type.value, "sources": list(proposed.messages)}


@dataclass(frozen=True, slots=True)
class ModelLinker:
    """Proposes links between notes by a model."""

    model: Model
    character: str

    def link(self, question: LinkQuestion) -> Mapping[str, Any]:
        """See :class:`~soulmem.consolidate.contract.Linker`. Raises :class:`ModelError`."""
        notes: dict[str, Note] = {f"n{number}": note for number, note in enumerate(question.new, 1)}
        notes |= {f"o{number}": note for number, note in enumerate(question.old, 1)}
        lines = labelled([(label, note.type, display_text(note.body)) for label, note in notes.items()])
        tongue = "zh" if language("\n".join(lines)) is Language.ZH else "en"
        prompt = rendered("link", tongue, {"character": self.character, "notes": lines})
        answered = ask(self.model, prompt, LinksForm)
        found = proposed_links(answered.value, {label: note.type for label, note in notes.items()})
        links = [{"from": notes[one.source].id, "to": notes[one.target].id, **_payload(one.payload)} for one in found.links]
        return {"links": links, "problems": [*_left_out("link", answered), *found.dropped]}


def _payload(payload: object) -> Json:
    match payload:
        case Sem(verb=verb, confidence=confidence):
            return {"verb": verb, "confidence": confidence}
        case TrigToAction(prob=prob):
            return {"prob": prob}
    return {}


@dataclass(frozen=True, slots=True)
class ModelSummariser:
    """Writes summaries by a model, when the mind is idle; where it fails they are extracted, and ``tell`` is told why."""

    model: Model
    character: str
    tell: Callable[[str], None] = lambda why: None
    at_once: bool = False

    def summarise(self, former: Summary, said: Sequence[Message], budget: int) -> Summary:
        """See :class:`~soulmem.working.summary.Summariser`."""
        spoken = [message for message in said if not message.hidden]
        if not spoken:
            return former
        values = {"character": self.character, "summary": former.text, "messages": _lines(spoken)}
        try:
            text = ask(self.model, rendered("summary", _tongue(spoken), values), SummaryForm).value.summary
        except ModelError as error:
            self.tell(f"{error.what}; the summary was made without the model")
            return Extractive().summarise(former, said, budget)
        return Summary((SummaryLine(text=" ".join(text.split())[:budget]),))
