"""The suite ``consolidate``: a chat is replayed into an empty mind, line by line, and what was formed is held against gold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Protocol

from soulmem.errors import InputError
from soulmem.ingest.formats import read
from soulmem.ingest.plan_chat import plan_chat
from soulmem.model.messages import Message, Role
from soulmem.model.notes import Note, NoteType, Semantic
from soulmem.store.contract import Store, all_notes
from soulmem.text.tokens import normal_form
from soulmem.tune.gold import Formed, GoldFile, Wanted, duplicates, is_forbidden, is_formed, is_misattributed

if TYPE_CHECKING:
    from soulmem.consolidate.consolidate import ConsolidationReport
    from soulmem.working.observer import Observed

#: Lines between two consolidations: the size of the window (SPEC §5).
WINDOW = 20


class Living(Protocol):
    """A mind that hears and consolidates: :class:`soulmem.Soul` is one."""

    store: Store

    def observe(
        self, text: str, *, speaker: str, role: Role, at: datetime | None, scope: str, chat: str, hidden: bool
    ) -> Observed: ...

    def consolidate(self, at: datetime | None = None) -> ConsolidationReport: ...


#: Makes an empty mind at a path, open.
MakeMind = Callable[[Path], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldResult:
    """One gold or forbidden memory. ``passed``: formed, or not formed where it is ``forbidden``; ``note``: the text that
    decides."""

    file: str
    id: str
    forbidden: bool
    passed: bool
    note: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldSummary:
    """One chat. ``found``, ``forbidden_absent``, ``provenance``: shares, 0..1; ``formed``: how many facts there are;
    ``duplicates``, ``attribution_errors``: how many."""

    file: str
    chat: str
    messages: int
    formed: int
    found: float
    forbidden_absent: float
    provenance: float
    duplicates: int
    attribution_errors: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldReport:
    """The suite over several files. ``metrics``: the measures over all of them; of ``found`` the worst file counts too, as
    ``found_least``. ``model``: which drew the memories; empty: none did; ``problems``: what it failed at, and the rules did."""

    suite: str
    embedder: str
    model: str
    metrics: Mapping[str, float]
    files: tuple[GoldSummary, ...]
    results: tuple[GoldResult, ...]
    facts: tuple[tuple[str, str], ...]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Replayed:
    """A chat that was replayed. ``lines``: by the id of the message that each became, the line of the file it was."""

    lines: Mapping[str, int]
    problems: tuple[str, ...] = ()


def run_gold(
    files: Sequence[GoldFile],
    make: MakeMind,
    *,
    at: datetime,
    window: int = WINDOW,
    model: str = "",
    progress: Callable[[str, int, int], None] | None = None,
) -> GoldReport:
    """Replay the chat of every file into a mind that ``make`` makes, and judge. ``at``: the time of lines without a time;
    ``model``: the name of the one that these minds use, for the report."""
    summaries: list[GoldSummary] = []
    results: list[GoldResult] = []
    facts: list[tuple[str, str]] = []
    problems: list[str] = []
    embedder = ""
    for number, gold in enumerate(files):
        with TemporaryDirectory(prefix="soulmem-gold-") as folder, make(Path(folder) / f"{number}.mind") as mind:
            replayed = replay(mind, gold.chat, at=at, window=window, progress=progress)
            record = mind.store.embedder()
            embedder = record.name if record else ""
            notes, valid = formed_facts(mind.store, replayed.lines)
        problems += replayed.problems
        summary, judged = judge_gold(gold, notes, len(replayed.lines), valid)
        summaries.append(summary)
        results += judged
        facts += [(gold.name, note.text) for note in notes if not note.superseded]
    return GoldReport(
        suite="consolidate",
        embedder=embedder,
        model=model,
        metrics=_metrics(summaries, results),
        files=tuple(summaries),
        results=tuple(results),
        facts=tuple(facts),
        problems=tuple(problems),
    )


def replay(
    mind: Living, chat: Path, *, at: datetime, window: int = WINDOW, progress: Callable[[str, int, int], None] | None = None
) -> Replayed:
    """Let ``mind`` hear the lines of ``chat``, one message after the other as they were said, and consolidate whenever a window
    is full, and at the end."""
    data = chat.read_bytes()
    document = read(data, at, None)
    if not document.messages:
        raise InputError(f"{chat}: there are no messages in it")
    said = plan_chat(document, file=str(chat), sha256=sha256(data).hexdigest(), at=at, known=()).new
    lines: dict[str, int] = {}
    problems: list[str] = []
    now = said[0].sent_at or at
    for number, one in enumerate(said, start=1):
        now = one.sent_at or now
        heard = mind.observe(
            one.text, speaker=one.speaker, role=one.role, at=now, scope=one.scope, chat=chat.stem, hidden=one.hidden
        )
        lines[heard.message.id] = one.line
        if number % window == 0 or number == len(said):
            problems += mind.consolidate(at=now).problems
            if progress is not None:
                progress(chat.name, number, len(said))
    return Replayed(lines=lines, problems=tuple(problems))


def formed_facts(store: Store, lines: Mapping[str, int]) -> tuple[list[Formed], float]:
    """The facts of a mind, and the share of its notes (0..1) that come from lines which exist and were said. ``lines``: see
    :class:`Replayed`."""
    notes = all_notes(store)
    messages = {said.id: said for said in store.messages(sorted({source for note in notes for source in note.sources}))}
    drawn = [note for note in notes if not note.core]
    valid = sum(_is_valid(note, messages) for note in drawn) / max(len(drawn), 1)
    facts = [note for note in drawn if note.type is NoteType.SEMANTIC and note.key.startswith("fact_")]
    return [_formed(note, messages, lines) for note in facts], valid


def _is_valid(note: Note, messages: Mapping[str, Message]) -> bool:
    return bool(note.sources) and all(source in messages and not messages[source].hidden for source in note.sources)


def _formed(note: Note, messages: Mapping[str, Message], lines: Mapping[str, int]) -> Formed:
    body = note.body
    if not isinstance(body, Semantic):
        raise TypeError(f"{note.key} is no fact")
    said = [messages[source] for source in note.sources if source in messages]
    return Formed(
        key=note.key,
        text="\n".join((body.content, *body.aliases, body.description)).strip(),
        about=normal_form(note.key.split("_")[1]),
        labels=frozenset((*note.tags, *((body.category.value,) if body.category else ()))),
        lines=frozenset(lines[one.id] for one in said if one.id in lines),
        speakers=frozenset(one.speaker for one in said),
        superseded=body.valid_until is not None,
    )


def judge_gold(
    gold: GoldFile, notes: Sequence[Formed], messages: int, valid: float
) -> tuple[GoldSummary, tuple[GoldResult, ...]]:
    """What of the gold was formed, and what was that must not be."""
    results = [*_judged(gold, gold.memories, notes, forbidden=False), *_judged(gold, gold.forbidden, notes, forbidden=True)]
    wrong = [note for wanted in gold.memories for note in notes if not note.superseded and is_misattributed(wanted, note)]
    wrong += [note for unwanted in gold.forbidden if unwanted.person for note in notes if is_forbidden(unwanted, note)]
    wanted = [result for result in results if not result.forbidden]
    unwanted_ = [result for result in results if result.forbidden]
    summary = GoldSummary(
        file=str(gold.path),
        chat=str(gold.chat),
        messages=messages,
        formed=sum(not note.superseded for note in notes),
        found=_share(wanted),
        forbidden_absent=_share(unwanted_),
        provenance=valid,
        duplicates=len(duplicates(notes)),
        attribution_errors=len({note.key for note in wrong}),
    )
    return summary, tuple(results)


def _judged(gold: GoldFile, all_: Sequence[Wanted], notes: Sequence[Formed], *, forbidden: bool) -> Iterator[GoldResult]:
    test = is_forbidden if forbidden else is_formed
    for one in all_:
        note = next((note for note in notes if test(one, note)), None)
        yield GoldResult(
            file=str(gold.path),
            id=one.id,
            forbidden=forbidden,
            passed=(note is None) is forbidden,
            note=note.text if note else "",
            why=one.why,
        )


def _share(results: Sequence[GoldResult]) -> float:
    return sum(result.passed for result in results) / len(results) if results else 1.0


def _metrics(summaries: Sequence[GoldSummary], results: Sequence[GoldResult]) -> dict[str, float]:
    return {
        "found": _share([result for result in results if not result.forbidden]),
        "found_least": min(summary.found for summary in summaries),
        "forbidden_absent": _share([result for result in results if result.forbidden]),
        "provenance": min(summary.provenance for summary in summaries),
        "attributed": 1.0
        - sum(summary.attribution_errors for summary in summaries) / max(sum(summary.formed for summary in summaries), 1),
        "distinct": 1.0 - sum(summary.duplicates for summary in summaries) / max(sum(summary.formed for summary in summaries), 1),
        "formed": float(sum(summary.formed for summary in summaries)),
    }
