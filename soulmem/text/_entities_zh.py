"""Chinese: names by jieba's tags, by title marks and by introductions; topics by how often nouns recur."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from operator import add
from sys import intern

from soulmem.text import _jieba
from soulmem.text._candidates import Candidate
from soulmem.text.language import HAN, has_cjk
from soulmem.text.stopwords import FUNCTION_CHARACTERS, stop_words, words_of

_SURNAMES = frozenset(
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦许何吕张孔曹严华金魏陶姜谢邹喻苏潘葛范彭鲁韦马方俞任袁柳唐罗薛雷贺倪汤殷郝安常乐傅齐康"
    "伍余顾孟黄萧尹姚邵汪毛戴宋庞熊纪项祝董梁杜阮蓝闵贾江童颜郭梅林刁钟徐邱骆高夏蔡田樊胡凌霍万柯卢莫丁邓洪石崔龚程裴陆翁侯段"
    "焦谷牧车宁仇刘景詹龙叶黎白蒲欧聂曾关游沙赖文向冷辛温柴阎习艾鱼古易"
)
_DOUBLE_SURNAMES = (
    "欧阳",
    "司马",
    "上官",
    "诸葛",
    "东方",
    "皇甫",
    "尉迟",
    "公孙",
    "慕容",
    "令狐",
    "夏侯",
    "司徒",
    "南宫",
    "端木",
)

#: Characters that foreign names are written with.
_FOREIGN = frozenset(
    "阿埃艾爱安奥巴白贝比彼宾波伯布查茨达戴丹德迪蒂丁杜多恩尔法菲费芬弗福盖格戈哈汉赫亨霍基吉加杰卡凯柯科克肯库拉莱兰劳勒雷里利莉莲林"
    "琳隆卢露鲁伦罗洛玛马麦曼梅门蒙米密莫姆穆纳娜内尼妮诺欧帕佩皮普奇乔切琼萨塞桑瑟莎舍什史斯丝苏索塔泰汤特提廷图托瓦万威韦维文沃乌西"
    "希夏休雅亚扬耶伊英尤约泽詹珍朱兹佐治顿森逊翰娅妲黛蕾薇朗开"
)

#: What jieba tags as a name or place and is none.
_NO_NAMES = words_of(
    """
谢谢 文明 明白 明智 智慧 高超 关怀 祝福 宁静 安静 荣幸 才华 宝贵 古老 拓宽 雪山 滑雪 美的 曝光 城市 美丽 海滨
东西 深度 山脉 登山 攀岩 山川 冰川 山坡 山峰 海滩 湖泊 旅游指南 确保安全 注意安全 上山 海鲜 新鲜 老城区 外国 午安 内省 长跑 老师
老板 老人 老家 老公 老婆 老实 老是 阿姨 小时 小心 小说 小吃 小组 小学 小区 小孩 小朋友 小伙伴 小事 小姐 小声
小气 小菜 老大 老外 老年 老伴 大海 高原 草原 森林 海边 沙漠 世界 地球 国家 乡村 农村 城里 市区 郊区 国内 国外
海外 家乡 本地 当地 北方 南方 东方 西方 聊天 安全 高兴 温馨 温暖 温柔 安慰 安心 安排 安稳 常常 康复 乐趣 乐观
乐意 万分 万一 何必 任何 向往 金钱 严格 方法 方便 华丽 黄金 白天 白色 黑色 冷静 冷漠 易怒 夏天 秋天 高中 高考
周末
"""
)

_GENERIC = words_of(
    """
东西 事情 问题 时间 时候 朋友 人们 大家 方式 方法 方面 建议 情况 地方 感觉 生活 工作 心情 今天 明天 昨天 晚上
早上 下午 上午 中午 周末 现在 最近 需要 帮助 支持 分享 推荐 选择 帮忙 想法 意思 办法 机会 结果 原因 内容 部分
过程 经验 经历 能力 影响 作用 关系 重要 聊天 伴侣 感受 印象 话题 回答 消息 样子 程度 样式 种类 事物 事儿 人生
世界 全部 目标 计划 活动 信息 情绪 乐趣 体验 享受 心里 内心 心态 困难 挑战 压力 自信 信心 快乐 祝福 祝愿
祝你好运 收获 意义 特色 特点 风格 类型 细节 角度 状态 氛围 一下 好好 小时 天气 人 事 话 点 有趣 关心 关注 交流
沟通 理解 了解 学习 努力 注意 准备 保持 放松 开心 高兴 喜欢 希望 相信 尝试 提高 提供 欣赏 感谢 期待 主意 学会
试试 个人 人类 美丽 深度 有时候 实体 方向 主题 兴趣 技巧 水平 发展
"""
)

_TITLE = re.compile(r"《(?P<name>[^《》\n]{1,30})》")
_CALLED = "[我他她它猫狗鸟兔]叫|(?:宠物|[女儿]儿|儿子|[弟妹]妹|弟弟|哥哥|姐姐|朋友|同事|同学|老师|孩子|老板)叫"
_INTRODUCED = re.compile(
    rf"(?:{_CALLED}|名叫|叫做|叫作|取名叫?|名字(?:是|叫)|(?:^|[，。！？,.!?\s])我是)(?P<name>[{HAN}]{{2,4}})"
    r"(?=[，。！？、,.!?；;~\s”」]|$)"
)
_NICKNAME = re.compile(rf"[小阿老][{HAN}]{{1,2}}\Z")
_ORGANISATION = re.compile(r"(?:大学|学院|中学|小学|公司|集团|银行|医院|电视台|出版社|乐队|俱乐部|协会|博物馆|图书馆)\Z")

_CHINESE_NAME = re.compile(rf"[{HAN}]{{2,8}}")

#: jieba's tags of what may be a topic, and of all that may be one or a name.
_TOPICS = frozenset({"n", "vn", "nz", "ns", "nt"})
_NOUNS = _TOPICS | {"nr", "nrt"}

#: Commoner words that jieba tags as persons are ordinary words (文明, 智慧).
_RARE = 150


@lru_cache(maxsize=1 << 16)
def _words(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of a text that are names, and those that may be topics. Tagging is what costs, and both need it."""
    words = [(word, tag) for word, tag in _jieba.tagged(_TITLE.sub("，", text)) if tag in _NOUNS and len(word) > 1]
    names = tuple(intern(word) for word, tag in words if _is_name(word, tag))
    return names, tuple(intern(word) for word in sorted({word for word, tag in words if _is_topic(word, tag)}))


