"""Embedders: texts to unit vectors, by name; and what is made of them (a note's vectors, the cache, the calibration)."""

from __future__ import annotations

from collections.abc import Callable

from soulmem.embed.calibration import baseline
from soulmem.embed.contract import Embedder
from soulmem.errors import EmbedderError

__all__ = ["Embedder", "baseline", "embedder_names", "open_embedder"]


def open_embedder(name: str) -> Embedder:
    """The embedder called ``name``: ``e5``, ``bge``, ``bge:MODEL``, ``api:MODEL`` or ``hashing``.

    Opening loads what the embedder needs, and nothing before. :class:`EmbedderError` if there is none of that name, or if it
    is not installed.
    """
    kind, _, model = name.partition(":")
    if kind not in _EMBEDDERS:
        raise EmbedderError(f"there is no embedder {name!r}", advice=f"Choose one of: {', '.join(embedder_names())}.")
    return _EMBEDDERS[kind][1](model)


def embedder_names() -> tuple[str, ...]:
    """The names :func:`open_embedder` takes, with ``MODEL`` where a model is chosen."""
    return tuple(pattern for pattern, _ in _EMBEDDERS.values())


def _no_model(kind: str, model: str) -> None:
    if model:
        raise EmbedderError(f"the embedder {kind} has one model only, and {model!r} is not it", advice=f"Say {kind} alone.")


def _open_e5(model: str) -> Embedder:
    from soulmem.embed.e5 import E5Embedder

    _no_model("e5", model)
    return E5Embedder()


def _open_hashing(model: str) -> Embedder:
    from soulmem.embed.hashing import HashingEmbedder

    _no_model("hashing", model)
    return HashingEmbedder()


def _open_bge(model: str) -> Embedder:
    from soulmem.embed.bge import DEFAULT_MODEL, BgeEmbedder

    return BgeEmbedder(model or DEFAULT_MODEL)


def _open_api(model: str) -> Embedder:
    from soulmem.embed.api import ApiEmbedder

    return ApiEmbedder.from_environment(model)


_EMBEDDERS: dict[str, tuple[str, Callable[[str], Embedder]]] = {
    "e5": ("e5", _open_e5),
    "bge": ("bge[:MODEL]", _open_bge),
    "api": ("api:MODEL[#DIMENSIONS]", _open_api),
    "hashing": ("hashing", _open_hashing),
}
