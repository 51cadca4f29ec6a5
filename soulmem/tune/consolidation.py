"""The suite ``consolidate``: a chat is replayed into an empty mind, line by line, and what was formed is held against gold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from soulmem.embed import Embedder
from soulmem.errors import InputError
from soulmem.indexing import indexed
from soulmem.ingest.formats import read
from soulmem.ingest.plan_chat import plan_chat
from soulmem.model.changes import Change
from soulmem.model.messages import Chat, Message
from soulmem.model.notes import Note, NoteType, Semantic
from soulmem.store.contract import Store
from soulmem.text.tokens import normal_form
from soulmem.tune.gold import Formed, GoldFile, Wanted, duplicates, is_forbidden, is_formed, is_misattributed

#: Lines between two consolidations: the size of the window (SPEC §5).
WINDOW = 20


class Living(Protocol):
    """A mind that consolidates: :class:`soulmem.Soul` is one."""

    store: Store

    @property
    def embedder(self) -> Embedder: ...

    def consolidate(self, at: datetime | None = None) -> Any: ...


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
    ``found_least``."""

    suite: str
    embedder: str
    metrics: Mapping[str, float]
    files: tuple[GoldSummary, ...]
    results: tuple[GoldResult, ...]
    facts: tuple[tuple[str, str], ...]


def run_gold(
    files: Sequence[GoldFile],
    make: MakeMind,
    *,
    at: datetime,
    window: int = WINDOW,
    progress: Callable[[str, int, int], None] | None = None,
) -> GoldReport:
    """Replay the chat of every file into a mind that ``make`` makes, and judge. ``at``: the time of lines without a time."""
    summaries: list[GoldSummary] = []
    results: list[GoldResult] = []
    facts: list[tuple[str, str]] = []
    embedder = ""
    for number, gold in enumerate(files):
        with TemporaryDirectory(prefix="soulmem-gold-") as folder, make(Path(folder) / f"{number}.mind") as mind:
            messages = replay(mind, gold.chat, at=at, window=window, progress=progress)
            record = mind.store.embedder()
            embedder = record.name if record else ""
            notes, valid = formed_facts(mind.store)
        summary, judged = judge_gold(gold, notes, len(messages), valid)
        summaries.append(summary)
        results += judged
        facts += [(gold.name, note.text) for note in notes if not note.superseded]
    return GoldReport(
        suite="consolidate",
        embedder=embedder,
        metrics=_metrics(summaries, results),
        files=tuple(summaries),
        results=tuple(results),
        facts=tuple(facts),
    )


def replay(
    mind: Living, chat: Path, *, at: datetime, window: int = WINDOW, progress: Callable[[str, int, int], None] | None = None
) -> tuple[Message, ...]:
    """Let ``mind`` hear the lines of ``chat`` one window after the other, and consolidate after each."""
    data = chat.read_bytes()
    document = read(data, at, None)
    if not document.messages:
        raise InputError(f"{chat}: there are no messages in it")
    plan = plan_chat(document, file=str(chat), sha256=sha256(data).hexdigest(), at=at, known=())
    now = at
    for first in range(0, len(plan.new), window):
        heard = plan.new[first : first + window]
        now = next((message.sent_at for message in reversed(heard) if message.sent_at is not None), now)
        _hear(mind, heard, plan.chat, first + len(heard), now)
        mind.consolidate(at=now)
        if progress is not None:
            progress(chat.name, first + len(heard), len(plan.new))
    return plan.new


def _hear(mind: Living, heard: Sequence[Message], chat: Chat, so_far: int, now: datetime) -> None:
    known = Chat(id=chat.id, file=chat.file, format=chat.format, sha256=chat.sha256, messages=so_far, ingested_at=now)
    change = Change(command="observe", what=f"{len(heard)} messages", at=now, messages=tuple(heard), chats=(known,))
    mind.store.apply(indexed(change, mind.embedder))


def formed_facts(store: Store) -> tuple[list[Formed], float]:
    """The facts of a mind, and the share of its notes (0..1) that come from lines which exist and were said."""
    ids = [row["id"] for row in store.query("look.all_notes")]
    notes = store.notes(ids)
    messages = {said.id: said for said in store.messages(sorted({source for note in notes for source in note.sources}))}
    drawn = [note for note in notes if not note.core]
    valid = sum(_is_valid(note, messages) for note in drawn) / max(len(drawn), 1)
    facts = [note for note in drawn if note.type is NoteType.SEMANTIC and note.key.startswith("fact_")]
    return [_formed(note, messages) for note in facts], valid


def _is_valid(note: Note, messages: Mapping[str, Message]) -> bool:
    return bool(note.sources) and all(source in messages and not messages[source].hidden for source in note.sources)


def _formed(note: Note, messages: Mapping[str, Message]) -> Formed:
    body = note.body
    if not isinstance(body, Semantic):
        raise TypeError(f"{note.key} is no fact")
    said = [messages[source] for source in note.sources if source in messages]
    return Formed(
        key=note.key,
        text="\n".join((body.content, *body.aliases, body.description)).strip(),
        about=normal_form(note.key.split("_")[1]),
        labels=frozenset((*note.tags, *((body.category.value,) if body.category else ()))),
        lines=frozenset(one.line for one in said),
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
