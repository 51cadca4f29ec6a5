"""Kinds of things people ask for by the kind and speak of by the thing: *which pets* is answered by lines about a cat and a dog.

Everyday kinds only, in both languages. A list question looks for the things beside the words it says itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_KINDS: dict[str, str] = {
    r"宠物|动物": "猫 猫咪 小猫 狗 小狗 狗狗 鹦鹉 兔子 仓鼠 乌龟 金鱼 刺猬 龙猫 荷兰猪 蜥蜴",
    r"乐器": "吉他 钢琴 小提琴 大提琴 二胡 古筝 琵琶 笛子 口琴 手风琴 鼓 架子鼓 长笛 萨克斯 小号 贝斯 葫芦丝 电子琴",
    r"运动": "跑步 游泳 篮球 足球 羽毛球 乒乓球 网球 排球 瑜伽 爬山 骑车 健身 滑雪 滑板 跳舞 攀岩 太极 拳击",
    r"水果": "苹果 香蕉 橙子 橘子 葡萄 西瓜 草莓 芒果 桃子 梨 樱桃 荔枝 龙眼 榴莲 菠萝 柚子 猕猴桃 石榴",
    r"饮料|喝的": "咖啡 茶 奶茶 可乐 果汁 牛奶 豆浆 啤酒 红酒 白酒 汽水 酸奶",
    r"家人|亲人|亲戚": "爸爸 妈妈 父亲 母亲 哥哥 姐姐 弟弟 妹妹 爷爷 奶奶 外公 外婆 姥姥 姥爷 叔叔 阿姨 舅舅 姑姑 儿子 女儿"
    " 老公 老婆",
    r"兄弟|姐妹|姊妹": "哥哥 姐姐 弟弟 妹妹",
    r"孩子|子女": "儿子 女儿 宝宝",
    r"外语|语言": "英语 日语 法语 德语 韩语 俄语 西班牙语 粤语 普通话",
    r"\bpets?\b|\banimals?\b": "cat kitten dog puppy parrot rabbit hamster turtle tortoise goldfish canary budgie pony "
    "hedgehog gecko lizard ferret",
    r"\binstruments?\b": "guitar piano violin cello flute harmonica accordion drums saxophone trumpet clarinet"
    " ukulele harp viola",
    r"\bsports?\b": "swimming basketball football soccer badminton tennis volleyball yoga hiking cycling skiing skating "
    "climbing boxing surfing rowing",
    r"\bfruits?\b": "apple banana grape melon strawberry mango peach pear cherry pineapple plum lemon blueberry kiwi",
    r"\b(?:drinks?|beverages?)\b": "coffee tea cola juice milk beer wine lemonade cocoa soda whisky",
    r"\b(?:family|relatives?)\b": "father mother dad mum mom brother sister grandfather grandmother grandpa grandma "
    "uncle aunt cousin son daughter husband wife",
    r"\bsiblings?\b": "brother sister",
    r"\b(?:children|kids)\b": "son daughter baby",
    r"\blanguages?\b": "english french german spanish italian chinese japanese korean russian portuguese dutch",
}
#: What one thing of a kind is called, by how the pattern of the kind begins; of kinds that hold others the narrower come first.
_ONE_OF: dict[str, str] = {
    "兄弟": "兄弟姐妹",
    "孩子": "孩子",
    "宠物": "一种动物",
    "乐器": "一种乐器",
    "运动": "一种运动",
    "水果": "一种水果",
    "饮料": "喝的东西",
    "家人": "家里人",
    "外语": "一门外语",
    r"\bsiblings": "a sibling",
    r"\b(?:children": "a child",
    r"\bpets": "an animal",
    r"\binstruments": "an instrument",
    r"\bsports": "a sport",
    r"\bfruits": "a fruit",
    r"\b(?:drinks": "a drink",
    r"\b(?:family": "a relative",
    r"\blanguages": "a language",
}
_KIND_OF: dict[str, str] = {
    thing: called
    for begins, called in reversed(_ONE_OF.items())
    for pattern, things in _KINDS.items()
    if pattern.startswith(begins)
    for thing in things.split()
}
_PATTERNS = [(re.compile(pattern, re.IGNORECASE), tuple(things.split())) for pattern, things in _KINDS.items()]


@dataclass(frozen=True, slots=True)
class Kind:
    """The ``word`` of a text that names a kind (*pets*, 乐器), and ``things`` of it, as words."""

    word: str
    things: tuple[str, ...]


def kind_of(thing: str) -> str:
    """What a thing of an everyday kind is, as one would say it (``cat`` → ``an animal``, 猫 → 一种动物); empty for any other."""
    return _KIND_OF.get(thing.casefold(), "")


def kinds_of(text: str) -> tuple[Kind, ...]:
    """The kinds that ``text`` names, each once."""
    found = ((pattern.search(text), things) for pattern, things in _PATTERNS)
    return tuple(Kind(match[0], things) for match, things in found if match)


#: What asks for an attribute without its name, and the words that statements have for it.
_ATTRIBUTES = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"(?<=[你您我他她])(?:今年|现在|到底)?(?:已经)?多大(?:年纪|岁数|年龄)?(?=[了啊呀呢？?。]|\Z)", " 年龄 岁 "),
        (r"(?<=[你您我他她])(?:现在)?(?:到底)?是?(?:做|干)(?:什么|啥)(?:工作|的)(?=[啊呀呢？?。]|\Z)", " 职业 工作 "),
        (r"(?<=[你您我他她])的?生日(?:是|在)?(?:哪天|哪一天|几月几号|什么时候)", " 生日 "),
    )
)


def as_stated(question: str) -> str:
    """``question`` with the name of the attribute that it asks for (*你多大了？*: 年龄), if it has none; other text as it is."""
    for pattern, words in _ATTRIBUTES:
        question = pattern.sub(words, question)
    return question
