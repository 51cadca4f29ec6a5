"""What the text of an answer really is: thinking aloud, a failure told as text, a refusal, or another language."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache

from soulmem.errors import CallTrouble, ModelCallError
from soulmem.llm.secrets import reason
from soulmem.text.spaces import single_spaced

#: An error told as text is short, and begins so. Longer texts are content.
_LONGEST_ERROR = 2000
_ERROR = re.compile(
    r"""(?ix) [\s"'`*\[({]* (?:
        (?: api[ ] | http[ ] | server[ ] | upstream[ ] | request[ ] | litellm[\w.]*[ :]+ )?
            (?: error | 错误 | 请求失败 | 请求错误 ) [ ]* [:：\-(]* [ ]* (?: code | status | 代码 | 状态码 )? [ ]* [:：=]? [ ]*
            [(\[]? (?P<status>[45]\d\d) \b
      | (?: http (?: /\d (?:\.\d)? )? | status (?:[ ]code)? ) [ :]* (?P<status2>[45]\d\d) \b
      | (?P<status3>429|500|502|503|504) [ ]+
            (?: too[ ]many | internal[ ]server | bad[ ]gateway | service[ ] (?:temporarily[ ])? unav | gateway[ ]time )
      | (?P<busy> rate[ ]limit (?:[ ]|\b) (?: exceeded | reached | error ) | too[ ]many[ ]requests | 请求过于频繁
            | you[ ]exceeded[ ]your[ ]current[ ]quota )
      | (?P<html> <!doctype[ ]html | <html\b )
    )"""
)
_ERROR_OBJECT = re.compile(r'(?s)\s*\{\s*"(?:error|detail|message|object)"\s*:')
_STATUS_IN_OBJECT = re.compile(r'"(?:code|status|status_code)"\s*:\s*"?([45]\d\d)\b')
_BEGINNING = 32

_THINKING = re.compile(r"(?is)<(think|thinking|thought|reasoning|analysis)\b[^>]*>.*?</\1\s*>")
_THINKING_OPEN = re.compile(r"(?is)<(think|thinking|thought|reasoning|analysis)\b[^>]*>.*\Z")
_THINKING_END = re.compile(r"(?is)\A.*</(think|thinking|thought|reasoning|analysis)\s*>")

_REFUSALS = re.compile(
    r"""(?ix)
      \b as [ ] an [ ] (?: ai | artificial[ ]intelligence | (?:large[ ])? language[ ]model ) \b
    | \b i (?: ['’]m | [ ]am ) [ ] (?: just[ ] | only[ ] )? (?: an[ ]ai | a[ ] (?:large[ ])? language[ ]model ) \b
    | \b i (?: ['’]m | [ ]am )? [ ]* (?: sorry | apologi[sz]e | afraid ) \b [^.!?\n]{0,60}
        \b (?: can (?:no|'|’)t | can[ ]not | unable | won['’]t | not[ ]able ) \b [^.!?\n]{0,60}
        \b (?: assist | help (?:[ ]you)? [ ]with | fulfil | comply | (?:this|that|your)[ ]request | provide | generate | create )
    | \b i [ ] (?: can (?:no|'|’)t | can[ ]not | am[ ]unable[ ]to | won['’]t ) [ ]
        (?: assist | comply | fulfil | help[ ]with[ ] (?:that|this)
          | (?: provide | generate | create | process ) [ ] (?: that | this | such | content | explicit | any ) )
    | 作为 [ ]? (?:一个|一名|一款)? [ ]? (?: ai | 人工智能 | (?:大型?)? 语言模型 )
    | 我 (?:只)? 是 (?:一个|一名|一款)? (?: ai[ ]?助手 | 人工智能助手 | (?:大型?)? 语言模型 )
    | (?: 抱歉 | 对不起 | 很遗憾 ) [，,、 ]* 我? [^。！？\n]{0,12} (?: 无法 | 不能 | 不便 ) [^。！？\n]{0,10}
        (?: 协助 | 提供 | 满足 | 完成 | 处理 | 生成 | 回答 ) [^。！？\n]{0,20} (?: 请求 | 要求 | 内容 | 问题 | 服务 | 任务 )
    """
)
#: A refusal stands at the beginning.
_REFUSAL_WITHIN = 160

_REPEATED = re.compile(r"(?s)(.{2,80}?)\1{3,}")
_LEAST_REPEATED = 24
_LINE_HEAD = re.compile(
    r"""(?x) \A \s* (?: \[\d+\] [ ]* (?: \d{4}-\d\d-\d\d [ ] \d\d:\d\d [ ]* )? | \d{4}-\d\d-\d\d [ ] \d\d:\d\d [ ]* )
        [^\n:：]{0,60} [:：] \s*"""
)
_PROMPT_TAG = re.compile(r"\A\s*</?(?:memories|messages|summary|known|notes|sentence)>")
_ECHO_WIDE, _ECHO_NARROW = 5, 16

_LETTERS_PER_HAN = 3
_LETTERS_ENOUGH = 16
#: Names and words of another language are no other language; above this share of the letters they are.
_MOST_FOREIGN = 0.5
_LEAST_SHARE = 0.1


def check_no_error(text: str) -> None:
    """Raises :class:`ModelCallError` where ``text`` is a failure of the provider told as if it were an answer."""
    status = error_status(text)
    if status is None:
        return
    busy = status == 429
    passing = busy or status >= 500
    trouble = CallTrouble.BUSY if busy else CallTrouble.BROKEN if passing else CallTrouble.REQUEST
    raise ModelCallError(
        f"the model's server told an error as if it were the answer: {reason(text)}",
        trouble=trouble,
        passing=passing,
        advice="Try again later." if passing else "Check model.name, model.base_url and the key.",
    )


def error_status(text: str) -> int | None:
    """The HTTP status that ``text`` tells, 500 where it is an error without one; ``None``: it is no error."""
    if len(text) > _LONGEST_ERROR and not text.lstrip()[:15].lower().startswith(("<!doctype html", "<html")):
        return None
    if _ERROR_OBJECT.match(text) and '"error"' in text[:200]:
        told = _STATUS_IN_OBJECT.search(text)
        return int(told[1]) if told else 500
    match = _ERROR.match(single_spaced(text))
    if match is None:
        return None
    if match["busy"]:
        return 429
    return int(match["status"] or match["status2"] or match["status3"] or 500)


def may_become_error(beginning: str) -> bool:
    """Whether a text that begins so may still turn out to be an error."""
    stripped = beginning.lstrip(" \n\t\"'`*[({")
    return len(stripped) < _BEGINNING or error_status(beginning) is not None


def without_thinking(text: str) -> str:
    """``text`` without what the model thought aloud, closed or cut off; a beginning without its opening tag too."""
    text = _THINKING.sub("", text)
    text = _THINKING_OPEN.sub("", text)
    return _THINKING_END.sub("", text).strip()


def is_refusal(text: str) -> bool:
    """Whether ``text`` says that the model will not do what it was asked."""
    return bool(_REFUSALS.search(text[:_REFUSAL_WITHIN]))


def is_repetition(text: str) -> bool:
    """Whether ``text`` got stuck: a stretch of it comes at least four times in a row, to the end of it or over more than half."""
    return any(
        len(stuck[0]) >= _LEAST_REPEATED and (stuck.end() >= len(text.rstrip()) - len(stuck[1]) or len(stuck[0]) > len(text) / 2)
        for stuck in _REPEATED.finditer(text)
    )


def without_line_head(text: str) -> str:
    """``text`` without the head of a line as prompts show it (``[3] 2024-05-31 18:30 Wren: …``): a model goes on in that form."""
    return _LINE_HEAD.sub("", text, count=1)


def is_echo(text: str, instructions: str, source: str) -> bool:
    """Whether ``text`` is copied from ``instructions`` and not said in ``source``. Names are too short to tell."""
    if _PROMPT_TAG.match(text):
        return True
    long_enough = len(text) >= (_ECHO_WIDE if any(character > "\u2e7f" for character in text) else _ECHO_NARROW)
    return long_enough and text in instructions and text not in source


def is_foreign(text: str, source: str) -> bool:
    """Whether ``text`` is mostly in a script that ``source`` hardly uses. Too few letters are of no language."""
    said, heard = _scripts(text), _scripts(source)
    letters = sum(said.values())
    if letters < _LETTERS_ENOUGH or not heard:
        return False
    script, count = said.most_common(1)[0]
    return count > _MOST_FOREIGN * letters and heard[script] < _LEAST_SHARE * sum(heard.values())


def _scripts(text: str) -> Counter[str]:
    """Letters by script. A Chinese character counts as several."""
    counted: Counter[str] = Counter()
    for character, count in Counter(text).items():
        if character.isalpha():
            script = _script(character)
            counted[script] += _LETTERS_PER_HAN * count if script == "CJK" else count
    return counted


@lru_cache(maxsize=4096)
def _script(character: str) -> str:
    """The first word of the character's Unicode name: LATIN, CJK, CYRILLIC, HANGUL, HIRAGANA …"""
    return unicodedata.name(character, "UNKNOWN").partition(" ")[0]
