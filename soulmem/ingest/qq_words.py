"""What QQ and WeChat write in place of words: pictures, sounds, files, messages that were taken back and other notices; and what
stands above a reply, which another said."""

from __future__ import annotations

import re

_MEDIUM = (
    r"图片|照片|原图|闪照|动画表情|商城表情|自定义表情|表情包?|语音(?:消息|通话)?|音频|视频(?:消息|通话)?|短视频|小视频|文件夹?"
    r"|位置|实时位置|名片|个人名片|红包|转账|链接|小程序|音乐|戳一戳|窗口抖动|聊天记录"
    r"|image|photo|picture|sticker|emoji|voice|audio|video|file|location|contact card|red packet|transfer|link|mini program"
)
#: A name of a file, and how long a sound is: what may stand beside such a mark, or alone in a message of that kind.
_FILE = r"[^\s\[\]/\\]{1,120}\.(?!com\b|cn\b|org\b|net\b)[A-Za-z][A-Za-z0-9]{1,4}"
_LENGTH = (
    r"\d{1,2}[:：]\d{2}(?::\d{2})?|\d{1,4}(?:\.\d)?\s*(?:秒钟?|分钟|分(?:\d{1,2}秒)?|[\"”″]|['′’](?:\d{1,2}[\"”″])?|s(?:ec)?\b)"
)
_SIZE = r"[(（]?\d[\d.,]{0,12}\s*(?:[KMG]i?B|B|字节)[)）]?"
_MARK = re.compile(
    rf"[\[【](?:文件|file)[\]】][ \t]*[^\n\[\]]{{1,150}}\.[a-z][a-z0-9]{{1,4}}[ \t]*(?:{_SIZE})?[ \t]*$"
    rf"|[\[【](?:{_MEDIUM})(?:\s*[:：](?:[^\[\]【】\n]|\[[^\[\]\n]{{0,50}}\]){{0,200}}|\s*(?:{_LENGTH}))?[\]】]"
    rf"(?:[ \t]*(?:{_LENGTH}|{_FILE}|{_SIZE})(?=\s|\[|【|\Z))*",
    re.IGNORECASE | re.MULTILINE,
)
_BESIDE = re.compile(rf"(?:{_FILE}|{_LENGTH}|{_SIZE})(?=\s|\Z)", re.IGNORECASE)
#: The kinds of messages, as programs name them, that have no words of their own.
_KINDS = frozenset({"image", "picture", "photo", "audio", "voice", "ptt", "video", "file", "sticker", "market_face", "location"})

_NAMED = r"[\"“「][^\n\"”」]{1,60}[\"”」]"
_TAKEN_BACK = r"撤回了一条(?:群?成员(?:的)?)?消息"
_AGAIN = r"[。.]?(?:\s*[（(\[【]?重新编辑[）)\]】]?)?"
_NOTICE = re.compile(
    rf"(?:{_NAMED}\s*|(?:你|您|对方|管理员|群主)\s*|[^\n，,。]{{1,60}}\s){_TAKEN_BACK}{_AGAIN}"
    rf"|\[?(?:该|此|这条)?消息已(?:被)?撤回\]?[。.]?|\[?{_TAKEN_BACK}\]?"
    rf"|(?:{_NAMED}|you|你) recalled a message\.?"
    rf"|(?:{_NAMED}\s*拍了拍\s*(?:{_NAMED}|自己|我|你)|我\s*拍了拍\s*{_NAMED})[^\n，,。]{{0,20}}"
    rf"|(?:{_NAMED}|你)\s*邀请\s*(?:{_NAMED}|你)[^\n]{{0,80}}加入了?群聊|{_NAMED}\s*(?:通过[^\n]{{1,80}})?加入了?群聊"
    rf"|(?:{_NAMED}|你)\s*修改群名为\s*{_NAMED}|(?:你|您)已添加了[^\n]{{1,60}}现在可以开始聊天了[。.]?",
    re.IGNORECASE,
)
#: In every notice stands one of these; in most texts none.
_MAY_BE_NOTICE = re.compile(r"撤回|recalled|拍了拍|群聊|群名|开始聊天", re.IGNORECASE)
# 「小林: 几点？」 and a line of dashes: what a reply in WeChat answers.
_QUOTED = re.compile(r"\A\s*「(?>[^\n:：」]{1,80}[:：])[\s\S]*?」[ \t]*\n[ \t]*(?:[-－—–][ \t]?){3,}(?:\n|\Z)")


def is_no_words(text: object, kind: object = "") -> bool:
    """Whether a message is nothing but pictures, sounds, files or faces. ``kind``: what the file says that it is."""
    if not isinstance(text, str) or not text.strip():
        return False
    left = _MARK.sub(" ", text)
    if isinstance(kind, str) and kind.casefold() in _KINDS:
        left = _BESIDE.sub(" ", left)
    return left != text and not left.strip()


def is_notice(text: object, speaker: object = "") -> bool:
    """Whether the program tells something: that a message was taken back, who came into the group. ``speaker``: by whose name."""
    if not isinstance(text, str) or _MAY_BE_NOTICE.search(text) is None:
        return False
    bare = text.strip()
    by_name = f"你{bare.removeprefix(speaker)}" if isinstance(speaker, str) and speaker and bare.startswith(speaker) else bare
    return any(_NOTICE.fullmatch(told) for told in (bare, by_name))


def without_quotation(text: str) -> str:
    """The words of a message without those it answers, which are another's."""
    return _QUOTED.sub("", text)
