"""What is asked to be kept, and what is not."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.text.confidences import Confidence, confidence

KNOWN = ("Bo", "小明", "韩梅梅")

KEPT = [
    ("Don't tell Bo.", ("bo",), True),
    ("Please don't tell Bo that I am moving to York.", ("bo",), False),
    ("I'm pregnant. Don’t tell Bo and Ann Smith!", ("bo", "ann smith"), False),
    ("don't tell anyone", ("*",), True),
    ("Keep it between us, ok?", ("*",), True),
    ("My mom must not know.", ("mom",), True),
    ("Keep this from my boss please", ("boss",), True),
    ("Not a word to anyone.", ("*",), True),
    ("Don't tell him yet.", ("*",), True),
    ("You mustn't tell Bo.", ("bo",), True),
    ("Don't let Bo find out", ("bo",), True),
    ("Don't mention this to Ann", ("ann",), True),
    ("This is a secret.", ("*",), True),
    ("Just between you and me: I hate plums.", ("*",), False),
    ("别告诉小明", ("小明",), True),
    ("我怀孕了，别告诉小明。", ("小明",), False),
    ("别告诉小明我怀孕了", ("小明",), False),
    ("不要让妈妈知道", ("妈妈",), True),
    ("这是秘密", ("*",), True),
    ("这是我们的秘密哦", ("*",), True),
    ("别跟别人说", ("*",), True),
    ("别告诉他", ("*",), True),
    ("瞒着我爸", ("爸爸",), True),
    ("对小红保密", ("小红",), True),
    ("千万不要说出去", ("*",), True),
    ("不要和王老师说我逃课了", ("王老师",), False),
    ("谁都别说", ("*",), True),
    ("别告诉李雷，我喜欢韩梅梅", ("李雷",), False),
    ("替我保密", ("*",), True),
]


@pytest.mark.parametrize(("text", "names", "is_bare"), KEPT)
def test_a_request_to_keep_something(text, names, is_bare):
    found = confidence(text, KNOWN)
    assert (found.kept_from, found.told, found.is_bare) == (names, (), is_bare)


MORE = [
    ("Don't tell Mr. Brown", ("mr brown",)),
    ("Don't tell Dr. Smith about it.", ("dr smith",)),
    ("别让我爸妈知道", ("爸爸", "妈妈")),
    ("千万不能让我妈知道", ("妈妈",)),
    ("Don't tell 小明.", ("小明",)),
    ("别告诉 Bob", ("bob",)),
    ("You can't tell Bob", ("bob",)),
    ("Don't tell Bob, will you?", ("bob",)),
    ("Could you please not tell Bob?", ("bob",)),
    ("Nobody must know", ("*",)),
    ("No one must know", ("*",)),
    ("Tell no one", ("*",)),
    ("Promise you won't tell anyone", ("*",)),
    ("Don't you dare tell Bob", ("bob",)),
    ("I don't want Bob to know", ("bob",)),
    ("Bob can never know", ("bob",)),
    ("Because Bob can never know", ("bob",)),
    ("Don't ever let Bob find out", ("bob",)),
    ("Don't share this with Bob", ("bob",)),
    ("Don't mention the party to Bob", ("bob",)),
    ("This stays between us", ("*",)),
    ("Keep the letter a secret from Bob.", ("bob",)),
    ("don't tell bob or ann", ("bob", "ann")),
    ("DON'T TELL BOB ABOUT IT", ("bob",)),
    ("She must never know.", ("*",)),
    ("Keep Bob in the dark.", ("bob",)),
    ("你知我知", ("*",)),
    ("别让小明听见", ("小明",)),
    ("别叫小明发现", ("小明",)),
    ("烂在肚子里", ("*",)),
    ("守口如瓶，别传出去", ("*",)),
    ("别把这事告诉小明", ("小明",)),
    ("不要把这件事告诉小明", ("小明",)),
    ("小明不能知道", ("小明",)),
    ("我觉得小明不能知道", ("小明",)),
    ("我不想让小明知道", ("小明",)),
    ("不准告诉小明", ("小明",)),
    ("答应我别告诉小明", ("小明",)),
    ("保守秘密", ("*",)),
    ("帮我保守秘密", ("*",)),
    ("能不能别告诉小明？", ("小明",)),
    ("别往外说", ("*",)),
    ("别在小明面前说", ("小明",)),
    ("別告訴小明", ("小明",)),
    ("這是秘密", ("*",)),
    ("不要讓小明知道", ("小明",)),
    ("谁也不能知道", ("*",)),
]


MORE += [
    ("Our little secret, ok?", ("*",)),
    ("It'll be our secret.", ("*",)),
    ("No, and he must never know.", ("*",)),
    ("No, Bo must not know.", ("bo",)),
    ("If Bo asks, you know nothing.", ("bo",)),
    ("When Bo asks about it, just say you never heard it.", ("bo",)),
    ("小明问起来你就说不知道。", ("小明",)),
    ("要是小明问，就说不知道", ("小明",)),
    ("Would you mind not telling Bo?", ("bo",)),
    ("Don't let it slip to Bo", ("bo",)),
    ("Don't spill the beans to Bo.", ("bo",)),
    ("Don't let it slip.", ("*",)),
    ("I'd rather Bo didn't know", ("bo",)),
    ("I'd rather Bo never found out.", ("bo",)),
    ("Would you mind not informing Bo?", ("bo",)),
    ("Can I trust you with a secret?", ("*",)),
    ("Keep mum about it", ("*",)),
    ("Please be discreet.", ("*",)),
    ("千万保密。", ("*",)),
    ("保密啊", ("*",)),
    ("不要外传", ("*",)),
    ("跟你说个秘密", ("*",)),
    ("勿告小明", ("小明",)),
    ("休要告诉小明", ("小明",)),
    ("答应我不告诉小明", ("小明",)),
    ("你可以不告诉小明吗？", ("小明",)),
    ("小明还不知道，别说。", ("小明",)),
    ("让小明蒙在鼓里吧", ("小明",)),
    ("这事只有你知道", ("*",)),
]
BESIDE = [
    ("保密啊，灯笼是我打碎的。", ("*",)),
    ("我要离职了，千万保密。", ("*",)),
    ("秘密，我要离职了。", ("*",)),
    ("跟你说个秘密，我要离职了。", ("*",)),
    ("悄悄告诉你，我要离职了。", ("*",)),
    ("悄悄跟你说，我喜欢小雨。", ("*",)),
    ("偷偷和你说，我要离职了。", ("*",)),
    ("嘘，望远镜是礼物。", ("*",)),
    ("勿告小明，罗盘丢了。", ("小明",)),
    ("让小明蒙在鼓里吧，仙人掌死了。", ("小明",)),
    ("我要离职了，小明还不知道，别说。", ("小明",)),
    ("Would you mind not telling Bo I'm leaving?", ("bo",)),
    ("Don't let it slip to Bo that I'm leaving.", ("bo",)),
    ("I'd rather Bo didn't know about the cactus.", ("bo",)),
    ("Can I trust you with a secret? I'm leaving.", ("*",)),
    ("Keep mum about it, I'm leaving.", ("*",)),
    ("Please be discreet about my leaving.", ("*",)),
]


@pytest.mark.parametrize(("text", "names"), BESIDE)
def test_a_request_beside_what_it_is_about(text, names):
    found = confidence(text, KNOWN)
    assert (found.kept_from, found.told, found.is_bare) == (names, (), False)


@pytest.mark.parametrize(
    "text",
    [
        "Can I trust you?",
        "Can I trust you with my car?",
        "The secret of good bread is time.",
        "Show, don't tell.",
        "If he asks, I know nothing about it.",
        "When Bo asks about the exam, I never know what to say.",
        "Our secret agent came home.",
        "老师问我，我就说不知道。",
        "She is a discreet person.",
        "I had to keep quiet about it.",
        "I'd rather Bo didn't come.",
        "I would prefer to not know.",
        "Would you mind not smoking?",
        "Would you mind telling Bo?",
        "Don't let it slip out of your hands.",
        "Don't spill the milk.",
        "Bo doesn't know the way.",
        "我签了保密协议。",
        "保密工作很重要。",
        "这本书叫秘密花园",
        "我跟你说个秘密武器",
        "嘘，安静一点。",
        "嘘，别出声",
        "我答应妈妈不告诉你",
        "小明答应不吃糖。",
        "我保证不告诉小明",
        "小明还不知道怎么去。",
        "我还不知道，别说了。",
        "小明被蒙在鼓里。",
        "祖传的手艺，从不外传。",
        "你可以不来吗？",
    ],
)
def test_words_of_secrecy_alone_ask_for_nothing(text):
    assert not confidence(text, KNOWN)


@pytest.mark.parametrize(("text", "names"), MORE)
def test_a_bare_request_in_other_words(text, names):
    assert confidence(text, KNOWN) == Confidence(kept_from=names, is_bare=True)


@pytest.mark.parametrize(
    "text",
    [
        "Don't tell me you forgot!",
        "I don't tell Bo everything.",
        'He said "don\'t tell Bo".',
        "I never tell lies.",
        "Why don't you tell Bo?",
        "I can't tell Bo and Ann apart",
        "The secret garden is a good book.",
        "If you don't tell Bo, I will.",
        "I love Bo.",
        "I see growth in confidence in the kids.",
        "别告诉我你忘了",
        "我没告诉小明",
        "他说“别告诉小明”。",
        "我知道小明。",
        "You can't tell Bo and Ann apart",
        "I can keep a secret.",
        "I can't know that.",
        "I don't want Bo to leave.",
        "你为什么不告诉小明？",
        "你能不能告诉小明一声？",
        "这是秘密吗？",
        "不要说话",
        "You can tell Bo is tired these days.",
        "I don't think you can tell Bo.",
        "I wish you could tell Bo.",
        "Only when I am dead you can tell Bo.",
        "Can you tell Bo now?",
        "You can tell her now.",
        "It's not a secret that I love tea.",
        "Bo already knows how to drive.",
        "小明已经知道了怎么开车。",
        "我要是能告诉小明就好了，可是不行。",
        "等我好了你才能告诉小明。",
        "可以告诉小明了吗？",
        "",
        "…",
    ],
)
def test_what_is_no_request(text):
    assert not confidence(text, KNOWN)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("You can tell Bo now.", ("bo",)),
        ("It's ok to tell Bo", ("bo",)),
        ("Bo knows now", ("bo",)),
        ("It's no longer a secret.", ("*",)),
        ("可以告诉小明了", ("小明",)),
        ("小明已经知道了", ("小明",)),
        ("不用瞒着小明了", ("小明",)),
        ("已经不是秘密了", ("*",)),
    ],
)
def test_what_may_be_told_now(text, names):
    found = confidence(text, KNOWN)
    assert (found.told, found.about, found.kept_from) == (names, "", ())


@pytest.mark.parametrize(
    ("text", "names", "about"),
    [
        ("You can tell Bo about the party now.", ("bo",), "about the party"),
        ("The party is no longer a secret.", ("*",), "The party"),
        ("可以告诉小明聚会的事了", ("小明",), "聚会的事了"),
        ("聚会已经不是秘密了", ("*",), "聚会"),
    ],
)
def test_what_of_may_be_told_now(text, names, about):
    assert confidence(text, KNOWN) == Confidence(told=names, about=about)


def test_whom_it_does_not_make_clear_counts_as_anybody():
    assert confidence("别告诉欧阳无忌我喜欢韩梅梅", KNOWN).kept_from == ("*",)


@given(st.text(max_size=200))
def test_any_text_is_read(text):
    found = confidence(text, KNOWN)
    assert all(name == name.strip() and name for name in (*found.kept_from, *found.told))


@pytest.mark.parametrize(
    "text",
    [
        "don't tell " + "Bo and " * 20_000,
        "别告诉" + "小" * 100_000,
        "keep it from A" + " A" * 9_000,
        "you can tell " + "Bo, " * 9_000 + "about now " * 9_000,
        "keep a " * 9_000,
        "don't say " * 9_000,
        "知道了" * 9_000,
        "小明" * 300 + "已经知道了",
    ],
)
def test_a_long_line_takes_no_time(text):
    start = time.perf_counter()
    confidence(text, KNOWN)
    assert time.perf_counter() - start < 2.0


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('*leans in* "Don\'t tell Bo, but I was in prison in Malmo."', ("bo",)),
        ("Don't... tell Bo that I was in prison.", ("bo",)),
        ("Don\u02bct tell Bo about it.", ("bo",)),
        ("Don't\ntell Bo about it.", ("bo",)),
        ("Don't tell **Bo** about it.", ("bo",)),
        ("Please make sure Bo never finds out about it.", ("bo",)),
        ("Bo must not be told about it.", ("bo",)),
        ("Don't disclose to Bo where I was.", ("bo",)),
        ("Don't show Bo my letters.", ("bo",)),
        ("Say nothing to Bo.", ("bo",)),
        ("You can tell anyone except Bo.", ("bo",)),
        ("Keep my prison past from Bo.", ("bo",)),
        ("Don't bring it up with Bo.", ("bo",)),
        ("Strictly confidential: I was in prison.", ("*",)),
        ("This is our little secret.", ("*",)),
        ("I'll tell you a secret.", ("*",)),
        ("Between us, I hate it.", ("*",)),
        ("This must not leave this room.", ("*",)),
        ("千萬別說，我坐過牢", ("*",)),
        ("不要透露给小明", ("小明",)),
        ("以免小明知道", ("小明",)),
        ("對小明隱瞞這件事", ("小明",)),
        ("小明面前别提", ("小明",)),
        ("当着小明的面别说", ("小明",)),
        ("不告诉小明好吗", ("小明",)),
        ("别透露", ("*",)),
        ("别声张。", ("*",)),
        ("打死也别说", ("*",)),
        ("这是机密", ("*",)),
        ("私下跟你说", ("*",)),
        ("别 告 诉 小 明，我 坐 过 牢", ("小明",)),
        ("“别告诉小明，我坐过牢。”", ("小明",)),
    ],
)
def test_other_wordings_and_other_marks(text, names):
    assert confidence(text, KNOWN).kept_from == names


@pytest.mark.parametrize(
    "text",
    [
        'Bo told me: "Don\'t tell Ann, it is a secret."',
        'My favourite song is "Don\'t Tell Mama".',
        'We read "Secret Garden".',
        "Keep away from the cliff.",
        "I keep the bread from the bakery.",
        "Don't show me the picture.",
        "The secret is butter.",
        "它只在我们之间的海里。",
        "别说了，我们走吧。",
        "你还别说，真好看。",
        "他在我面前别提多高兴了",
        "《别告诉她》很好看",
        "“你好，我是小雨。”",
    ],
)
def test_what_is_quoted_or_only_sounds_like_it_asks_for_nothing(text):
    assert not confidence(text, KNOWN)


@pytest.mark.parametrize(
    ("before", "ask", "name"), [("So it went on. ", "Don't tell Bo.", "bo"), ("后来又下雨了。", "别告诉小明。", "小明")]
)
@pytest.mark.parametrize("times", [10, 200, 2000])
def test_what_is_asked_in_the_middle_of_a_long_text_is_heard(before, ask, name, times):
    assert confidence(before * times + ask + before * times, KNOWN).kept_from == (name,)


@given(st.integers(0, 3000), st.integers(0, 3000))
def test_what_is_asked_in_a_sentence_without_end_is_heard(before, after):
    assert confidence(f"{'a ' * before}don't tell Bo {'b ' * after}").kept_from


def test_of_a_sentence_without_end_no_piece_lifts_anything():
    told = "you can tell Bo now"
    assert confidence(told).told == ("bo",)
    for before in range(0, 2000, 50):
        assert not confidence(f"{'x' * before} {'y ' * 600} {told}").told


@pytest.mark.parametrize(
    ("text", "matter"),
    [
        ("Don't tell Bo about Zanzibar.", "zanzibar"),
        ("I hate rain. Don't tell Bo about Zanzibar.", "zanzibar"),
        ("别告诉小明桑给巴尔的事", "桑给巴尔"),
        ("I won a prize. Don't tell Bo.", ""),
        ("Don't tell Bo.", ""),
    ],
)
def test_what_a_request_is_about(text, matter):
    assert confidence(text, KNOWN).matter == matter


# -- signs --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "@{}",
        "@\u2068{}\u2069",
        "<@{}>",
        "🐻{}🐻",
        "🐻 {}",
        "~{}~",
        "_{}_",
        "[{}]",
        "[{}](https://example.org/a)",
        "<b>{}</b>",
        "({})",
        ": {}",
        "-> {}",
        "‘{}’",
        "**{}**",
        "'{}'",
        "-{}-",
        "♡{}♡",
    ],
)
@pytest.mark.parametrize(
    ("ask", "called", "kept"), [("Don't tell {}", "Bo", "bo"), ("别告诉{}", "小明", "小明"), ("别告诉 {}", "Bo", "bo")]
)
def test_signs_at_a_name_are_no_part_of_it(name, ask, called, kept):
    assert confidence(ask.format(name.format(called))).kept_from in ((kept,), ("*",))


@pytest.mark.parametrize(
    "text",
    [
        "`don't tell Bo`",
        "Don&#39;t tell Bo",
        "Don&rsquo;t tell <i>Bo</i>",
        "Ｄｏｎ＇ｔ　ｔｅｌｌ　Ｂｏ",
        "𝐃𝐨𝐧'𝐭 𝐭𝐞𝐥𝐥 𝐁𝐨",
        "Don\u2032t tell Bo",
        "Don\u201bt tell Bo",
        "Don't 🙏 tell Bo",
        "Don\\'t tell Bo",
        "Don&amp;#39;t tell Bo",
        "I did it😀Don't tell Bo",
        "It was I. Don't tell Bo.",
        "I like vitamin C. Don't tell Bo.",
    ],
)
def test_signs_in_a_request_say_nothing(text):
    assert confidence(text).kept_from == ("bo",)


@pytest.mark.parametrize(
    "name", ["{{user}}", "{{char}}", "<USER>", "{user}", "🐻", "$bo", "007", "#1", "/u/bo", "<@1234>", "Bo's mum"]
)
@pytest.mark.parametrize(
    "ask", ["Don't tell {}", "Don't tell {} I am leaving.", "Keep it a secret from {}", "别告诉{}", "别告诉{}我怀孕了"]
)
def test_a_name_that_cannot_be_read_counts_as_anybody(name, ask):
    kept = confidence(ask.format(name)).kept_from
    assert "*" in kept or "bo" in kept or "bo's" in kept


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Don't tell Jose\u0301", "josé"),
        ("Don't tell Zoe\u0308 that I left", "zoë"),
        ("Don't tell Hie\u0302\u0301u", "hiếu"),
        ("Don't tell Серге\u0438\u0306", "сергей"),
        ("Don't tell राहुल", "राहुल"),
        ("Don't tell 4ever", "4ever"),
        ("Don't tell T.J.", "tj"),
        ("Don't tell T.J. I left.", "tj"),
        ("Don't tell J. Brown", "j brown"),
        ("Don't tell J.R.R. Tolkien about it", "jrr"),
        ("don't tell t.j.", "tj"),
        ("别告诉T.J.", "tj"),
        ("别告诉J. Brown", "j brown"),
    ],
)
def test_a_name_is_whole(text, name):
    assert confidence(text).kept_from == (name,)


@pytest.mark.parametrize(
    "joint",
    [
        " & ",
        "&",
        "/",
        " / ",
        " + ",
        " (or ",
        " (and ",
        " and/or ",
        " as well as ",
        ", & ",
        " and also ",
        " or even ",
        " | ",
        "—or ",
        " plus ",
        "\nor ",
        "; or ",
        ", and don't tell ",
    ],
)
def test_all_of_a_list_are_kept_out(joint):
    assert confidence(f"Don't tell Bo{joint}Kai").kept_from == ("bo", "kai")
    assert sorted(confidence(f"Keep it from Bo{joint}Kai.").kept_from) == ["bo", "kai"]


@pytest.mark.parametrize("joint", ["/", "／", "&", " & ", "+", "、", "还有", "（和", "(或者", " / "])
def test_all_of_a_list_in_chinese_are_kept_out(joint):
    for ask in ("别告诉小明{}阿华", "别让小明{}阿华知道", "别跟小明{}阿华说", "Don't tell 小明{}阿华"):
        assert "阿华" in confidence(ask.format(joint)).kept_from or "*" in confidence(ask.format(joint)).kept_from, ask


@pytest.mark.parametrize(
    "text",
    [
        "I like tea & cake/pie.",
        "I don't tell 4 people.",
        "Keep it from 5 to 9.",
        "Mail ann@example.org",
        "a | b",
        "You never tell, you only show.",
        "Don't warn/scare the birds.",
        "别说了🐻。",
        "别告诉我，你忘了。",
        "你知道小明/阿华吗",
    ],
)
def test_signs_ask_for_nothing(text):
    assert not confidence(text, KNOWN)


# -- whose words --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        '*says quietly* "Don\'t tell Bo"',
        '*asks softly* "Don\'t tell Bo, okay?"',
        '*I lean in and say* "Don\'t tell Bo."',
        "*I whispered to Wren:* “Don't tell Bo.”",
        '*Leans closer to Wren and says* "Don\'t tell Bo"',
        '*Softly says* "Don\'t tell Bo"',
        '*she whispers* "Don\'t tell Bo."',
        '*I lean to Wren then whisper* "Don\'t tell Bo."',
        '*leans to Wren, then whispers* "Don\'t tell Bo."',
        '*Grins then says* "Don\'t tell Bo."',
        'I look at you then say: "Don\'t tell Bo."',
        "靠近他小声说：“别告诉Bo。”",
        'Ann Smith said: "Don\'t tell Bo."',
        'Then Annie said: "Don\'t tell Bo."',
        '*after a moment says* "Don\'t tell Bo."',
        '*Ann says* "Don\'t tell Bo."',
        'Ann said, "Don\'t tell Bo."',
        'Ann quietly said to Wren: "Don\'t tell Bo."',
        'I told Wren, "Don\'t tell Bo."',
        "“Don't tell Bo,” Ann said.",
        "*小声说*“别告诉Bo。”",
        "*凑过来，低声说*“别告诉Bo”",
        "我悄悄说：“别告诉Bo。”",
        "我走过去，小声说：“别告诉Bo。”",
        "低声说道：“别告诉Bo。”",
        'I mean, "Don\'t tell Bo."',
        '*passes a note that reads* "Don\'t tell Bo."',
        "Ann说：“别告诉Bo。”",
    ],
)
def test_what_somebody_tells_of_their_own_words_is_said_by_them(text):
    assert confidence(text, ("Ann", "Wren"), "Ann").kept_from == ("bo",)


@pytest.mark.parametrize(
    "text",
    [
        'Kai said, "Don\'t tell Bo."',
        '*Kai says* "Don\'t tell Bo."',
        'Then Kai quietly whispered, "Don\'t tell Bo."',
        'wren told Eve: "don\'t tell Bo"',
        'I heard Kai say "Don\'t tell Bo."',
        'She said softly, "Don\'t tell Bo."',
        'My mother told me, "Don\'t tell Bo."',
        'The teacher said, "Don\'t tell Bo."',
        'Mum says "don\'t tell Bo"',
        'I never said "Don\'t tell Bo."',
        "他走过来，小声说：“别告诉Bo。”",
        "*小明说*“别告诉Bo。”",
        "小红小声说：“别告诉Bo。”",
        "李雷说：“别告诉Bo。”",
        "我妈说：“别告诉Bo。”",
        "妈妈跟我说：“别告诉Bo。”",
        "我没说“别告诉Bo。”",
        "我听小明说：“别告诉Bo。”",
    ],
)
def test_what_somebody_else_said_is_asked_by_nobody_here(text):
    assert not confidence(text, ("Ann", "Wren", "小明"), "Ann")


@pytest.mark.parametrize(
    "text",
    [
        "." * 40_000,
        "…" * 40_000,
        ".…" * 20_000,
        ".. " * 20_000,
        "..." + " " * 40_000,
        "a" + "_" * 40_000 + "b",
        "“" * 40_000,
        "「" * 40_000,
        "《" * 40_000,
        "' " * 20_000,
        "[" * 40_000,
        "[a](" * 10_000,
        "a" + "🐻" * 40_000 + " ",
        "🐻" * 40_000,
        "a" + "\u0301" * 40_000,
        "<" * 40_000,
        "<b" * 20_000,
        "<@" * 20_000,
        "{{" * 20_000,
        "&#" * 20_000,
        "&amp" * 10_000,
        "@" * 40_000,
        "/" * 40_000,
        " / " * 13_000,
        "A." * 20_000,
        "A. " * 13_000,
        "*" * 40_000,
        "*a " * 13_000,
        "~" * 40_000,
        "`" * 40_000,
        'said "a" ' * 5_000,
        "说“" * 20_000,
        "Bo & " * 9_000,
        "(or " * 10_000,
        "Mr. " * 10_000,
        "don't tell {{" * 3_000,
        "don't tell 🐻" * 3_000,
        "don't tell me " * 3_000,
        "Bo; " * 10_000,
        "Bo (Kai" * 6_000,
        "\\" * 40_000,
        "别告诉我，" * 8_000,
        "别告诉小明，小红，" * 4_000,
    ],
)
@pytest.mark.parametrize("around", ["{}", "don't tell Bo {} don't tell Bo"])
def test_a_run_of_signs_takes_no_time(text, around):
    start = time.process_time()
    confidence(around.replace("{}", text), KNOWN)
    assert time.process_time() - start < 1.0
