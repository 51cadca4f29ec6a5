"""Shipped queries: one Cypher file each, whose header declares parameters and columns.

::

    // The notes that link to a note.
    // param id: STRING
    // param limit: INT64?
    // choice LINK: Sem, Situation
    // column id: STRING
    MATCH (a)-[:LINK]->(b {id: $id}) RETURN a.id AS id LIMIT $limit

The first line says what it does. ``?`` marks what may be null. ``choice`` names a word of the text that stands for one of the
tables (or columns) listed, ``identifier`` one that stands for a column, or several (the header gives an example): Cypher takes
neither as a parameter. Everything else travels as a parameter, whose type is checked here: the engine accepts a wrong one and
finds nothing. ``TERM`` is a word, which becomes the key by which the mind has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib.resources.abc import Traversable
from itertools import pairwise
from typing import Any

from soulmem._data_files import data_folder
from soulmem.errors import NotFoundError, QueryError, StoreError
from soulmem.store.cypher import Token, tokens
from soulmem.store.keys import term_key

_HEADER = re.compile(r"//\s*(param|choice|identifier|column)\s+(\w+|\*)\s*:\s*(.+?)\s*$")
_IDENTIFIER = r"([A-Za-z_]\w*\.)?(`[A-Za-z_]\w*`|[A-Za-z_]\w*|\*)"
_IDENTIFIERS = re.compile(rf"{_IDENTIFIER}(, {_IDENTIFIER})*")
_WORDS_THAT_WRITE = frozenset({"CREATE", "MERGE", "SET", "DELETE", "REMOVE", "COPY", "ALTER", "DROP"})
_INT64 = range(-(2**63), 2**63)


@dataclass(frozen=True, slots=True)
class Declared:
    """A declared parameter or column. ``type`` without its ``?``."""

    name: str
    type: str
    nullable: bool


@dataclass(frozen=True, slots=True)
class Query:
    """A shipped query.

    ``choices``: placeholder → what it may stand for; ``identifiers``: placeholder → an example. ``writes``: whether it changes
    the mind. ``unwound``: parameters that it unwinds.
    """

    name: str
    description: str
    text: str
    parameters: Mapping[str, Declared]
    columns: tuple[Declared, ...]
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    identifiers: Mapping[str, str] = field(default_factory=dict)
    writes: bool = False
    unwound: frozenset[str] = frozenset()

    def bound(self, words: Mapping[str, str]) -> str:
        """The text with its placeholders filled in from ``words``."""
        text = self.text
        for placeholder, allowed in self.choices.items():
            if words[placeholder] not in allowed:
                raise QueryError(f"{self.name}: {placeholder} may not be {words[placeholder]!r}")
            text = re.sub(rf"\b{placeholder}\b", words[placeholder], text)
        for placeholder in self.identifiers:
            if not _IDENTIFIERS.fullmatch(words[placeholder]):
                raise QueryError(f"{self.name}: {placeholder} may not be {words[placeholder]!r}")
            text = re.sub(rf"\b{placeholder}\b", words[placeholder], text)
        return text

    def checked(self, values: Mapping[str, Any], dimension: int) -> dict[str, Any] | None:
        """The parameters as the engine takes them; ``None`` when an empty list to unwind makes the answer empty.

        Missing, unknown or wrongly typed ones raise :class:`QueryError`.
        """
        if values.keys() != self.parameters.keys():
            wrong = sorted(values.keys() ^ self.parameters.keys())
            takes = ", ".join(f"-p {name}=…" for name in self.parameters) or "none"
            raise QueryError(f"{self.name}: missing or unknown parameters: {', '.join(wrong)}", advice=f"It takes: {takes}")
        given = {name: self._value(declared, values[name], dimension) for name, declared in self.parameters.items()}
        return None if any(given[name] == [] for name in self.unwound) else given

    def _value(self, declared: Declared, value: Any, dimension: int) -> Any:
        if value is None and declared.nullable:
            return None
        return read_value(declared.type, value, dimension, f"{self.name}: parameter {declared.name}")


class _WrongTypeError(Exception):
    """The value, described."""

    def __init__(self, value: Any) -> None:
        super().__init__(f"{value!r:.80} ({type(value).__name__})")


def _string(value: Any, _: int) -> str:
    if not isinstance(value, str):
        raise _WrongTypeError(value)
    check_text(value, "the value of a parameter")
    return str(value)  # a plain str also from an enumeration


def _term(value: Any, dimension: int) -> str:
    return term_key(_string(value, dimension))


def check_text(text: str, what: str) -> None:
    """Refuse what no encoding has: halves of surrogate pairs, as they come from a command line that is not UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        wrong = f"{what} is not text: it holds {text[error.start]!a}, half of a character"
        raise QueryError(wrong, advice="Give it as UTF-8.") from error


