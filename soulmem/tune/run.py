"""Running a file of questions against a mind, once for every combination of weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from soulmem.errors import InputError
from soulmem.model.results import Recollection, SaidMessage
from soulmem.settings import Settings
from soulmem.store.contract import Store
from soulmem.tune.contract import Mind, OpenMind
from soulmem.tune.judge import DEPTHS, Outcome, judge, judge_lines, per_query_scores
from soulmem.tune.questions import Case, QuestionFile, Suite
from soulmem.tune.remembered import RememberedStore
from soulmem.tune.weights import Point
from soulmem.tune.workers import processes, spread

#: How many combinations of weights one process tries on a question before it tells how far it is.
_POINTS_AT_ONCE = 50
#: More than any walk takes: an evaluation must not depend on how busy the machine is.
_NO_TIME_LIMIT_MS = 600_000.0
#: Asked for so many memories, a recall leaves no direct hit out.
_ALL = 100_000

#: A question by its number, and the points ``first`` to ``last`` (not included) to ask it with.
Task = tuple[int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRun:
    """A file, run. ``cases`` are without what the mind does not have; ``outcomes[point][case]``; ``settings``: what all points
    have in common."""

    questions: QuestionFile
    suite: Suite
    cases: tuple[Case, ...]
    settings: Settings
    points: tuple[Point, ...]
    outcomes: tuple[tuple[Outcome, ...], ...]
    depths: tuple[int, ...]
    embedder: str
    at: datetime


def evaluate(
    questions: QuestionFile,
    suite: Suite,
    open_mind: OpenMind,
    *,
    points: Sequence[Point] = ({},),
    at: datetime,
    jobs: int | None = 1,
    progress: Callable[[str, int, int], None] | None = None,
) -> FileRun:
    """Ask the mind every question with every one of ``points``, at the time ``at``, and judge the answers.

    Settings are those of the mind; what the file asks for is over them, then the mind's own profile, then the point. ``jobs``:
    processes, each of which opens the mind for reading (``None``: as many as are worth it); the results are the same for any
    number. ``progress(file, done, total)`` is told of answers.

    Raises :class:`InputError`: the mind has nothing of what the file expects.
    """
    with open_mind() as mind:
        cases = _known_cases(questions, mind)
        settings = base_settings(mind, questions.config)
        record = mind.store.embedder()
        embedder = record.name if record else ""
        chat = _chat_file(questions, mind.store) if questions.evidence else ""
    depths = tuple(sorted({*DEPTHS, *questions.ks}))
    asking = _Asking(
        open_mind=open_mind,
        suite=suite,
        cases=cases,
        settings=tuple(settings.with_values(**point) for point in points),
        at=at,
        depths=depths,
        chat=chat,
    )
    tasks = _tasks(len(cases), len(points))
    told = _told(progress, questions.path.name, len(cases) * len(points)) if progress else None
    answers = spread(asking, tasks, jobs or processes(len(cases) * len(points)), told)
    by_case: list[list[Outcome]] = [[] for _ in cases]
    for (case, _, _), outcomes in zip(tasks, answers, strict=True):
        by_case[case] += outcomes
    return FileRun(
        questions=questions,
        suite=suite,
        cases=cases,
        settings=settings,
        points=tuple(points),
        outcomes=tuple(zip(*by_case, strict=True)),
        depths=depths,
        embedder=embedder,
        at=at,
    )


def base_settings(mind: Mind, config: Point) -> Settings:
    """The settings of an evaluation: the mind's, with ``config`` where its profile says nothing, and without a time limit."""
    of_file = {name: value for name, value in config.items() if name not in mind.profile.weights}
    return mind.settings.with_values(**of_file, association_time_limit_ms=_NO_TIME_LIMIT_MS)


def _tasks(cases: int, points: int) -> list[Task]:
    return [
        (case, first, min(first + _POINTS_AT_ONCE, points))
        for case in range(cases)
        for first in range(0, points, _POINTS_AT_ONCE)
    ]


def _told(progress: Callable[[str, int, int], None], name: str, total: int) -> Callable[[Task], None]:
    done = 0

    def tell(task: Task) -> None:
        nonlocal done
        done += task[2] - task[1]
        progress(name, done, total)

    return tell


# -- what the mind has of the truth -------------------------------------------------------------------------------------------


