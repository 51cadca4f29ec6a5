"""Numbers in words, Chinese and English, as they stand in time expressions."""

from __future__ import annotations

_DIGITS = {"零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_UNITS = {"十": 10, "百": 100, "千": 1000}

#: Characters of a Chinese number, for use inside ``[...]`` of a regular expression.
ZH_NUMERAL = "零〇一二两三四五六七八九十百千"

_NAMES = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
)
EN_NUMBERS = {name: value for value, name in enumerate(_NAMES.split(), start=1)} | {
    "a": 1,
    "an": 1,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
}


def zh_number(text: str) -> int:
    """``二十三`` → 23, ``两`` → 2, ``二〇二三`` → 2023, ``12`` → 12. Raises :class:`ValueError` for anything else."""
    if text.isdecimal():
        return int(text)
    if not text or any(character not in ZH_NUMERAL for character in text):
        raise ValueError(f"not a number: {text!r}")
    if not any(character in _UNITS for character in text):
        return int("".join(str(_DIGITS[character]) for character in text))
    return _with_units(text)


def _with_units(text: str) -> int:
    total, digit = 0, None
    for character in text:
        if character in _UNITS:
            total += (1 if digit is None else digit) * _UNITS[character]
            digit = None
        else:
            digit = _DIGITS[character] or None
    return total + (digit or 0)


def en_number(text: str) -> int:
    """``three`` → 3, ``an`` → 1, ``12`` → 12. Raises :class:`ValueError` for anything else."""
    word = text.lower()
    if word.isdecimal():
        return int(word)
    if word not in EN_NUMBERS:
        raise ValueError(f"not a number: {text!r}")
    return EN_NUMBERS[word]
