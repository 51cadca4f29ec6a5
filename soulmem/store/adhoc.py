"""Which ad-hoc Cypher may run: decided by the tokens of the statement, not by searching its text.

Reading statements always; writing ones only when writing is asked for; what touches files, the network, the schema, or
transactions never.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from soulmem.errors import QueryError
from soulmem.store.cypher import Token, tokens
from soulmem.store.queries import check_text

_READING_STARTS = frozenset({"MATCH", "OPTIONAL", "WITH", "UNWIND", "RETURN", "CALL", "EXPLAIN"})
_WRITING_STARTS = _READING_STARTS | {"CREATE", "MERGE"}
_WRITES = frozenset({"CREATE", "MERGE", "SET", "DELETE", "DETACH", "REMOVE"})
_NEVER = frozenset(
    {"DROP", "ALTER", "COPY", "LOAD", "IMPORT", "EXPORT", "INSTALL", "UNINSTALL", "ATTACH", "USE", "COMMENT", "BEGIN", "COMMIT"}
    | {"ROLLBACK", "CHECKPOINT", "PROFILE", "MACRO", "PROJECT_GRAPH", "PROJECT_GRAPH_CYPHER", "FORCE", "UPDATE"}
)
_CALLS = frozenset(
    {"show_tables", "table_info", "show_connection", "show_functions", "db_version", "current_setting", "show_indexes"}
)
_OUT_OF_MEMORY = ("std::bad_alloc", "buffer pool is full", "Unable to allocate memory")
_ADVICE_START = f"It may with {', '.join(sorted(_WRITING_STARTS))}."
_ADVICE_READ = "Ask for writing (--write) if this is meant; DELETE and SET cannot be undone from the journal."
_ADVICE_NEVER = "Files, network, schema and transactions are not reached by ad-hoc Cypher, with --write neither."


def check(text: str, *, write: bool) -> str:
    """The one statement of ``text``, without a closing semicolon. What may not run raises :class:`QueryError`."""
    check_text(text, "the statement")
    found = list(tokens(text))
    while found and found[-1].text == ";":
        found.pop()
    if not found:
        raise QueryError("there is no statement", advice="Say what to run, as in: MATCH (n:Semantic) RETURN n.key")
    if any(token.text == ";" and token.kind == "symbol" for token in found):
        raise QueryError("there is more than one statement", advice="Run them one by one.")
    _check_never(found)
    _check_start(found, write=write)
    for position, token in enumerate(found):
        if token.keyword and not _is_name(found, position):
            _check_word(found, position, write=write)
    return text[: found[-1].start + len(found[-1].text)]


def check_parameters(text: str, given: Iterable[str]) -> None:
    """Refuse parameters that the statement lacks or does not have: the engine takes a missing one for null."""
    used = {token.text[1:] for token in tokens(text) if token.kind == "param"}
    wrong = sorted(used ^ set(given))
    if wrong:
        raise QueryError(f"missing or unknown parameters: {', '.join(wrong)}", advice="Give each $name of the statement a value.")


def is_writing(text: str) -> bool:
    """Whether a checked statement changes the mind."""
    found = list(tokens(text))
    return found[0].keyword != "EXPLAIN" and any(t.keyword in _WRITES and not _is_name(found, i) for i, t in enumerate(found))


def _check_start(found: Sequence[Token], *, write: bool) -> None:
    start = found[1] if found[0].keyword == "EXPLAIN" and len(found) > 1 else found[0]
    if start.keyword in _WRITES and not write:
        raise QueryError(f"{start.keyword} changes the mind", advice=_ADVICE_READ)
    if start.keyword not in (_WRITING_STARTS if write else _READING_STARTS) or start.keyword == "EXPLAIN":
        raise QueryError(
            f"a statement may not start with {start.text!r}", advice=f"It may with {', '.join(sorted(_WRITING_STARTS))}."
        )


def _is_name(found: Sequence[Token], position: int) -> bool:
    """Whether a word is a property, a label, a map key or an alias, whatever it spells."""
    previous = found[position - 1] if position else None
    following = found[position + 1] if position + 1 < len(found) else None
    if previous is not None and (previous.text in (".", ":") or previous.keyword == "AS"):
        return True
    return following is not None and following.text == ":" and previous is not None and previous.text in ("{", ",")


def _check_never(found: Sequence[Token]) -> None:
    """What no --write allows, told before writing is spoken of."""
    for position, token in enumerate(found):
        if not token.keyword or _is_name(found, position):
            continue
        if token.keyword in _NEVER:
            raise QueryError(f"{token.keyword} may not be used here", advice=_ADVICE_NEVER)
        if token.keyword == "CREATE":
            _check_create(found, position)


def _check_word(found: Sequence[Token], position: int, *, write: bool) -> None:
    word = found[position].keyword
    if word in _WRITES and not write:
        raise QueryError(f"{word} changes the mind", advice=_ADVICE_READ)
    if word == "CALL":
        _check_call(found, position)


def _check_create(found: Sequence[Token], position: int) -> None:
    """``CREATE (…)`` and ``CREATE p = (…)``; not ``CREATE NODE TABLE`` and the like, nor ``ON CREATE`` of MERGE."""
    after = [token.text for token in found[position + 1 : position + 3]]
    is_pattern = after[:1] == ["("] or after[1:] == ["="]
    is_on_create = position > 0 and found[position - 1].keyword == "ON"
    if is_pattern or is_on_create:
        return
    words = [token.keyword for token in found[position : position + 3] if token.keyword]
    if words[1:]:
        what = f"{' '.join(words)} would change the schema, and that of a mind is fixed"
        raise QueryError(what, advice="Notes are made with CREATE (:Semantic {…}) and --write, or better by soulmem ingest.")
    raise QueryError("CREATE needs a pattern", advice="As in: CREATE (:Name {text: 'x'})")


def _check_call(found: Sequence[Token], position: int) -> None:
    called = found[position + 1] if position + 1 < len(found) else None
    followed = found[position + 2].text if position + 2 < len(found) else ""
    if called is None or called.text.lower() not in _CALLS or followed != "(":
        raise QueryError(
            f"CALL {called.text if called else ''} may not be used here", advice=f"Allowed: {', '.join(sorted(_CALLS))}."
        )


def refusal(error: Exception) -> QueryError:
    """An error of the engine while it ran a statement, as one of ours."""
    message = str(error)
    if isinstance(error, MemoryError) or any(sign in message for sign in _OUT_OF_MEMORY):
        advice = "Ask for less at once: fewer patterns side by side, shorter ranges, a LIMIT before what collects or sorts."
        return QueryError("the statement needs more memory than it may have", advice=advice)
    if isinstance(error, RuntimeError):
        return QueryError(f"the engine cannot run this: {message}")
    advice = "Return it in another form, as CAST(… AS STRING)."
    return QueryError(f"the answer holds a value that cannot be told here: {message}", advice=advice)
