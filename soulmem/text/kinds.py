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
_PATTERNS = [(re.compile(pattern, re.IGNORECASE), tuple(things.split())) for pattern, things in _KINDS.items()]


@dataclass(frozen=True, slots=True)
class Kind:
    """The ``word`` of a text that names a kind (*pets*, 乐器), and ``things`` of it, as words."""

    word: str
    things: tuple[str, ...]


def kinds_of(text: str) -> tuple[Kind, ...]:
    """The kinds that ``text`` names, each once."""
    found = ((pattern.search(text), things) for pattern, things in _PATTERNS)
    return tuple(Kind(match[0], things) for match, things in found if match)
