"""The errors of soulmem: one tree, so that ``except SoulmemError`` catches all of them and nothing else.

::

    SoulmemError
    ├── InputError            what the user gave is wrong (exit code 1)
    │   ├── FormatError       a file that cannot be read as any known format, or not as the one it claims to be
    │   ├── QueryError        a query, a question or a piece of Cypher that cannot be run
    │   ├── NotFoundError     a mind, note, chat, operation or shipped query that is not there
    │   └── UndoError         an operation that cannot be taken back
    ├── StoreError            the mind itself
    │   ├── MindLockedError   another process holds the mind
    │   ├── MindVersionError  made by a newer soulmem, or not a mind at all
    │   ├── MindDamagedError  the file opens, but is not whole
    │   └── ReadOnlyError     a write was asked of a mind opened for reading
    ├── EmbedderError         an embedder that is not installed, fails, or answers nonsense
    │   └── EmbedderMismatchError  the mind was made with another embedder
    └── ModelError            a language model that is not configured, fails, or answers nonsense
        ├── ModelUnsetError   no model is configured, or what is configured cannot be one
        ├── ModelCallError    the call failed: ``trouble`` says how
        ├── ModelAnswerError  there is an answer, and it cannot be used: ``trouble`` says why
        ├── ModelBudgetError  the command has used up its calls or tokens
        └── ModelDryRunError  nothing was called: the prompt was shown instead

Every message says what is wrong, where, and what to do. ``place`` is ``file:line`` where there is one.
Errors of other libraries are translated where they enter, with ``raise … from``.
"""

from __future__ import annotations

from enum import StrEnum


class SoulmemError(Exception):
    """Base of all errors raised on purpose. ``place`` names the file and line, ``advice`` what to do."""

    def __init__(self, what: str, *, place: str | None = None, advice: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.place = place
        self.advice = advice

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        todo = f"\n  {self.advice}" if self.advice else ""
        return f"{where}{self.what}{todo}"


class InputError(SoulmemError):
    """What the user gave is wrong."""


class FormatError(InputError):
    """A file that cannot be read as any known format, or not as the one it claims to be. ``what`` is one line, whatever it cites
    of the file."""

    def __init__(self, what: str, *, place: str | None = None, advice: str | None = None) -> None:
        super().__init__(what.replace("\n", " "), place=place, advice=advice)


class QueryError(InputError):
    """A query, a question or a piece of Cypher that cannot be run."""


class NotFoundError(InputError):
    """A mind, note, chat or shipped query that is not there."""


class UndoError(InputError):
    """An operation cannot be taken back, or there is none; says why."""


class StoreError(SoulmemError):
    """Something is wrong with the mind itself."""


class MindLockedError(StoreError):
    """Another process holds the mind."""


class MindVersionError(StoreError):
    """The mind was made by a newer soulmem, or the file is not a mind at all."""


class MindDamagedError(StoreError):
    """The file opens, but is not whole."""


class ReadOnlyError(StoreError):
    """A write was asked of a mind that was opened for reading."""


class EmbedderError(SoulmemError):
    """An embedder is not installed, fails, or answers nonsense."""


class EmbedderMismatchError(EmbedderError):
    """The mind was made with another embedder; vectors of two embedders are never mixed."""


class ModelError(SoulmemError):
    """A language model is not configured, fails, or answers nonsense."""


class ModelUnsetError(ModelError):
    """No model is configured, or what is configured cannot be one."""


class CallTrouble(StrEnum):
    """How a call of a model failed."""

    UNREACHABLE = "unreachable"  # nobody listens, no such host, the connection broke
    TIMEOUT = "timeout"
    KEY = "key"  # 401, 403
    NOT_FOUND = "not found"  # 404: the model, or the address
    BUSY = "busy"  # 429
    BROKEN = "broken"  # 5xx
    TOO_LONG = "too long"  # more text than the model reads at once
    NO_SCHEMA = "no schema"  # it takes no JSON schema
    REQUEST = "request"  # any other 4xx
    FOREIGN = "foreign"  # something answers that is no model


class ModelCallError(ModelError):
    """A call of a model failed. ``passing``: another try may succeed, after ``retry_after`` seconds if the provider said so."""

    def __init__(
        self,
        what: str,
        *,
        trouble: CallTrouble,
        passing: bool = False,
        retry_after: float | None = None,
        place: str | None = None,
        advice: str | None = None,
    ) -> None:
        super().__init__(what, place=place, advice=advice)
        self.trouble = trouble
        self.passing = passing
        self.retry_after = retry_after


class AnswerTrouble(StrEnum):
    """Why an answer of a model cannot be used."""

    EMPTY = "empty"
    CUT_OFF = "cut off"
    REFUSAL = "refusal"
    NOT_JSON = "not JSON"
    NOT_AS_ASKED = "not as asked"  # JSON of another shape, or with values that cannot be
    REPETITION = "repetition"  # the same again and again
    ECHO = "echo"  # words of the instructions instead of an answer
    LANGUAGE = "language"  # not that of the conversation


class ModelAnswerError(ModelError):
    """A model answered, and the answer cannot be used."""

    def __init__(self, what: str, *, trouble: AnswerTrouble, place: str | None = None, advice: str | None = None) -> None:
        super().__init__(what, place=place, advice=advice)
        self.trouble = trouble


class ModelBudgetError(ModelError):
    """The command has used up the calls or tokens it may use."""


class ModelDryRunError(ModelError):
    """Nothing was called: the prompt was shown instead. Who asked goes on as if there were no model."""


def json_fault(message: str) -> str:
    """What :mod:`json` finds wrong, without the words to which it adds a place: *unterminated string (starting at)*."""
    what = message.strip(": ").removesuffix(" at").removesuffix(" starting")
    return what[:1].lower() + what[1:]
