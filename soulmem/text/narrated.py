"""Whose words stand in quotation marks: one's own, as in a role-play, or those of somebody else. In doubt they are one's own."""

from __future__ import annotations

import re
from collections.abc import Iterable

from soulmem.text._entities_zh import has_surname
from soulmem.text.callings import may_mean
from soulmem.text.names import normal_name
from soulmem.text.stopwords import stop_words, words_of

_QUOTED = re.compile(r"“[^“”]*”|\"[^\"]*\"|「[^「」]*」|『[^『』]*』|《[^《》]*》|(?<!\w)'[^']*'(?!\w)")
#: So much before a quotation tells whose it is; characters.
_BEFORE = 80
#: What stands before a name of something, or before words that are looked at.
_NAMED = re.compile(
    r"(?:\b(?:read|reads|called|titled|named|song|book|film|movie|line|phrase|(?<!\bother\s)words?|quote|quoted|means|meant|(?<!\bi\s)mean|like)\b[^.!?\n]{0,12}"
    r"|[读写叫]|意思是|一句|名为|所谓|这句|那句)[：:，,\s]*\Z",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"(?:\b(?:said|says?|saying|told|tells|asked|asks?|wrote|writes?|whisper(?:ed|s)?|shout(?:ed|s)?|repl(?:ies|ied|y)|answer(?:ed|s)?"
    r"|add(?:ed|s)?|murmur(?:ed|s)?)\b[^.!?\n]{0,24}|[说道讲问喊唱])[：:，,\s]*\Z",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[.!?。！？\n“”\"「」]")
_NARRATION = re.compile(r"\*([^*\n]+)\*[^\w*]*\Z")
_NOT_SAID = re.compile(r"(?:\bnever|\bnot|n['’]t|没有?|不)\s*\Z", re.IGNORECASE)
_TO_ME = re.compile(
    r"\A(?:told|asked|asks|tells|says?\s+to|said\s+to|whispered\s+to)\s+(?:me|us)\b|[对跟和向给听]我们?\Z|听.{1,6}\Z",
    re.IGNORECASE,
)
#: Whoever stands after one of these is spoken to, and does not speak.
_TO = "".join(
    rf"(?<!\b{word}\s)" for word in sorted(words_of("to at with for near of by toward towards beside from behind into"))
)
_PERSON = r"(?:you|he|she|it|they|who|every(?:one|body)|some(?:one|body)|nobody|people|others|mum|mom|dad|mother|father)"
_BETWEEN = r"(?:\s+(?:\w+ly|then|also|just|once|has|had|have|always|never|will|would))*\s*\Z"
_NAME_BEFORE = re.compile(rf"(?-i:\b{_TO}(?P<name>[A-Z][\w'’-]*(?:\s+[A-Z][\w'’-]*){{0,2}})){_BETWEEN}", re.IGNORECASE)
_PERSON_BEFORE = re.compile(rf"\b{_TO}{_PERSON}{_BETWEEN}", re.IGNORECASE)
_SOMEBODY = re.compile(
    r"\b(?:he|she|they|who|mum|mom|dad|mother|father)\b"
    r"|\A\W*(?:(?:then|and|but|so)\s+)?(?:the|my|your|our|their|his|her|an?)\s+\w",
    re.IGNORECASE,
)
#: *I heard Bo say*: what one tells of another.
_HEARD = re.compile(r"\b(?:hear|heard|when|what|that|because|since|how|why|if|thought|think|know|knew)\s", re.IGNORECASE)
_I = re.compile(r"\b(?:I|we)\b", re.IGNORECASE)
_KIN = r"(?:老[师板婆公妈爸]|医生|经理|同[事学]|朋友|妈|爸|爷|奶|哥|姐|弟|妹|叔|姨|母亲|父亲|先生|女士|小姐)"
_I_ZH = re.compile(rf"[我咱](?!们?的?{_KIN})")
_SOMEBODY_ZH = re.compile(rf"(?<![对向跟和给近着到住过看拉了])[他她它你您]|有人|别人|大家|人家|{_KIN}")
_NICKNAME = re.compile(r"[小阿老](?![声心实])[\u4e00-\u9fff]")
#: How something is said: 高声, 安静地.
_MANNER_ZH = re.compile(r"(?:[小低轻悄高大柔]声|悄悄|偷偷|轻轻|笑着|又|也|就|才|还)+\Z")
#: *Softly says*, *smiling says*; between asterisks *grins says* too.
_NO_NAMES = ("ly", "ing", "s", "ed")
_NO_NAME_ZH = ("声", "地", "着", "静", "柔")


def own_words(text: str, speaker: str = "", names: Iterable[str] = ()) -> str:
    """``text`` without what it quotes of somebody else or names; what ``speaker`` says in quotation marks as if it stood there
    without them. ``names``: those of people that are known."""
    own = normal_name(speaker)
    others = tuple(one for one in map(normal_name, names) if one and one != own)
    return _QUOTED.sub(lambda quoted: f" {_ended(quoted[0][1:-1])} " if _is_own(quoted, own, others) else " ", text)


def _ended(words: str) -> str:
    """Who speaks is no part of what they say: *"Don't tell Bo," Ann said.*"""
    return f"{words[:-1]}." if words.endswith((",", "，")) else words


def _is_own(quoted: re.Match[str], own: str, others: tuple[str, ...]) -> bool:
    if quoted[0][0] == "《":
        return False
    before = quoted.string[max(quoted.start() - _BEFORE, 0) : quoted.start()]
    narration = _NARRATION.search(before)
    told = (narration[1] if narration else _CLAUSE.split(before.replace("*", ""))[-1]).strip()
    said, named = _SAID.search(told), _NAMED.search(told)
    is_written = narration is not None and named is not None and named[0].lower().startswith("read")
    if named and not is_written and not (said and said.start() > named.start()):
        return False
    return not said or not _is_of_other(told[: said.start()].strip(), said[0], own, others, is_narration=narration is not None)


def _is_of_other(subject: str, verb: str, own: str, others: tuple[str, ...], *, is_narration: bool) -> bool:
    """Whether somebody else says it. ``subject``: what stands before the word for it; ``is_narration``: between asterisks, where
    *she* is mostly the speaker."""
    if _NOT_SAID.search(subject) or _TO_ME.search(verb) or _TO_ME.search(subject):
        return True
    is_mine = bool(_I.search(subject) or _I_ZH.search(subject)) and not _HEARD.search(subject)
    name = _name_before(subject, others, _NO_NAMES if is_narration else _NO_NAMES[:2])
    if is_mine or (name and _may_be(name, own)):
        return False
    if name:
        return True
    if is_narration or (own and own in normal_name(subject)):
        return False
    return any(pattern.search(subject) for pattern in (_PERSON_BEFORE, _SOMEBODY, _SOMEBODY_ZH))


def _may_be(name: str, own: str) -> bool:
    """Whether the speaker may be called ``name``: Ann is Annie, and Ann Smith."""
    words = [word for word in name.split(" ") if word not in stop_words()]
    return bool(own) and (may_mean(name, own) or any(word.startswith(own) or own.startswith(word) for word in words))


def _name_before(subject: str, others: tuple[str, ...], endings: tuple[str, ...]) -> str:
    """The name of whom the subject surely is, as a normal name; nothing if there is none. ``endings``: those of words that are
    no names."""
    before = _NAME_BEFORE.search(subject)
    word = normal_name(before["name"]) if before else ""
    if word and word.split(" ")[-1] not in stop_words() and not word.endswith(endings):
        return word
    plain = normal_name(subject)
    if found := next((one for one in others if plain == one or plain.startswith(f"{one} ")), ""):
        return found
    return _name_before_zh(plain, others)


def _name_before_zh(plain: str, others: tuple[str, ...]) -> str:
    if found := next((one for one in others if not one.isascii() and plain.startswith(one)), ""):
        return found
    bare = _MANNER_ZH.sub("", plain)
    is_name = _NICKNAME.fullmatch(bare) or (2 <= len(bare) <= 3 and has_surname(bare) and not bare.endswith(_NO_NAME_ZH))
    return bare if is_name else ""
