"""Graph JSON as it may arrive: the shapes that are checked before anything of a file becomes a note or a link.

Imported only when something in a graph is not plain, since pydantic and these models take their time to load.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from soulmem.ingest.graph_scan import COUNT_LIMIT, MisfitError
from soulmem.ingest.json_places import preview
from soulmem.ingest.times import iso


def _listed(value: Any) -> Any:
    """``null`` and one value in place of a list are what people write by hand."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _moment(value: Any) -> Any:
    if value is None:
        return None
    if not isinstance(value, str):
        raise ValueError("is not a time (RFC 3339 text is expected)")
    try:
        return iso(value)
    except ValueError as error:
        raise ValueError("is not a time (expected e.g. 2026-06-01T08:00:00Z)") from error


def _uuid(value: Any) -> Any:
    try:
        return None if value is None else str(uuid.UUID(value))
    except (ValueError, AttributeError, TypeError) as error:
        raise ValueError("is not a UUID") from error


def _scope(value: Any) -> Any:
    if value == "public" or (isinstance(value, str) and value.startswith(("direct:", "group:")) and value[-1] != ":"):
        return value
    raise ValueError("is not a scope (public, direct:<person> or group:<id>)")


Texts = Annotated[list[str], BeforeValidator(_listed)]
Moment = Annotated[datetime | None, BeforeValidator(_moment)]
Identity = Annotated[str | None, BeforeValidator(_uuid)]
Count = Annotated[int, Field(ge=0, le=COUNT_LIMIT)]


class _Model(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")


class Frame(_Model):
    """The parts of a node around its body."""

    id: str
    tags: Texts = []


class Concept(_Model):
    content: str
    aliases: Texts = []
    concept_type: str | None = None
    description: str | None = None
    category: str | None = None


class Place(_Model):
    name: str
    coordinates: str | None = None


class Person(_Model):
    name: str
    role: str | None = None


class Felt(_Model):
    name: str
    intensity: float | None = None


class Surroundings(_Model):
    atmosphere: str | None = None
    tone: str | None = None


class Happening(_Model):
    action: str
    action_intensity: float | None = None
    initiator: str | None = None
    target: str | None = None


class Setting(_Model):
    """The context of a specific situation."""

    location: Place | None = None
    participants: Annotated[list[Person], BeforeValidator(_listed)] = []
    emotions: Annotated[list[Felt], BeforeValidator(_listed)] = []
    sensory_data: Annotated[list[Felt], BeforeValidator(_listed)] = []
    environment: Surroundings | None = None
    event: Annotated[list[Happening], BeforeValidator(_listed)] = []


class Episode(_Model):
    narrative: str
    time_span: Any = None
    context: Setting | None = None


class Action(_Model):
    content: str
    action_type: Any


class LinkFrame(_Model):
    """The parts of a link around its type."""

    to: str
    from_: Annotated[str | None, Field(alias="from")] = None
    intensity: float | None = None


class Relation(_Model):
    verb: str
    confidence: float | None = None


class Chance(_Model):
    prob: float


class NoteEnvelope(_Model):
    """What soulmem itself writes beside a node (key ``soulmem``). Every field may be absent."""

    uuid: Identity = None
    retrieval_count: Count = 0
    created_at: Moment = None
    last_accessed_at: Moment = None
    strength: Annotated[float, Field(ge=0, le=1)] = 1.0
    decayed_at: Moment = None
    due_at: Moment = None
    pinned: bool = False
    core: bool | None = None
    active: bool = True
    asleep: bool = False
    scope: Annotated[str, BeforeValidator(_scope)] = "public"
    kept_from: Texts = []
    category: str | None = None
    valid_from: Moment = None
    valid_until: Moment = None
    supersedes: Any = None
    revision: Any = None
    origins: Texts = []
    sources: Texts = []


class Instead(_Model):
    """A fact that holds no longer, in the note that holds instead."""

    id: str
    at: Moment
    reason: str = ""


class Guess(_Model):
    """What a model guessed of the texts of a note."""

    missing: Annotated[float, Field(ge=0, le=1)]
    narrative: str | None = None
    content: str | None = None
    description: str | None = None


class LinkEnvelope(_Model):
    """What soulmem itself writes beside a link."""

    uuid: Identity = None
    created_at: Moment = None
    last_fired_at: Moment = None
    fired_count: Count = 0


M = TypeVar("M", bound=_Model)


def fitted(model: type[M], value: Any, path: str) -> M:
    """``value`` as a ``model``. ``path`` says where in the node it stands.

    :raises MisfitError: it does not fit; in plain words."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise MisfitError("; ".join(_words(detail, path) for detail in error.errors(include_url=False)[:3])) from None


def loosely_fitted(model: type[M], values: Mapping[str, Any], path: str, mends: list[str]) -> M:
    """Like :func:`fitted`, but a field that does not fit counts as absent; ``mends`` gets a sentence for each."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        bad = {str(detail["loc"][0]) for detail in error.errors(include_url=False)}
        mends += [f"{_words(detail, path)}; it was ignored" for detail in error.errors(include_url=False)]
        return model.model_validate({name: value for name, value in values.items() if name not in bad})


_EXPECTED = {
    "string_type": "text",
    "float_type": "a number",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "list_type": "a list",
    "model_type": "an object",
}


def _words(detail: ErrorDetails, path: str) -> str:
    where = _path(path, detail["loc"])
    kind = detail["type"]
    if kind == "missing":
        return f"{where} is missing"
    shown = preview(detail["input"])
    if kind == "value_error":
        return f"{where}: {shown} {detail['ctx']['error']}"
    limits = detail.get("ctx", {})
    if "ge" in limits or "le" in limits:
        limit = f"{limits['ge']} or more" if "ge" in limits else f"{limits['le']} or less"
        return f"{where} is {shown}, but {limit} is expected"
    expected = _EXPECTED.get(kind, detail["msg"])
    return f"{where} is {shown}, but {expected} is expected"


def _path(path: str, loc: Iterable[int | str]) -> str:
    for part in loc:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else part
    return path
