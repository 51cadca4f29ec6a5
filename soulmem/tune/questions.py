"""Questions with known answers, as files give them: query files and evidence files (SPEC §2). The text is untrusted."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from soulmem.embed.texts import plain_text
from soulmem.errors import FormatError, InputError
from soulmem.files import read_text
from soulmem.ingest.json_places import BrokenJSONError, Cursor, first_names
from soulmem.model.queries import QueryCase, SubQuery
from soulmem.recall.query_json import read_suite
from soulmem.tune.weights import Point, checked

Value = TypeVar("Value")


class Suite(StrEnum):
    """What is judged: what a question finds directly, what only the walk brings, all of it, or the lines that hold the answer."""

    SIMILARITY = "retrieve/similarity"
    ASSOCIATION = "retrieve/association"
    FULL = "retrieve/full"
    EVIDENCE = "evidence"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question and its truth. ``text`` asks in words; with ``queries`` it is structured, and ``text`` its name.

    ``kind``: what cases are grouped by, perhaps empty. ``musts`` must be found, ``bonus`` may be; ``per_query``: the musts of
    each sub-query alone. ``pattern``: some pattern must be found, whichever. ``negative``: nothing may be found. ``unknown``:
    what the truth names and the mind does not have; it is not in the other fields any more.
    """

    name: str
    kind: str = ""
    text: str = ""
    queries: tuple[SubQuery, ...] = ()
    musts: tuple[str, ...] = ()
    bonus: tuple[str, ...] = ()
    per_query: tuple[tuple[str, ...], ...] = ()
    actions: tuple[str, ...] = ()
    abstracts: tuple[str, ...] = ()
    pattern: bool = False
    negative: bool = False
    unknown: tuple[str, ...] = ()

    def expected(self) -> tuple[str, ...]:
        """All keys the truth names."""
        per_query = [key for ranking in self.per_query for key in ranking]
        return tuple(dict.fromkeys((*self.musts, *self.bonus, *per_query, *self.actions, *self.abstracts)))

    def knowing(self, known: Collection[str]) -> Case:
        """This case without the part of its truth that is not ``known``."""

        def kept(keys: Sequence[str]) -> tuple[str, ...]:
            return tuple(key for key in keys if key in known)

        return replace(
            self,
            musts=kept(self.musts),
            bonus=kept(self.bonus),
            per_query=tuple(kept(ranking) for ranking in self.per_query),
            actions=kept(self.actions),
            abstracts=kept(self.abstracts),
            unknown=tuple(key for key in self.expected() if key not in known),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionFile:
    """A file of questions. ``source``: the graph or chat they are about; ``config``: the settings it asks for; ``points``: the
    combinations of weights it sweeps; ``ks``: at which depths rankings are cut, besides the usual ones."""

    path: Path
    name: str
    cases: tuple[Case, ...]
    source: Path
    evidence: bool = False
    config: Point = field(default_factory=dict)
    points: tuple[Point, ...] = ()
    ks: tuple[int, ...] = ()


def read_questions(path: Path, suite: Suite) -> QuestionFile:
    """The questions of a file for this suite.

    Raises:
        InputError: the file cannot be read, or asks nothing.
        FormatError: it is not what the suite takes, or something in it is wrong; with the line where that is known.
    """
    questions = _read(path, read_text(path))
    if questions.evidence != (suite is Suite.EVIDENCE):
        wanted = "Evidence JSON" if suite is Suite.EVIDENCE else "Query JSON"
        fitting = "the retrieve/… suites" if suite is Suite.EVIDENCE else "the suite evidence"
        raise FormatError(f"not {wanted}, which the suite {suite} takes", place=str(path), advice=f"Run it with {fitting}.")
    if not questions.cases:
        raise InputError(f"{path}: it asks nothing: there are no {'questions' if questions.evidence else 'test_cases'} in it")
    return questions


def found_files(paths: Sequence[Path], suite: Suite) -> tuple[Path, ...]:
    """The files of this suite among ``paths`` and in the folders among them, in order. A file named itself always counts.

    Raises :class:`InputError` where there is none.
    """
    found = [file for path in paths for file in (_inside(path, suite) if path.is_dir() else [path])]
    if not found:
        kind = "Evidence JSON" if suite is Suite.EVIDENCE else "Query JSON"
        raise InputError(f"no {kind} in {', '.join(map(str, paths))}")
    return tuple(dict.fromkeys(found))


def _inside(folder: Path, suite: Suite) -> Iterator[Path]:
    wanted = "questions" if suite is Suite.EVIDENCE else "test_cases"
    for file in sorted(folder.rglob("*.json")):
        # Most files of such a folder are graphs, some large: of these only the first node is looked at.
        opening, names = first_names(read_text(file)) if file.is_file() else ("", ())
        if opening == "{" and wanted in names:
            yield file


def _read(path: Path, text: str) -> QuestionFile:
    try:
        root = json.loads(text)
    except (ValueError, RecursionError):
        root = {"test_cases": None}  # read_suite says what is wrong, and where
    if isinstance(root, dict) and "questions" in root and "test_cases" not in root:
        return _located(lambda: _evidence(path, root), text, str(path))
    return _located(lambda: _query_file(path, text, root), text, str(path))


# -- query files --------------------------------------------------------------------------------------------------------------


def _query_file(path: Path, text: str, root: Any) -> QuestionFile:
    suite = read_suite(text, str(path))
    config = root.get("config") or {}
    names = {"similarity_threshold": "similarity_floor", "max_results": "max_results"}
    stated = {
        ours: checked(ours, getattr(suite.config, theirs)) for theirs, ours in names.items() if config.get(theirs) is not None
    }
    return QuestionFile(
        path=path,
        name=suite.name or path.stem,
        # Where the floor is 0 nothing is below it: a case that expects nothing then says nothing.
        cases=tuple(_case(case, bool(suite.config.similarity_threshold)) for case in suite.cases),
        source=_source(path, suite.graph_path or "graph.json"),
        config=stated,
        points=_blend_sweep(root.get("blend_sweep"), str(path)),
        ks=suite.config.test_k_values,
    )


def _source(path: Path, stated: str) -> Path:
    """The file that is stated relative to ``path``; where it is not there, one of that name beside ``path``, if there is one."""
    there, beside = path.parent / stated, path.parent / Path(stated).name
    return beside if beside.is_file() and not there.is_file() else there


def _case(case: QueryCase, floored: bool) -> Case:
    pattern = case.has_expected_abstract and not case.expected_abstract
    truth = (case.expected_combined, case.expected_actions, case.expected_abstract, *case.expected_per_query)
    bonus = (case.bonus_combined, *case.bonus_per_query)
    return Case(
        name=case.name,
        kind=_kind(case.name),
        text=case.name,
        queries=case.sub_queries,
        musts=tuple(dict.fromkeys(case.expected_combined)),
        bonus=tuple(dict.fromkeys(case.bonus_combined)),
        per_query=case.expected_per_query,
        actions=tuple(dict.fromkeys(case.expected_actions)),
        abstracts=tuple(dict.fromkeys(case.expected_abstract)),
        pattern=pattern,
        negative=floored and not any((*truth, *bonus)) and not pattern,
    )


def _kind(name: str) -> str:
    """What a case is named after: ``负例-股票`` is of the kind ``负例``, ``query_3`` of ``query``."""
    return re.split(r"[-_:：]", name, maxsplit=1)[0].strip() if re.search(r"[-_:：]", name) else ""


def _blend_sweep(stated: Any, source: str) -> tuple[Point, ...]:
    """The points of ``blend_sweep``: ``pairs`` where there are any, else (t, 1 − t) for each t of ``tag_sweep``."""
    if stated is None:
        return ()
    sweep = _expect(stated, dict, "blend_sweep", source)
    unknown = sorted(sweep.keys() - {"tag_sweep", "pairs"})
    if unknown:
        raise FormatError(f"blend_sweep.{unknown[0]}: expected tag_sweep or pairs", place=source)
    pairs = _expect(sweep.get("pairs") or [], list, "blend_sweep.pairs", source)
    if pairs:
        return tuple(_pair(pair, f"blend_sweep.pairs[{number}]", source) for number, pair in enumerate(pairs))
    tags = _expect(sweep.get("tag_sweep") or [], list, "blend_sweep.tag_sweep", source)
    points = []
    for number, tag in enumerate(tags):
        weight = _weight("tag", tag, f"blend_sweep.tag_sweep[{number}]", source)
        points.append({"tag": weight, "variant": round(1.0 - weight, 12)})
    return tuple(points)


def _pair(pair: Any, place: str, source: str) -> Point:
    stated = _expect(pair, dict, place, source)
    if not stated:
        raise FormatError(f"{place}: no weight in it", place=source)
    return {name: _weight(name, value, f"{place}.{name}", source) for name, value in stated.items()}


def _weight(name: str, value: Any, place: str, source: str) -> float:
    try:
        return checked(name, value)
    except InputError as error:
        raise FormatError(f"{place}: {error.what}", place=source, advice=error.advice) from error


def _expect(value: Any, kind: type[Value], place: str, source: str) -> Value:
    if not isinstance(value, kind) or isinstance(value, bool):
        names = {dict: "an object", list: "an array", str: "text", int: "a whole number"}
        raise FormatError(f"{place}: expected {names[kind]}", place=source)
    return value


# -- evidence files -----------------------------------------------------------------------------------------------------------


def _evidence(path: Path, root: Mapping[str, Any]) -> QuestionFile:
    source = str(path)
    questions = _expect(root["questions"], list, "questions", source)
    chat = plain_text(_expect(root.get("chat"), str, "chat", source))
    return QuestionFile(
        path=path,
        name=str(root.get("name") or path.stem),
        cases=tuple(_question(one, f"questions[{number}]", source) for number, one in enumerate(questions)),
        source=_source(path, chat),
        evidence=True,
    )


def _question(one: Any, place: str, source: str) -> Case:
    stated = _expect(one, dict, place, source)
    text = plain_text(_expect(stated.get("q"), str, f"{place}.q", source)).strip()
    if not text:
        raise FormatError(f"{place}.q: it is empty", place=source)
    lines = _expect(stated.get("evidence", []), list, f"{place}.evidence", source)
    numbers = [_line(line, f"{place}.evidence[{number}]", source) for number, line in enumerate(lines)]
    kind = stated.get("kind")
    return Case(
        name=text,
        text=text,
        kind="" if kind is None else str(kind),
        musts=tuple(dict.fromkeys(map(str, numbers))),
        negative=not numbers,
    )


def _line(line: Any, place: str, source: str) -> int:
    number = _expect(line, int, place, source)
    if number < 0:
        raise FormatError(f"{place}: lines are counted from 0", place=source)
    return number


# -- where in the file --------------------------------------------------------------------------------------------------------


def _located(read: Callable[[], Value], text: str, source: str) -> Value:
    """What ``read`` gives; a complaint that names a place inside the file gets the line of that place."""
    try:
        return read()
    except FormatError as error:
        inside, colon, _ = error.what.partition(": ")
        if error.place != source or not colon:
            raise
        raise FormatError(error.what, place=f"{source}:{_line_of(inside, text)}", advice=error.advice) from error


def _line_of(inside: str, text: str) -> int:
    """The 1-based line of ``test_cases[3].name``, or of what is nearest above it."""
    cursor = Cursor(text)
    offset = 0
    try:
        for number, name in re.findall(r"\[(\d+)\]|([^.\[\]]+)", inside):
            offset = cursor.offset
            if not (_enter_element(cursor, int(number)) if number else _enter_member(cursor, name)):
                break
            offset = cursor.offset
    except BrokenJSONError:
        pass  # the nearest place above is the answer
    return text.count("\n", 0, offset) + 1


def _enter_element(cursor: Cursor, number: int) -> bool:
    for place, _ in enumerate(cursor.elements()):
        if place == number:
            return True
        cursor.value()
    return False


def _enter_member(cursor: Cursor, wanted: str) -> bool:
    for name in cursor.members():
        if name == wanted:
            return True
        cursor.value()
    return False
