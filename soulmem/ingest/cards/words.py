"""Words of the notes that cards and lorebooks become, in the language they are written in; keys; and texts made readable."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from soulmem.ingest.cards.macros import resolved
from soulmem.ingest.chat_text import said
from soulmem.model.notes import derived_id
from soulmem.text.language import Language, language
from soulmem.text.names import normal_name

_MOST_BLANK = re.compile(r"\n{3,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Phrases, with places for names."""

    user: str
    nobody: str
    somebody: str
    of: str
    verbal: str
    being: str
    stated: str
    quoted: str
    asked: str
    says: str
    does: str
    begins: str
    talks: str
    scene: str
    scene_tags: tuple[str, ...]
    greeting_tags: tuple[str, ...]
    group_tags: tuple[str, ...]
    book: str
    books: str
    separator: str
    is_: str
    likes: str
    known_for: str
    stands: str
    knows: str
    holds: str
    part: str
    has_part: str
    continues: str
    mentions: str
    about: str
    comma: str
    personality: str


EN = Words(
    user="User",
    nobody="Character",
    somebody="whoever",
    of="{0}'s {1}: {2}",
    verbal="{0} {1}: {2}",
    being="{0}, {1}: {2}",
    stated="{0}: {1}",
    quoted="“{0}”",
    asked="Asked “{1}”, {0} says: {2}",
    says="says “{0}” to",
    does="does: {0}",
    begins="begins to talk with",
    talks="talks with",
    scene="How {0} is with people.",
    scene_tags=("scenario", "how we meet"),
    greeting_tags=("greeting",),
    group_tags=("greeting", "group"),
    book="Lorebook of {0}",
    books="Lorebook: {0}",
    separator=", ",
    is_="is",
    likes="likes or dislikes",
    known_for="is known for",
    stands="is in the situation",
    knows="knows the world of",
    holds="tells of",
    part="is part of",
    has_part="includes",
    continues="continues with",
    mentions="mentions",
    about="is about",
    comma=", ",
    personality="personality",
)
ZH = Words(
    user="用户",
    nobody="角色",
    somebody="任何人",
    of="{0}的{1}：{2}",
    verbal="{0}{1}：{2}",
    being="{0}，{1}：{2}",
    stated="{0}：{1}",
    quoted="“{0}”",
    asked="被问到“{1}”时，{0}说：{2}",
    says="说“{0}”",
    does="做：{0}",
    begins="来搭话",
    talks="聊天",
    scene="{0}与人相处的样子。",
    scene_tags=("场景", "怎么认识的"),
    greeting_tags=("问候", "打招呼"),
    group_tags=("问候", "打招呼", "群聊"),
    book="{0}的世界书",
    books="世界书：{0}",
    separator="、",
    is_="是",
    likes="好恶",
    known_for="以此为人所知",
    stands="身处",
    knows="了解这个世界",
    holds="讲到",
    part="属于",
    has_part="包括",
    continues="接着是",
    mentions="提到",
    about="关于",
    comma="，",
    personality="性格",
)


def words_for(texts: Iterable[str]) -> Words:
    """The words of the language that ``texts`` are written in; English where it is neither."""
    return ZH if language("\n".join(texts)) is Language.ZH else EN


def readable(text: str, character: str | None, words: Words) -> str:
    """A text of a card as words: macros resolved, marks of HTML and pictures removed, at most one empty line in a row."""
    return _MOST_BLANK.sub("\n\n", said(resolved(text, character, words is ZH), None, None))


def key_of(kind: str, text: str, *identity: str) -> str:
    """A readable key that the same content always gets: ``kind_words_of_text_1a2b3c4d``."""
    slug = re.sub(r"\W+", "_", normal_name(text)).strip("_")[:32].rstrip("_")
    mark = derived_id(kind, text, *identity)[:8]
    return f"{kind}_{slug}_{mark}" if slug else f"{kind}_{mark}"
