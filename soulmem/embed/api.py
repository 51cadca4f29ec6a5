"""Embeddings of a provider, by litellm: ``api:openai/text-embedding-3-small``, or any server that speaks OpenAI's protocol.

Settings come from the environment: ``SOULMEM_EMBED_BASE_URL`` names another server; ``SOULMEM_EMBED_API_KEY`` is its key.
Without a base URL the provider's own variable (``OPENAI_API_KEY`` …) is used as well; with one it is not, since that key is
not meant for that server.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from soulmem.embed.chunks import embed_in_chunks
from soulmem.embed.texts import batches, checked_rows, unit_rows
from soulmem.errors import EmbedderError
from soulmem.llm._litellm import CallFailedError, embedding

#: A model of 8,192 tokens reads this much of any language.
_CHUNK_CHARACTERS = 4000
_BATCH_TEXTS = 64
_OPENAI_KEYS = ("SOULMEM_EMBED_API_KEY", "OPENAI_API_KEY", "OPENAI_ADMIN_KEY")
_BATCH_CHARACTERS = 60_000
_FIRST_PAUSE_SECONDS = 1.0
_LONGEST_PAUSE_SECONDS = 30.0


class ApiEmbedder:
    """A provider's embedding model. Both sides are the same, and texts leave this computer."""

    def __init__(
        self,
        model: str,
        *,
        dimensions: int | None = None,
        base_url: str | None = None,
        key: str | None = None,
        timeout_seconds: float = 60.0,
        attempts: int = 4,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """``model``: as litellm names it, provider first. ``dimensions``: ask the model for so many (≥ 1), where it can choose.

        ``attempts``: how often a call is made that fails for a passing reason (busy, slow, broken), ≥ 1. ``sleep`` waits the
        given seconds between them: what the provider asks for, at most 30, else 1, 2, 4 …
        """
        self._model = model
        self._asked_dimensions = dimensions
        self._dimension = dimensions
        self._base_url = base_url
        self._key = key or ("none" if base_url else None)
        self._timeout_seconds = timeout_seconds
        self._attempts = max(attempts, 1)
        self._sleep = sleep

    @classmethod
    def from_environment(cls, model: str, environment: Mapping[str, str] = os.environ) -> Self:
        """``model`` may end in ``#256``: the number of dimensions to ask for. What cannot work without a further setting is
        refused here, before anything is loaded or called."""
        name, _, dimensions = model.partition("#")
        if not name or (dimensions and not (dimensions.isdecimal() and int(dimensions))):
            raise EmbedderError(
                f"api:{model} does not name a model", advice="Name provider and model, as in api:openai/text-embedding-3-small."
            )
        base_url = environment.get("SOULMEM_EMBED_BASE_URL") or None
        _check_reachable(name, base_url, environment)
        return cls(
            name,
            dimensions=int(dimensions) if dimensions else None,
            base_url=base_url,
            key=environment.get("SOULMEM_EMBED_API_KEY") or None,
        )

    @property
    def name(self) -> str:
        asked = f"#{self._asked_dimensions}" if self._asked_dimensions else ""
        return f"api:{self._model}{asked}"

    @property
    def dimension(self) -> int:
        """As asked for, else found out by embedding one word. :class:`EmbedderError` if that fails."""
        if self._dimension is None:
            self._dimension = self._batch(["dimension"]).shape[1]
        return self._dimension

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimension), rows of length 1; blank texts give zero rows. :class:`EmbedderError` if a call fails."""
        return embed_in_chunks(texts, _CHUNK_CHARACTERS, self.dimension, self._encode)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The same as :meth:`queries`."""
        return self.queries(texts)

    def _encode(self, pieces: list[str]) -> NDArray[np.float32]:
        parts = batches(pieces, count=_BATCH_TEXTS, characters=_BATCH_CHARACTERS)
        return np.concatenate([checked_rows(self._batch(part), len(part), self.dimension, self.name) for part in parts])

    def _batch(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = _rows(self._call(texts), len(texts), self.name)
        units = unit_rows(checked_rows(rows, len(texts), rows.shape[1], self.name))
        if not units.any(axis=1).all():
            raise EmbedderError(f"embedder {self.name} answered a text with a vector of zeros")
        return units

    def _call(self, texts: Sequence[str]) -> Any:
        for attempt in range(self._attempts):
            try:
                return embedding(
                    self._model,
                    texts,
                    dimensions=self._asked_dimensions,
                    base_url=self._base_url,
                    key=self._key,
                    timeout=self._timeout_seconds,
                )
            except CallFailedError as error:
                if not error.passing or attempt + 1 == self._attempts:
                    raise self._failure(error, attempt + 1) from error
                self._sleep(_pause(attempt, error.retry_after))
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _failure(self, error: CallFailedError, attempts: int) -> EmbedderError:
        tries = f" after {attempts} attempts" if attempts > 1 else ""
        return EmbedderError(
            f"embedder {self.name} failed{tries}: {error.reason}", place=_host(self._base_url), advice=_advice(error)
        )


def _check_reachable(name: str, base_url: str | None, environment: Mapping[str, str]) -> None:
    is_of_openai = name.startswith(("openai/", "text-embedding-"))
    if "/" not in name and not is_of_openai:
        advice = f"Name the provider too: api:PROVIDER/{name}. For a server of your own, set SOULMEM_EMBED_BASE_URL to its "
        raise EmbedderError(
            f"api:{name} does not say which provider has it", advice=f"{advice}address and say api:openai/{name}."
        )
    if is_of_openai and base_url is None and not any(environment.get(key) for key in _OPENAI_KEYS):
        advice = (
            "Set OPENAI_API_KEY (or SOULMEM_EMBED_API_KEY). For a server of your own, set SOULMEM_EMBED_BASE_URL to its address."
        )
        raise EmbedderError(f"there is no key for api:{name}, and no server of your own is named", advice=advice)


def _pause(attempt: int, retry_after: float | None) -> float:
    """Seconds to wait after the 0-based ``attempt``."""
    wanted = _FIRST_PAUSE_SECONDS * 2**attempt if retry_after is None else retry_after
    return min(wanted, _LONGEST_PAUSE_SECONDS)


def _host(base_url: str | None) -> str | None:
    """The server's name and port only: a URL may carry a password."""
    if base_url is None:
        return None
    return urlsplit(base_url).netloc.rpartition("@")[2] or None


def _advice(error: CallFailedError) -> str:
    if error.status in (401, 403):
        return "Set the key in the environment: SOULMEM_EMBED_API_KEY, or the provider's own variable."
    if error.status == 404:
        return "Check the model's name and SOULMEM_EMBED_BASE_URL."
    if error.passing:
        return "Try again later. If the server cannot be reached, check SOULMEM_EMBED_BASE_URL."
    return "Check the model's name and what it accepts, or use another embedder (e5 needs no network)."


def _rows(data: Any, expected: int, name: str) -> NDArray[np.float64]:
    """Rows in the order of the texts, whatever the order of the answer."""
    try:
        rows: dict[int, list[float]] = {int(item["index"]): [float(number) for number in item["embedding"]] for item in data}
        table = np.array([rows[place] for place in range(expected)], dtype=np.float64).reshape(expected, -1)
    except (TypeError, ValueError, KeyError, OverflowError) as error:
        raise EmbedderError(
            f"embedder {name} gave an answer that is not one vector for each of {expected} texts",
            advice="Check that the server speaks OpenAI's embedding protocol and that the model is one for embeddings.",
        ) from error
    if len(data) != expected or not table.shape[1]:
        raise EmbedderError(f"embedder {name} answered {expected} texts with {len(data)} vectors of {table.shape[1]} numbers")
    return table