def _int64(value: Any, _: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value not in _INT64:
        raise _WrongTypeError(value)
    return value


def _double(value: Any, _: int) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise _WrongTypeError(value)
    return float(value)


def _bool(value: Any, _: int) -> bool:
    if not isinstance(value, bool):
        raise _WrongTypeError(value)
    return value


def naive_utc(moment: datetime) -> datetime:
    """``moment`` (timezone-aware) as the engine keeps it: UTC without a zone."""
    if moment.tzinfo is None:
        raise QueryError(f"the time {moment} has no time zone", advice="Give a timezone-aware time.")
    return moment.astimezone(UTC).replace(tzinfo=None)


def _timestamp(value: Any, _: int) -> datetime:
    if not isinstance(value, datetime):
        raise _WrongTypeError(value)
    return naive_utc(value)


def _listed(read: Callable[[Any, int], Any]) -> Callable[[Any, int], list[Any]]:
    def read_list(value: Any, dimension: int) -> list[Any]:
        items = value.tolist() if hasattr(value, "tolist") else value
        if isinstance(items, (str, bytes)) or not isinstance(items, Sequence):
            raise _WrongTypeError(value)
        return [read(item, dimension) for item in items]

    return read_list


def _is_row_of_floats(value: Any) -> bool:
    """Whether ``value`` is an array of which each number need not be looked at by itself."""
    return getattr(value, "ndim", 0) == 1 and getattr(getattr(value, "dtype", None), "kind", "") == "f"


def _vector(value: Any, dimension: int) -> list[float]:
    vector: list[float] = value.tolist() if _is_row_of_floats(value) else _listed(_double)(value, dimension)
    if len(vector) != dimension:
        raise _WrongTypeError(value)
    return vector


def _struct(value: Any, _: int) -> dict[str, Any]:
    if not isinstance(value, Mapping) or not all(isinstance(item, (str, int, float, bool)) for item in value.values()):
        raise _WrongTypeError(value)
    return dict(value)


def _structs(value: Any, dimension: int) -> list[dict[str, Any]]:
    structs = _listed(_struct)(value, dimension)
    for struct in structs:
        if struct.keys() != structs[0].keys():
            raise _WrongTypeError(struct)
    return structs


def _any(value: Any, _: int) -> Any:
    return value


_READERS: dict[str, Callable[[Any, int], Any]] = {
    "STRING": _string,
    "TERM": _term,
    "INT64": _int64,
    "DOUBLE": _double,
    "BOOL": _bool,
    "TIMESTAMP": _timestamp,
    "STRING[]": _listed(_string),
    "TERM[]": _listed(_term),
    "INT64[]": _listed(_int64),
    "DOUBLE[]": _listed(_double),
    "VECTOR": _vector,
    "STRUCT[]": _structs,
    "FRAME": _any,
    "ANY": _any,
}


def read_value(of: str, value: Any, dimension: int, role: str = "the value") -> Any:
    """``value`` as the engine takes a value of type ``of``; any other type raises :class:`QueryError`."""
    try:
        return _READERS[of](value, dimension)
    except _WrongTypeError as error:
        raise QueryError(f"{role} must be {of}, but is {error}", advice="Give a value of that type.") from error


def parse(name: str, source: str, place: str = "") -> Query:
    """A query from the text of its file; a header that does not agree with the text raises :class:`StoreError`."""
    head, description, text = _split(source)
    declared: dict[str, list[re.Match[str]]] = {kind: [] for kind in ("param", "choice", "identifier", "column")}
    for match in head:
        declared[match[1]].append(match)
    found = list(tokens(text))
    query = Query(
        name=name,
        description=description,
        text=text,
        parameters={m[2]: _declared(m) for m in declared["param"]},
        columns=tuple(_declared(m) for m in declared["column"]),
        choices={m[2]: tuple(word.strip() for word in m[3].split(",")) for m in declared["choice"]},
        identifiers={m[2]: m[3] for m in declared["identifier"]},
        writes=any(token.keyword in _WORDS_THAT_WRITE for token in found),
        unwound=frozenset(b.text[1:] for a, b in pairwise(found) if a.keyword == "UNWIND" and b.kind == "param"),
    )
    problems = _problems(query, found)
    if problems:
        raise StoreError(f"the query {name} is wrong: {'; '.join(problems)}", place=place or None)
    return query


def _split(source: str) -> tuple[list[re.Match[str]], str, str]:
    lines = source.splitlines()
    end = next((i for i, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("//")), len(lines))
    matches = [(line, _HEADER.match(line.strip())) for line in lines[:end]]
    words = [line.strip().lstrip("/").strip() for line, match in matches if match is None and line.strip()]
    return [match for _, match in matches if match], " ".join(words), "\n".join(lines[end:]).strip().rstrip(";").rstrip()


def _declared(match: re.Match[str]) -> Declared:
    return Declared(match[2], match[3].removesuffix("?"), match[3].endswith("?"))


def _problems(query: Query, found: Sequence[Token]) -> list[str]:
    used = {token.text[1:] for token in found if token.kind == "param"}
    problems = [f"${name} is not declared" for name in sorted(used - query.parameters.keys())]
    problems += [f"${name} is not used" for name in sorted(query.parameters.keys() - used)]
    problems += [f"{name}: no such type {d.type}" for name, d in query.parameters.items() if d.type not in _READERS]
    placeholders = (*query.choices, *query.identifiers)
    problems += [f"{name} is not used" for name in placeholders if not re.search(rf"\b{name}\b", query.text)]
    columns = [column.name for column in query.columns]
    problems += [f"returns {names}, but declares {columns}" for names in _returned(found) if names != columns]
    if columns and not any(token.keyword == "RETURN" for token in found):
        problems.append("declares columns but returns none")
    if not query.description:
        problems.append("its first line must say what it does")
    return problems + _traps(found)


def _traps(found: Sequence[Token]) -> list[str]:
    """What Kùzu 0.11.3 answers wrongly.

    ``x IN list`` as a condition finds another row than the right one wherever a batch of 2,048 rows, or a whole table, ends
    with a single row; compared with true it does not. ``CASE WHEN flag`` with a bare column takes the wrong branch.
    """
    problems = []
    for position, token in enumerate(found):
        after = [t.text.lower() for t in found[position + 1 : position + 5]]
        if token.keyword == "IN" and not _is_comprehension(found, position) and after[1:3] != [")", "="]:
            problems.append("IN must be written (x IN $list) = true")
        if token.keyword == "WHEN" and "then" in after[:4] and not {"=", "<", ">", "is"} & set(after):
            problems.append("CASE WHEN needs a comparison (WHEN x = true)")
    return problems


def _is_comprehension(found: Sequence[Token], position: int) -> bool:
    """``[x IN list …]`` and ``any(x IN list …)``, where IN is no condition."""
    before = [token.text.lower() for token in found[max(0, position - 3) : position - 1]]
    return before[-1:] == ["["] or before in (["any", "("], ["all", "("], ["none", "("], ["single", "("])


def _returned(found: Sequence[Token]) -> list[list[str]]:
    """The column names of each RETURN."""
    answers: list[list[str]] = []
    for position, token in enumerate(found):
        if token.keyword == "RETURN":
            answers.append(_columns(found[position + 1 :]))
    return answers


def _columns(after_return: Sequence[Token]) -> list[str]:
    depth = 0
    items: list[list[Token]] = [[]]
    for token in after_return:
        if token.keyword in ("ORDER", "SKIP", "LIMIT", "UNION") and depth == 0:
            break
        depth += (token.text in "([{") - (token.text in ")]}") if token.kind == "symbol" else 0
        if token.text == "," and depth == 0:
            items.append([])
        elif not (token.keyword == "DISTINCT" and not items[-1]):
            items[-1].append(token)
    return [_column_name(item) for item in items]


def _column_name(item: Sequence[Token]) -> str:
    if len(item) >= 2 and item[-2].keyword == "AS":
        return item[-1].text.strip("`")
    return "*" if item and item[-1].text == "*" else "".join(token.text for token in item)


class Library:
    """All queries in a folder, each read when first asked for."""

    def __init__(self, folder: Traversable | None = None) -> None:
        self._folder = folder if folder is not None else data_folder("queries")
        self._queries: dict[str, Query] = {}

    def __getitem__(self, name: str) -> Query:
        query = self._queries.get(name)
        if query is None:
            query = self._queries[name] = self._load(name)
        return query

    def names(self) -> list[str]:
        """All names (``group.name``), sorted."""
        groups = [group for group in self._folder.iterdir() if group.is_dir()]
        found = [(group.name, file.name) for group in groups for file in group.iterdir()]
        return sorted(f"{group}.{file.removesuffix('.cypher')}" for group, file in found if file.endswith(".cypher"))

    def _load(self, name: str) -> Query:
        if not re.fullmatch(r"[a-z0-9_]+\.[a-z0-9_]+", name):
            raise NotFoundError(f"there is no shipped query {name!r}", advice="Names are those of the files: group.name.")
        group, file = name.split(".")
        path = self._folder / group / f"{file}.cypher"
        if not path.is_file():
            raise NotFoundError(f"there is no shipped query {name!r}", place=str(path))
        return parse(name, path.read_text(encoding="utf-8"), str(path))


@cache
def shipped() -> Library:
    """The queries that come with soulmem. All minds of a process share them: reading one takes as long as asking it."""
    return Library()
