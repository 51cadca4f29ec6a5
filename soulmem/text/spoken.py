"""A text as it would be spoken: without what only the eye sees in it, and every sign in its plain form."""

from __future__ import annotations

import html
import re
import unicodedata

from soulmem.text.language import HAN
from soulmem.text.tokens import INVISIBLE, MARKS

_APOSTROPHES = str.maketrans("\u02bc\uff07\u00b4\u2018\u2019\u2032\u02b9\u201b\u2035\u055a\ua78c", "'" * 11)
#: Letters, digits and signs in other widths and faces: Ｄｏｎ＇ｔ, 𝐁𝐨.
_FACES = re.compile("[\uff02\uff04-\uff07\uff0a\uff0b\uff0f-\uff19\uff20-\uff3b\uff3d\uff3f-\uff5b\uff5d\U0001d400-\U0001d7ff]+")
#: A letter and the marks above it that are written apart.
_APART = re.compile("\\w[\u0300-\u036f]{1,4}")
_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\n]*\)")
_TAG = re.compile(
    r"</?(?:a|b|big|blockquote|br|center|code|dd|del|details|div|dl|dt|em|font|h[1-6]|hr|i|ins|kbd|li|mark|ol|p|pre|q|s|samp|small|span"
    r"|strike|strong|sub|summary|sup|table|tbody|td|th|tr|tt|u|ul)(?:[\s/][^<>\n]*)?>",
    re.IGNORECASE,
)
_MENTION = re.compile(r"<@[!&]?([^<>\n]*)>|(?<![A-Za-z0-9_.@])@(?=\w)")
#: One mention after another in Chinese, where no space divides names.
_MENTION_ZH = re.compile(rf"(?<=[{HAN}])\s?@(?=\w)")
_ESCAPE = re.compile(r"\\(?=[^\w\s\\])")
_BRACKET = re.compile(r"[\[\]]")
_BACKTICK = re.compile(r"(?<=[A-Za-z])`(?=[A-Za-z])")
_BACKTICKS = re.compile(r"`+")
_ORNAMENT = f"[^\\w\\s\\x00-\\x5d\\x5f-\\x7b\\x7d·\u2010-\u2027\u3000-\u301b\u301d-\u303f\uff00-\uff5d\uff5f-\uff65{MARKS}]"
#: Signs at words: 🐻Bo🐻, ~Bo~. Where a name may stand they may be one themselves: *don't tell 🐻*, 别告诉🐻.
_ORNAMENTS = re.compile(
    rf"(?<!{_ORNAMENT})(?<![告诉知给跟和对向让被叫着]){_ORNAMENT}+(?=\w)(?!(?:I|we|you|it|that|this|me|us)\b)"
    rf"|(?<=\w)(?<![告诉知给跟和对向让被叫着]){_ORNAMENT}+"
)
_AMID = re.compile(rf"(?:(?<=n't)|(?<=\bnot)|(?<=\bnever)|(?<=\bplease))\s{{1,3}}{_ORNAMENT}+(?=\s)", re.IGNORECASE)
_EMPHASIS = re.compile(r"\*+|~~|(?<!\w)_+(?=\w)|(?<=[^\W_])_+(?!\w)")
#: Characters of Chinese with spaces between.
_SPREAD = re.compile(rf"(?<=[{HAN}])[^\S\n]+(?=[{HAN}])")
_PAUSE = re.compile(rf"(?<![.…])(?=\.\.|…)[.…]+\s*(?=[a-z{HAN}])")
_TITLE = re.compile(r"\b(Mr|Mrs|Ms|Dr|Prof|St)\.(?=\s*\w)", re.IGNORECASE)
#: *T.J.*, *J. Brown*: their points end no sentence.
_INITIALS = re.compile(
    rf"(?<![^\W_{HAN}])(?:[^\W\d_{HAN}]\.){{2,8}}|(?<![^\W_{HAN}])(?!I\.\s)[^\W\d_a-z{HAN}]\.(?=[ ]?(?-i:[A-Z])\w)"
)
_POINT = re.compile(r"\.")
#: What stands between names in a list: *Bo & Kai*, *Bo/Kai*, *Bo (or Kai)*, *Bo as well as Kai*.
_JOINT = re.compile(
    r"\s?\band/or\s|\s?[&/+]\s?(?=\w)(?![ur]/)|\s?[(（—–-]\s?(?=(?:and|or|nor)\s)|\s(?:as\swell\sas|along\swith|together\swith|plus)\s|(?<=\w)\s?\|\s?(?=\w)"
    r"|\n(?=(?:and|or|nor)\s)|(?<!tell)(?<!from)(?<!with)(?<!to)\s\((?=(?-i:[A-Z])[\w'-]*(?:\s(?-i:[A-Z])[\w'-]*)?\))"
    r"|(?<=\w);\s?(?=(?:and\s|or\s|nor\s)?(?-i:[A-Z])[\w'-]*(?:[;,.!]|\s(?:and|or)\s|\Z))",
    re.IGNORECASE,
)
#: 小明，阿华。
_COMMA = re.compile(rf"(?<=[{HAN}])[，,]\s?(?=[小老阿](?![声心实是师])[{HAN}](?:[，,、。！!]|\Z))")
_OPENED = re.compile(r"[(（](?=[和或与跟及])")


