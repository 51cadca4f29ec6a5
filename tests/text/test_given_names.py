"""A given name alone is somebody's only where nobody and nothing else can be meant by it."""

from __future__ import annotations

import pytest

from soulmem.text.entities import entity_mentions

KIT = ("I met Kit Marlow at the harbour.", "Really? How is Kit these days?", "Well, Kit has a boat, and Kit says it is slow.")
MAN = ("昨天我在码头遇到了林小满。", "小满最近怎么样?", "小满买了一条新船。", "林小满从来不会拒绝。")


@pytest.mark.parametrize(
    ("texts", "name", "given"),
    [
        (KIT, "Kit Marlow", "Kit"),
        (KIT[::-1], "Kit Marlow", "Kit"),
        (("My neighbour Kit Marlow rang.", "And then my friend Kit said no."), "Kit Marlow", "Kit"),
        (MAN, "林小满", "小满"),
        (("我问了周晓梅。", "晓梅买了茶。"), "周晓梅", "晓梅"),
    ],
)
def test_a_given_name_is_an_alias_of_the_one_full_name(texts: tuple[str, ...], name: str, given: str) -> None:
    found = entity_mentions(texts, speakers=["Mara", "Ben", "阿明", "老陈"])
    assert given not in found
    assert found[name].aliases == (given,)
    assert found[name].texts == tuple(place for place, text in enumerate(texts) if given in text)


@pytest.mark.parametrize(
    ("texts", "apart"),
    [
        ((*KIT, "Yesterday I met Kit Harris too."), {"Kit", "Kit Marlow", "Kit Harris"}),
        (("I met Ada Marlow and told Kit Marlow.", "Oh, how is Marlow? Well, Marlow said no."), {"Ada Marlow", "Marlow"}),
        (("We went to New York.", "I like it in York. How is York?"), {"New York", "York"}),
        (("I saw the Hull Fair. We met Hull Fair folk.", "They live in Hull. How is Hull?"), {"Hull Fair", "Hull"}),
        (("I met Paris Hilton.", "Yes, we met Paris Hilton in Paris. How is Paris?"), {"Paris Hilton", "Paris"}),
        (("I had a Kit Kat.", "Well, my friend Kit said so. How is Kit?"), {"Kit Kat", "Kit"}),
        (("I met Victoria.", "She waits, says Victoria, at Victoria Station."), {"Victoria", "Victoria Station"}),
        (("I met Grace Hopper. How is Grace?", "She moves with grace, and I asked Grace."), {"Grace Hopper", "Grace"}),
        (("I met Captain Tulloch.", "They met Captain, and how is Captain?"), {"Captain Tulloch", "Captain"}),
        ((*MAN, "我也问了王小满。"), {"林小满", "小满", "王小满"}),
        ((*MAN, "小满是一个节气。"), {"林小满", "小满"}),
        ((*MAN, "到了小满那天再说。"), {"林小满", "小满"}),
        (("我问了林小满。", "小满吃苦菜。"), {"林小满", "小满"}),
        (("我向小满借钱，向小满说好。", "嗯，小满最近怎么样？小满说她很好。"), {"小满"}),
    ],
)
def test_where_another_may_be_meant_both_stay(texts: tuple[str, ...], apart: set[str]) -> None:
    assert apart <= set(entity_mentions(texts, speakers=["Mara", "Ben", "阿明", "老陈"]))


def test_a_full_name_that_is_known_elsewhere_may_be_meant_too() -> None:
    assert {"Kit", "Kit Marlow"} <= set(entity_mentions(KIT, known=["kit harris"]))
    assert "Kit" not in entity_mentions(KIT, known=["kit", "kit marlow", "mara"])
    assert {"小满", "林小满"} <= set(entity_mentions(MAN, known=["王小满"]))


def test_who_speaks_is_who_speaks() -> None:
    found = entity_mentions(KIT, speakers=["Kit", "Ben"])
    assert {"Kit", "Kit Marlow"} <= set(found)
    assert found["Kit"].aliases == ()
    found = entity_mentions(KIT, speakers=["Kit Harris", "Ben"])
    assert found["Kit Marlow"].aliases == ()
