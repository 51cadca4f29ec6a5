"""What an embedder calls the cosine of texts that have nothing to do with each other.

Models differ: unrelated texts may have a cosine near 0 or one of 0.8. Scores are therefore counted from the ``baseline``
(SPEC §3), which a mind records together with the name of its embedder.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import numpy as np

from soulmem.embed.contract import Embedder
from soulmem.errors import EmbedderError
from soulmem.text.language import language

#: With less room than this between unrelated texts and equal ones, a score would be noise.
_HIGHEST_BASELINE = 0.99

#: Measured before, since measuring takes seconds; a test measures it again.
_KNOWN = {"e5": 0.0624}


@cache
def unrelated_texts() -> tuple[str, ...]:
    """The fixed list: short and long texts in Chinese, English and both, no two of which are about the same thing."""
    return tuple((files("soulmem.embed") / "unrelated.txt").read_text(encoding="utf-8").splitlines())


def baseline(embedder: Embedder) -> float:
    """The embedder's baseline, 0..1: known for e5, else measured (:func:`measured_baseline`)."""
    known = _KNOWN.get(embedder.name)
    return measured_baseline(embedder) if known is None else known


def measured_baseline(embedder: Embedder) -> float:
    """The mean cosine of every unrelated text as a query with every other one of its language as a passage, 0..1.

    Texts of two languages are further apart in some models, and a mind and the questions it is asked mostly share one: pairs
    across languages would set the baseline too low. A negative mean counts as 0.
    Raises :class:`EmbedderError` for an embedder that hardly tells any two texts apart.
    """
    texts = unrelated_texts()
    cosines = embedder.queries(texts).astype(np.float64) @ embedder.passages(texts).astype(np.float64).T
    languages = np.array([language(text) for text in texts])
    pairs = (languages[:, np.newaxis] == languages) & ~np.eye(len(texts), dtype=bool)
    mean = float(np.mean(cosines[pairs]))
    if not mean < _HIGHEST_BASELINE:
        raise EmbedderError(
            f"embedder {embedder.name} gives unrelated texts a mean cosine of {mean:.3f}: it does not tell texts apart",
            advice="Check that the model is one for text embeddings, or use another embedder.",
        )
    return max(mean, 0.0)