def _known_cases(questions: QuestionFile, mind: Mind) -> tuple[Case, ...]:
    expected = sorted({key for case in questions.cases for key in case.expected()})
    known = _known_lines(questions, mind.store) if questions.evidence else _known_notes(expected, mind.store)
    if expected and known.isdisjoint(expected):
        what = "lines" if questions.evidence else "notes"
        advice = f"Is it the right mind? It would need: soulmem ingest {questions.source}"
        raise InputError(f"none of the {len(expected)} {what} that {questions.path} expects is in the mind", advice=advice)
    return tuple(case.knowing(known) for case in questions.cases)


def _known_notes(expected: Sequence[str], store: Store) -> set[str]:
    return {row["key"] for row in store.query("store.note_ids", names=list(expected))} if expected else set()


def _known_lines(questions: QuestionFile, store: Store) -> set[str]:
    return {str(number) for number in range(_chat(questions, store)["messages"])}


def _chat_file(questions: QuestionFile, store: Store) -> str:
    return str(_chat(questions, store)["file"])


def _chat(questions: QuestionFile, store: Store) -> dict[str, Any]:
    """The chat of the mind that an evidence file is about: the same content, the same file, or else the same name."""
    chats = store.query("store.chats")
    source = questions.source
    digest = sha256(source.read_bytes()).hexdigest() if source.is_file() else ""
    tests: tuple[Callable[[dict[str, Any]], bool], ...] = (
        lambda chat: chat["sha256"] == digest,
        lambda chat: Path(chat["file"]).resolve() == source.resolve(),
        lambda chat: Path(chat["file"]).name == source.name,
    )
    for test in tests:
        found = [chat for chat in chats if test(chat)]
        if found:
            return max(found, key=lambda chat: chat["messages"])
    advice = f"Is it the right mind? It would need: soulmem ingest {source}"
    raise InputError(f"the mind has not read {source.name}, which {questions.path} is about", advice=advice)


# -- asking -------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asking:
    """What each process begins with."""

    open_mind: OpenMind
    suite: Suite
    cases: tuple[Case, ...]
    settings: tuple[Settings, ...]
    at: datetime
    depths: tuple[int, ...]
    chat: str

    def __call__(self, ending: ExitStack) -> Callable[[Task], list[Outcome]]:
        mind = ending.enter_context(self.open_mind()).remembering()
        return partial(self._ask, mind)

    def _ask(self, mind: Mind, task: Task) -> list[Outcome]:
        number, first, last = task
        outcomes = []
        for settings in self.settings[first:last]:
            mind.settings = settings
            outcomes.append(self._judged(mind, self.cases[number]))
        if isinstance(mind.store, RememberedStore):
            mind.store.forget()
        return outcomes

    def _judged(self, mind: Mind, case: Case) -> Outcome:
        if self.suite is Suite.EVIDENCE:
            found = mind.recall(case.text, messages=max(self.depths), at=self.at)
            return judge_lines(case, [self._line(said) for said in found.messages], self.depths)
        top = _ALL if self.suite is Suite.SIMILARITY else mind.settings.merged_top_k
        outcome = judge(self.suite, case, self._recalled(mind, case, top), self.depths)
        if self.suite is not Suite.SIMILARITY or not any(case.per_query):
            return outcome
        return _with_scores(outcome, per_query_scores(case, [self._alone(mind, case, n) for n in range(len(case.queries))]))

    def _recalled(self, mind: Mind, case: Case, top: int) -> Recollection:
        if not case.queries:
            raise InputError(f"the case {case.name!r} asks nothing: it has no sub_queries")
        return mind.recall_queries(case.queries, top=top, at=self.at, name=case.name)

    def _alone(self, mind: Mind, case: Case, number: int) -> Recollection:
        return mind.recall_queries((case.queries[number],), top=_ALL, at=self.at, name=case.name)

    def _line(self, said: SaidMessage) -> str:
        """A line by its number in the chat that is asked about; those of other chats take their places, with the file's name."""
        return str(said.index) if said.file == self.chat else f"{Path(said.file).name}:{said.index}"


def _with_scores(outcome: Outcome, more: dict[str, float]) -> Outcome:
    return replace(outcome, judged=outcome.judged or bool(more), scores={**outcome.scores, **more})
