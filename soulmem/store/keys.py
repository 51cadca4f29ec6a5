"""The keys of words, such that the engine tells them apart.

Kùzu 0.11.3 hashes a text eight bytes at a time, and of what is left at the end only the first byte, where that is no ASCII (it
shifts signed characters). So all Chinese words of one or two characters, which have three or six bytes, fall into six places of
an index, and each look-up goes through a sixth of all words. Filled up to eight bytes they are hashed whole.
"""

from __future__ import annotations

#: As many spaces as make any text that is not ASCII eight bytes long. No word has spaces.
_FILL = 6 * " "


def term_key(text: str) -> str:
    """The key of the word ``text`` in the table ``Term``."""
    return text if text.isascii() else text + _FILL