def entities(
    texts: Sequence[str], gone: Callable[[int], None] = lambda _: None, known: Iterable[str] = ()
) -> Iterator[Candidate]:
    """Names in ``texts``, also those of ``known`` that are no ordinary words. ``gone(number)``: how many texts were gone through,
    told after each."""
    names = {name for name in known if _is_told_apart(name)}
    for number, text in enumerate(texts, start=1):
        names.update(_names(text) if has_cjk(text) else ())
        gone(number)
    places = places_of(names, texts)
    for name in sorted(names):
        if places[name]:
            yield Candidate(name, places[name])


def places_of(words: Collection[str], texts: Sequence[str]) -> dict[str, frozenset[int]]:
    """Which of ``texts`` each of ``words`` stands in."""
    if not words:
        return {}
    begun: dict[str, list[int]] = {word[:2]: [] for word in words}
    short = [beginning for beginning in begun if len(beginning) < 2]
    for place, text in enumerate(texts):
        for beginning in (*(begun.keys() & map(add, text, text[1:])), *(one for one in short if one in text)):
            begun[beginning].append(place)
    return {word: frozenset(place for place in begun[word[:2]] if len(word) <= 2 or word in texts[place]) for word in words}


def _names(text: str) -> Iterator[str]:
    for match in _TITLE.finditer(text):
        if re.search(r"\w", match["name"]):
            yield match["name"].strip()
    for match in _INTRODUCED.finditer(text):
        if not _is_ordinary(match["name"]):
            yield match["name"]
    yield from _words(text)[0]


def _is_told_apart(name: str) -> bool:
    """Whether a name can be told from what else is said: 老顾, but not 妈妈."""
    return _CHINESE_NAME.fullmatch(name) is not None and not _is_ordinary(name) and _jieba.frequency(name) < _RARE


def _is_ordinary(word: str) -> bool:
    return word in _NO_NAMES or word in stop_words() or any(character in FUNCTION_CHARACTERS for character in word)


@lru_cache(maxsize=1 << 15)
def _is_name(word: str, tag: str) -> bool:
    if _is_ordinary(word):
        return False
    if tag in ("nr", "nrt"):
        person = has_surname(word) or _NICKNAME.match(word) is not None or _FOREIGN.issuperset(word)
        return person and _jieba.frequency(word) < _RARE
    if tag == "nt":
        return _ORGANISATION.search(word) is not None
    return tag == "ns" and _jieba.frequency(word) > 0


def has_surname(word: str) -> bool:
    if word.startswith(_DOUBLE_SURNAMES):
        return len(word) in (3, 4)
    return word[0] in _SURNAMES and len(word) in (2, 3)


def given_name(name: str) -> str:
    """The given name of a full Chinese name: 小满 of 林小满; empty where it is one character, or this is no such name."""
    if not re.fullmatch(f"[{HAN}]{{3,4}}", name) or not has_surname(name):
        return ""
    given = name[2:] if name.startswith(_DOUBLE_SURNAMES) else name[1:]
    return given if len(given) > 1 else ""


def short_forms(name: str) -> tuple[str, ...]:
    """How a person of this full Chinese name may be called: 张曼婷 → 曼婷, 小张, 小婷, 婷婷 …; none for other names."""
    if not re.fullmatch(f"[{HAN}]{{2,4}}", name) or not has_surname(name):
        return ()
    surname = 2 if name.startswith(_DOUBLE_SURNAMES) else 1
    given, last = name[surname:], name[-1]
    forms = [given] if len(given) > 1 else []
    forms += [prefix + part for prefix in "小阿老" for part in (name[:surname], last)]
    return tuple(dict.fromkeys((*forms, last + last, last + "儿")))


def topics(texts: Sequence[str]) -> Iterator[Candidate]:
    """Nouns of two and more characters that are not in everyone's talk."""
    number = Counter(word for text in texts if has_cjk(text) for word in _words(text)[1])
    # A word that jieba cuts out once only may be a wrong cut, which is then found inside other words.
    words = {word for word, times in number.items() if times > 1}
    places = places_of(words, texts)
    for word in sorted(words):
        yield Candidate(word, places[word])


@lru_cache(maxsize=1 << 15)
def _is_topic(word: str, tag: str) -> bool:
    if tag not in _TOPICS or word in _GENERIC or len(set(word)) == 1:
        return False
    return FUNCTION_CHARACTERS.isdisjoint(word) and word not in stop_words()
