"""Whether a name may mean somebody: *Bob* Bob Smith, *Mr. Brown* Tom Brown, 妈 whoever is called 妈妈."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from soulmem.text.language import HAN
from soulmem.text.names import normal_name
from soulmem.text.stopwords import words_of
from soulmem.text.tokens import MARKS

_TRADITIONAL = (
    "別訴這個們讓說講許準會應對後給無媽爺師聽見發現瞞嗎誰還沒請幫務兒為從經時間問傳場關於剛記長闆總舅醫員"
    "孫親當臉萬隱洩祕決絕機噓聲張曉該隨遠裡爲兩倆並説離職"
)
_SIMPLIFIED = (
    "别诉这个们让说讲许准会应对后给无妈爷师听见发现瞒吗谁还没请帮务儿为从经时间问传场关于刚记长板总舅医员"
    "孙亲当脸万隐泄秘决绝机嘘声张晓该随远里为两俩并说离职"
)
_TABLE = str.maketrans(_TRADITIONAL, _SIMPLIFIED)

#: Words before a name that are none.
TITLES = words_of("mr mrs ms miss dr prof professor doctor sir madam lady lord uncle aunt auntie st")
_ZH_TITLE = re.compile(r"(?:老师|先生|女士|小姐|医生|经理|阿姨|叔叔)$")
_FAMILY = tuple(
    words_of(group)
    for group in (
        "妈 妈妈 老妈 妈咪 母亲 娘",
        "爸 爸爸 老爸 爸比 父亲 爹",
        "哥 哥哥 大哥 老哥",
        "姐 姐姐 大姐 老姐",
        "弟 弟弟",
        "妹 妹妹",
        "爷爷 祖父",
        "奶奶 祖母",
        "外公 姥爷",
        "外婆 姥姥",
        "老公 丈夫 先生",
        "老婆 妻子 太太",
        "mom mum mother mommy mummy mama ma mam",
        "dad father daddy papa pa",
        "grandma granny grandmother nan",
        "grandpa grandad granddad grandfather",
    )
)
#: Two people in one word.
PAIRS = {
    "爸妈": ("爸爸", "妈妈"),
    "父母": ("爸爸", "妈妈"),
    "爹妈": ("爸爸", "妈妈"),
    "爹娘": ("爸爸", "妈妈"),
    "parents": ("mom", "dad"),
}
_SIGNS = re.compile(rf"[^\w\s.'’{MARKS}-]+")
_SPACES = re.compile(r"\s+")
#: The points of initials: *t.j.*
_DOTTED = re.compile(r"(?<=(?<![^\W_])[^\W\d_])\.")
_BETWEEN_INITIALS = re.compile(r"(?<=(?<![^\W_])[^\W\d_]) (?=[^\W\d_](?![^\W_]))")
_ACCENTS = re.compile("[\u0300-\u036f]+")
_LETTER = re.compile(rf"[^\W\d_{HAN}]")
_IS_HAN = re.compile(f"[{HAN}]+")


def plain_script(text: str) -> str:
    """``text`` with the traditional characters of everyday speech as simplified ones; as long as it was."""
    return text if text.isascii() else text.translate(_TABLE)


@lru_cache(maxsize=4096)
def callings(name: str) -> frozenset[str]:
    """By what names somebody of this name may be called; normal forms in plain script."""
    plain = normal_name(plain_script(name))
    bare = _bare(plain) or plain
    left = [word for word in bare.split(" ") if word.strip(".") not in TITLES]
    forms = {
        plain,
        bare,
        " ".join(left) or plain,
        _ZH_TITLE.sub("", bare) or plain,
        _without_marks(bare) or plain,
        _initials(bare) or plain,
        _SPACES.sub(" ", bare.replace(".", " ")).strip() or plain,
    }
    for one in PAIRS.get(bare, (bare,)):
        forms.update(*(group for group in _FAMILY if one in group))
    return frozenset(forms)


def _bare(name: str) -> str:
    """A name without signs at its words: 🐻bo🐻, _bo_99_."""
    return _SPACES.sub(" ", _SIGNS.sub(" ", _DOTTED.sub("", name))).strip("_' -")


def _without_marks(name: str) -> str:
    """*Jose* of *José*."""
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", name)))


def _initials(name: str) -> str:
    """*tj* of *t. j.*"""
    return _BETWEEN_INITIALS.sub("", name)


@lru_cache(maxsize=16384)
def is_same(name: str, other: str) -> bool:
    """Whether two names are one name, written otherwise, or two words for the same relation."""
    return not callings(name).isdisjoint(callings(other))


@lru_cache(maxsize=16384)
def may_mean(name: str, other: str) -> bool:
    """Whether whoever is called ``name`` may be whoever is called ``other``: the words of one are among those of the other."""
    return any(_is_part(one, two) or _is_part(two, one) for one in callings(name) for two in callings(other))


def _is_part(short: str, whole: str) -> bool:
    if _IS_HAN.fullmatch(short) and _IS_HAN.fullmatch(whole):
        return short == whole or (len(short) > 1 and len(whole) <= 4 and whole.endswith(short))
    words = whole.split(" ")
    return bool(short) and all(any(_is_word(one, word) for word in words) for one in short.split(" "))


def _is_word(one: str, other: str) -> bool:
    """Whether two words of names may be one: an initial may be any name that it begins."""
    return one == other or (1 in (len(one), len(other)) and one[:1] == other[:1] and _LETTER.match(one) is not None)
