"""Closed lists of function words, Chinese and English: words that say how a sentence is built, not what it is about."""

from __future__ import annotations

from functools import lru_cache

#: Chinese characters that, alone, carry no meaning to search for. Characters that do (人, 天, 好, 吃, 去, 想) are not here.
FUNCTION_CHARACTERS = frozenset(
    "的地得了着过吗呢吧啊呀嘛哦嗯噢喔哎唉诶啦咯喽哈嘿呵么们个我你您他她它咱"
    "这那哪是在有不没也都就还又再才很太更最和与跟或而且但因为所以于从到向对把被让给"
    "之其何什谁几些每某此啥咋怎吓嗨呗哟"
)

#: Characters that are mostly parts of words (可能, 时间, 方法) and make no search term alone; the words they are in do.
BOUND_CHARACTERS = frozenset(
    "一可能会要常非时自感觉方己助帮如作建今议习实近试做题解起情体需法道行然分生果提用者动当享次外相同够推划程定加间种确技"
    "物识比并事重计发认式现样该等虑特出业通展适受合选化后面择主进度部候应备系成类历优点总期支直变值准已决使互际性及则将即"
    "只仅另由各位件般较既若且仍"
)

_CHINESE = """
我们 你们 他们 她们 它们 咱们 自己 大家 什么 怎么 怎样 怎么样 为什么 哪里 哪儿 哪个 哪些 这个 那个 这些 那些
这里 那里 这儿 那儿 这样 那样 这么 那么 多少 几个 一个 一些 一下 一点 有点 有些 没有 不是 还是 就是 只是 可是 但是
不过 而且 因为 所以 如果 虽然 然后 于是 或者 以及 并且 可以 可能 应该 已经 正在 曾经 一直 非常 真的 比较 特别 其实
当然 的话 时候 什么时候 之前 之后 以前 以后 关于 对于 由于 为了 通过 除了 不会 不能 不要 知道 觉得 告诉 是否
是不是 有没有 能不能 谢谢 你好 好的 不客气
"""

_ENGLISH = """
a an the this that these those some any each every all both few more most other another such no nor not only own same so
than too very i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her
hers herself it its itself they them their theirs themselves one ones who whom whose which what when where why how
am is are was were be been being have has had having do does did doing done will would shall should can could may might
must ought don't doesn't didn't isn't aren't wasn't weren't won't wouldn't can't couldn't shouldn't haven't hasn't hadn't
ain't and but or if because as until while of at by for with about against between into through during before after above
below to from up down in out on off over under again further then once here there also just even still already yet ever
never im ive id youre dont didnt doesnt cant wont thats whats lets really quite rather maybe perhaps well oh ah um uh hey
hi hello yeah yes yep nope ok okay please thanks thank get gets got getting go goes going went gone make makes made let
"""


def words_of(text: str) -> frozenset[str]:
    """The words of a list written as text."""
    return frozenset(text.split())


@lru_cache(maxsize=1)
def stop_words() -> frozenset[str]:
    """All function words as written (not stemmed), lower case."""
    return words_of(_CHINESE) | words_of(_ENGLISH)