#: What a text has that is not as it would be spoken: any other sign than these, points in a row, Chinese with spaces between.
_ODD = re.compile(rf"[^A-Za-z0-9{HAN} \n.,!?;:'\"，。！？；：、“”-]|\.\.|[{HAN}] +[{HAN}]")


def is_plain(text: str) -> bool:
    """Whether :func:`plain_signs` and :func:`unmarked` leave a text as it is, which is soon seen."""
    return _ODD.search(text) is None


def plain_signs(text: str) -> str:
    """``text`` in letters as they are usually written: no entities, no links and tags, no signs of mention, no ornaments."""
    text = html.unescape(html.unescape(text)) if "&" in text else text
    text = _ESCAPE.sub("", INVISIBLE.sub("", text).translate(_APOSTROPHES))
    text = _FACES.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)
    text = _APART.sub(lambda found: unicodedata.normalize("NFC", found[0]), text)
    text = _TAG.sub("", _LINK.sub(r"\1", text))
    text = _BRACKET.sub("", _MENTION.sub(r"\1", _MENTION_ZH.sub("、", text)))
    return _BACKTICKS.sub(" ", _BACKTICK.sub("'", text))


def unmarked(text: str) -> str:
    """``text`` without emphasis, ornaments at words, and pauses within a sentence: *Don't… tell **Bo***."""
    text = _ORNAMENTS.sub(" ", _AMID.sub("", _EMPHASIS.sub("", text)))
    return _SPREAD.sub("", _PAUSE.sub(" ", text))


def listed(text: str) -> str:
    """``text``, of single spaces, without points in names and signs in lists of them: *T.J. & Kai* is *TJ and Kai*."""
    text = _INITIALS.sub(_without_points, _TITLE.sub(r"\1", text))
    return _COMMA.sub("、", _OPENED.sub("", _JOINT.sub(_joined, text)))


def _without_points(found: re.Match[str]) -> str:
    after = found.string[found.end() : found.end() + 2]
    goes_on = after[1:].islower() or (after[1:] != "" and after[1:] in "&/+(|—–-")
    is_end = len(found[0]) > 2 and after[:1] in ("", " ", "\n") and not (after[:1] == " " and goes_on)
    return _POINT.sub("", found[0]) + ("." if is_end else "")


def _joined(joint: re.Match[str]) -> str:
    around = joint.string[max(joint.start() - 1, 0) : joint.start()] + joint.string[joint.end() : joint.end() + 1]
    if joint[0].strip() in "(（—–-" and joint.string[joint.end() : joint.end() + 3].lower().rstrip() in ("and", "or", "nor"):
        return " "
    if joint[0].strip() == ";":
        return ", "
    return "、" if re.search(f"[{HAN}]", around) else " and "
