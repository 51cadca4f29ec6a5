"""jieba used as its own documentation says: the independent implementation that our way of loading it is compared with."""

from __future__ import annotations

import tempfile
import warnings
from functools import lru_cache
from typing import Any

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import jieba
    from jieba import posseg


@lru_cache(maxsize=1)
def _tokenizer() -> Any:
    tokenizer = jieba.Tokenizer()
    with tempfile.TemporaryDirectory() as folder:
        tokenizer.tmp_dir = folder
        tokenizer.initialize()
    return tokenizer


@lru_cache(maxsize=1)
def _tagger() -> Any:
    return posseg.POSTokenizer(_tokenizer())


def cut(text: str, hmm: bool) -> list[str]:
    return list(_tokenizer().cut(text, HMM=hmm))


def tagged(text: str) -> list[tuple[str, str]]:
    return [(pair.word, pair.flag) for pair in _tagger().cut(text)]


def total() -> int:
    return int(_tokenizer().total)
