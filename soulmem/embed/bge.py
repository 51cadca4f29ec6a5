"""BGE models by FlagEmbedding (the extra ``bge``): ``bge:BAAI/bge-small-zh-v1.5``, or ``bge:`` and the folder of a model.

FlagEmbedding and PyTorch take seconds to import and are imported when an embedder is opened, not before. A model that is
named, not a folder, is fetched from the model hub when it is first used.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from soulmem.embed.chunks import embed_in_chunks
from soulmem.embed.texts import batches, checked_rows
from soulmem.errors import EmbedderError

DEFAULT_MODEL = "BAAI/bge-small-zh-v1.5"

#: What queries, and only queries, begin with. From the model cards; by a part of the model's name.
_INSTRUCTIONS = {"-en": "Represent this sentence for searching relevant passages: ", "-m3": ""}
_CHINESE_INSTRUCTION = "为这个句子生成表示以用于检索相关文章："

_CHUNK_CHARACTERS = 200
_BATCH_CHUNKS = 32
#: Tokens. A chunk and the instruction need less; more is what some models cannot read.
_LONGEST_INPUT = 512
_INSTALL = (
    "Install it: pip install 'soulmem[bge]' (about 1.7 GB with a CPU build of PyTorch, several GB more with the ordinary one)."
)


class BgeEmbedder:
    """A BGE model on the processor, in single precision, CLS pooling.

    Long texts are read in chunks of about 200 characters, and the mean of their vectors taken.
    """

    def __init__(self, model: str = DEFAULT_MODEL) -> None:
        """``model``: a name on the model hub, or a folder. :class:`EmbedderError` if the extra or the model is not there."""
        folder = Path(model).expanduser()
        self._model_name = str(folder.resolve()) if folder.is_dir() else model
        self._instruction = _instruction(self._model_name)
        self._model = _load(self._model_name)
        self._dimension = int(self._model.model.config.hidden_size)

    @property
    def name(self) -> str:
        return f"bge:{self._model_name}"

    @property
    def dimension(self) -> int:
        return self._dimension

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimension), rows of length 1; blank texts give zero rows. Every chunk follows the instruction."""
        return embed_in_chunks(
            texts,
            _CHUNK_CHARACTERS,
            self._dimension,
            lambda pieces: self._encode([self._instruction + piece for piece in pieces]),
        )

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As :meth:`queries`, without the instruction."""
        return embed_in_chunks(texts, _CHUNK_CHARACTERS, self._dimension, self._encode)

    def _encode(self, pieces: list[str]) -> NDArray[np.float32]:
        parts = [self._encode_batch(list(part)) for part in batches(pieces, count=_BATCH_CHUNKS, characters=2**20)]
        return np.concatenate(parts)

    def _encode_batch(self, pieces: list[str]) -> NDArray[np.floating]:
        try:
            # A batch size above the number of pieces keeps FlagEmbedding's progress bars off the screen.
            rows = self._model.encode(pieces, batch_size=_BATCH_CHUNKS + 1, max_length=_LONGEST_INPUT)
        except Exception as error:
            raise EmbedderError(f"embedder {self.name} failed: {error}") from error
        return checked_rows(np.asarray(rows), len(pieces), self._dimension, self.name)


def _instruction(model: str) -> str:
    name = Path(model).name.lower()
    return next((text for part, text in _INSTRUCTIONS.items() if part in name), _CHINESE_INSTRUCTION)


def _load(model: str) -> Any:
    try:
        from FlagEmbedding import FlagModel
    except ImportError as error:
        missing = getattr(error, "name", None) == "FlagEmbedding"
        what = "the embedder bge needs the extra bge, which is not installed"
        raise EmbedderError(what if missing else f"{what} as it should be: {error}", advice=_INSTALL) from error
    try:
        return FlagModel(model, use_fp16=False, devices="cpu", pooling_method="cls", normalize_embeddings=True)
    except Exception as error:
        first_line = str(error).strip().partition("\n")[0]
        raise EmbedderError(
            f"the model {model} cannot be loaded: {first_line}",
            advice="If it is a name, it must be on this computer already, or the model hub within reach; "
            "if it is a folder, it must hold config.json, the weights and the tokenizer. The embedder e5 needs neither.",
        ) from error
