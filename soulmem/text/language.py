"""Which script a text is written in. Counts characters; knows nothing of words."""

from __future__ import annotations

import re
from enum import StrEnum

#: Character ranges for use inside ``[...]`` of a regular expression.
HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
HANGUL = "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"

_HAN = re.compile(f"[{HAN}]")
_LATIN = re.compile("[A-Za-zÀ-ÖØ-öø-ɏ]")
_OTHER = re.compile(f"[^\\W\\d_{HAN}A-Za-zÀ-ÖØ-öø-ɏ]")

#: How much of a long text is looked at, in characters.
_SAMPLE = 4000

#: A Chinese character says about as much as this many letters.
_LETTERS_PER_HAN = 3


class Language(StrEnum):
    """The languages whose words and time expressions are understood; everything else is ``OTHER``."""

    ZH = "zh"
    EN = "en"
    OTHER = "other"


def has_cjk(text: str) -> bool:
    """Whether there is at least one Chinese character (kana and hangul do not count)."""
    return _HAN.search(text) is not None


def language(text: str) -> Language:
    """The main language of the first 4,000 characters.

    Chinese when its characters outweigh the letters (one character counts as three letters); Latin letters are taken for
    English; text mainly in another script, Japanese included, and text without letters are ``OTHER``.
    """
    sample = text[:_SAMPLE]
    han = len(_HAN.findall(sample)) * _LETTERS_PER_HAN
    latin = len(_LATIN.findall(sample))
    other = len(_OTHER.findall(sample)) * 2
    if max(han, latin, other) == 0 or other >= max(han, latin):
        return Language.OTHER
    return Language.ZH if han > latin else Language.EN
