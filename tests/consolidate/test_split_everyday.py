"""Everyday talk: what is remembered of it, and what is not.

Written before the grammar that reads it, but for what stands at the end of each list.

A case is what is said (by Bo to Ann on Sunday 2026-03-08; a pair is a line of somebody else), and what one of the facts must
hold: its kind, its subject, fragments of its text.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest
from talk import facts, talk

from soulmem.consolidate.facts import Kind
from soulmem.consolidate.split import name_forms, split

ID, PREF, REL, EVENT, PROMISE, STATE, DATE = (
    Kind.IDENTITY, Kind.PREFERENCE, Kind.RELATION, Kind.EVENT, Kind.PROMISE, Kind.STATE, Kind.DATE,
)  # fmt: skip


class Said(NamedTuple):
    """Lines, and the fact that somebody would remember of them. ``kind``: of several, any will do."""

    lines: str | tuple[str | tuple[str, str], ...]
    kind: Kind | tuple[Kind, ...]
    subject: str
    holds: tuple[str, ...]


def said(lines: str | tuple[str | tuple[str, str], ...], kind: Kind | tuple[Kind, ...], subject: str, *holds: str) -> Said:
    return Said(lines, kind, subject, holds)


ENGLISH = [
    # who one is
    said("I'm from a tiny village near Lyon.", ID, "Bo", "from a tiny village near Lyon"),
    said("i live in leeds now", ID, "Bo", "lives in leeds"),
    said("We live on the fourth floor and there's no lift.", ID, "Bo", "fourth floor"),
    said("I've lived in Ghent for six years.", ID, "Bo", "lived in Ghent for six years"),
    said("I work at the harbour office.", ID, "Bo", "works at the harbour office"),
    said("I'm a nurse, mostly nights.", ID, "Bo", "is a nurse"),
    said("im a baker by the way", ID, "Bo", "is a baker"),
    said("I used to be a lifeguard.", ID, "Bo", "used to be a lifeguard"),
    said("I used to smoke.", ID, "Bo", "used to smoke"),
    said("I speak Catalan and a bit of Greek.", ID, "Bo", "speaks Catalan"),
    said("I've been vegan since 2019.", ID, "Bo", "vegan since 2019"),
    said("I'm left-handed.", ID, "Bo", "left-handed"),
    said("I'm in my second year of law school.", ID, "Bo", "second year of law school"),
    said("I study marine biology in Cork.", ID, "Bo", "studies marine biology"),
    said("I'm studying for a master's in geology.", ID, "Bo", "master's in geology"),
    said("Everybody calls me Bee.", ID, "Bo", "Bee"),
    said("I turned forty last week.", ID, "Bo", "turned forty"),
    said("I was born in Turin but grew up in Basel.", ID, "Bo", "Turin"),
    # taste
    said("I love rainy mornings!", PREF, "Bo", "loves rainy mornings"),
    said("cant stand olives tbh", PREF, "Bo", "olives"),
    said("I'm really into bouldering at the moment.", PREF, "Bo", "into bouldering"),
    said("My favourite film is Paprika.", PREF, "Bo", "favourite film is Paprika"),
    said("Liquorice is my favourite sweet.", PREF, "Bo", "Liquorice", "favourite"),
    said("I'd rather have tea than coffee.", PREF, "Bo", "tea", "coffee"),
    said("I prefer trains to planes.", PREF, "Bo", "prefers trains to planes"),
    said("I'm not a fan of horror films.", PREF, "Bo", "horror films"),
    said("I don't eat meat.", PREF, "Bo", "doesn't eat meat"),
    said("I'm allergic to shellfish, so no paella for me.", PREF, "Bo", "allergic to shellfish"),
    said("I've always hated flying.", PREF, "Bo", "hated flying"),
    said("I don't mind the cold.", PREF, "Bo", "doesn't mind the cold"),
    said("Spiders terrify me.", PREF, "Bo", "Spiders", "Bo"),
    said("Nothing beats fresh sourdough.", PREF, "Bo", "sourdough"),
    # relatives and others
    said("My sister Inês moved from Porto to Leeds in May.", (ID, EVENT), "Inês", "from Porto to Leeds"),
    said("My sister Inês moved from Porto to Leeds in May.", REL, "Bo", "sister is Inês"),
    said("My sister Inês lives in Leeds. She hates the rain.", PREF, "Inês", "Inês hates the rain"),
    said("My brother is a pilot.", ID, "Bo's brother", "brother is a pilot"),
    said("My mum works at the post office.", ID, "Bo's mum", "works at the post office"),
    said("My dad's a retired welder.", ID, "Bo's dad", "retired welder"),
    said("My girlfriend's name is Noor.", REL, "Bo", "girlfriend is Noor"),
    said("My wife's called Hana.", REL, "Bo", "wife is Hana"),
    said("My boss, Martin, is leaving in June.", EVENT, "Martin", "leaving in June"),
    said("I've got two brothers.", REL, "Bo", "two brothers"),
    said("I'm the youngest of five.", ID, "Bo", "youngest of five"),
    said("My parents live in Split.", ID, "Bo's parents", "live in Split"),
    said("My son started school on Monday.", EVENT, "Bo's son", "started school"),
    said("My daughter is seven.", ID, "Bo's daughter", "seven"),
    said("My grandma turns ninety in April.", (ID, EVENT), "Bo's grandma", "ninety"),
    said("My best friend Tariq is getting married in August.", EVENT, "Tariq", "getting married"),
    said("my roommate snores", (ID, STATE), "Bo's roommate", "snores"),
    said("My uncle died last year.", EVENT, "Bo's uncle", "died"),
    said("My mum can't swim.", ID, "Bo's mum", "can't swim"),
    said("My husband hates mushrooms.", PREF, "Bo's husband", "hates mushrooms"),
    # animals
    said("My dog is called Biscuit.", REL, "Bo", "dog is Biscuit"),
    said("We adopted a kitten yesterday.", (REL, EVENT), "Bo", "kitten"),
    said("We have a tortoise named Plato.", REL, "Bo", "tortoise is Plato"),
    said("Our cat Miso is afraid of thunder.", PREF, "Miso", "afraid of thunder"),
    said("My cat died in January.", EVENT, "Bo's cat", "died"),
    # what happened, what will
    said("I quit my job on Friday.", EVENT, "Bo", "quit", "2026-03-06"),
    said("Got the job!", EVENT, "Bo", "got the job"),
    said("I've just moved in with Sam.", (EVENT, ID), "Bo", "moved in with Sam"),
    said("I failed my driving test again.", EVENT, "Bo", "failed", "driving test"),
    said("We went to Crete last summer.", EVENT, "Bo", "went to Crete"),
    said("I broke my wrist skating.", (EVENT, STATE), "Bo", "broke Bo's wrist"),
    said("Passed my exam today, finally!", EVENT, "Bo", "passed Bo's exam", "2026-03-08"),
    said("My sister Inês lives in Leeds. I'm flying over on Friday to help her paint.", EVENT, "Bo", "flying", "2026-03-13"),
    said("I've got a dentist appointment on Tuesday.", EVENT, "Bo", "dentist appointment", "2026-03-10"),
    said("I'm starting a new job next Monday.", EVENT, "Bo", "starting a new job", "2026-03-"),
    said("We're getting married in September.", EVENT, "Bo", "getting married"),
    said("Exam's on the 19th.", EVENT, "Bo", "2026-03-19"),
    said("Moving to Lisbon in June!", EVENT, "Bo", "moving to Lisbon"),
    said("I'm gonna run the marathon in October.", EVENT, "Bo", "marathon"),
    said("The wedding got moved to May.", EVENT, "Bo", "wedding", "May"),
    said("Our trip to Oslo is cancelled.", EVENT, "Bo", "trip to Oslo", "cancelled"),
    # promised
    said("I promise I'll call you on Sunday.", PROMISE, "Bo", "call Ann"),
    said("I'll send you the photos tonight.", PROMISE, "Bo", "send Ann the photos"),
    said("i'll pick you up at six", PROMISE, "Bo", "pick Ann up"),
    # how one is
    said("I've got the flu.", STATE, "Bo", "has", "flu"),
    said("I'm exhausted, worked a double shift.", STATE, "Bo", "exhausted"),
    said("I have asthma.", (ID, STATE), "Bo", "has asthma"),
    said("I've been having trouble sleeping lately.", STATE, "Bo", "trouble sleeping"),
    said("My knee hurts today.", STATE, "Bo", "knee hurts"),
    said("feeling a bit down today", STATE, "Bo", "down"),
    # things and habits
    said("I drive an old red Volvo.", ID, "Bo", "old red Volvo"),
    said("I have a motorbike.", (ID, REL), "Bo", "motorbike"),
    said("I play bass in a punk band.", ID, "Bo", "plays bass"),
    said("I go swimming every Thursday.", ID, "Bo", "swimming every Thursday"),
    said("I usually get up at five.", ID, "Bo", "gets up at five"),
    said("I don't drink.", (PREF, ID), "Bo", "doesn't drink"),
    said("I'm learning Welsh.", ID, "Bo", "learning Welsh"),
    said("I moved out of my flat, and I'm staying with Nadia for now.", (EVENT, ID), "Bo", "moved out"),
    # more of all kinds
    said("My cousin Petra just opened a bakery in Graz.", EVENT, "Petra", "opened a bakery"),
    said("My neighbour plays the trumpet at midnight.", ID, "Bo's neighbour", "plays the trumpet"),
    said("i work as a paramedic in bristol", ID, "Bo", "works as a paramedic"),
    said("We're having a baby in July!", EVENT, "Bo", "having a baby"),
    said("I can't eat gluten.", (ID, PREF), "Bo", "can't eat gluten"),
    said("I've been playing chess since I was six.", ID, "Bo", "playing chess"),
    said("My grandfather was a miner.", ID, "Bo's grandfather", "was a miner"),
    said("I sold my car last month.", EVENT, "Bo", "sold Bo's car"),
    said("I hate the smell of petrol.", PREF, "Bo", "hates the smell of petrol"),
    said("Lost my wallet on the tram yesterday.", EVENT, "Bo", "lost Bo's wallet", "2026-03-07"),
    said("My sister's got twins.", (REL, ID), "Bo's sister", "twins"),
    said("My favorite season is autumn.", PREF, "Bo", "autumn"),
    said("I have two cats, Salt and Pepper.", REL, "Bo", "two cats"),
    said("I'm seeing the dentist on Thursday at four.", EVENT, "Bo", "dentist", "2026-03-12"),
    said("The concert's been cancelled.", EVENT, "Bo", "concert", "cancelled"),
    said("I live with my brother above a laundromat.", ID, "Bo", "lives with Bo's brother"),
    said("I'm a morning person.", PREF, "Bo", "morning person"),
    said("I gave up smoking in January.", (EVENT, ID), "Bo", "gave up smoking"),
    said("My mother speaks four languages.", ID, "Bo's mother", "speaks four languages"),
    said("I'm terrified of needles.", PREF, "Bo", "terrified of needles"),
    said("I'll water your plants while you're away.", PROMISE, "Bo", "water Ann's plants"),
    said("My back's been killing me all week.", STATE, "Bo", "back"),
    said("My son Leo is allergic to eggs.", PREF, "Leo", "allergic to eggs"),
    said("I got engaged on Saturday!!", EVENT, "Bo", "engaged", "2026-03-07"),
    said("I run a small bookshop with my wife.", ID, "Bo", "bookshop"),
]

CHINESE = [
    # 身份
    said("我是苏州人，现在在成都上班。", ID, "小波", "苏州人"),
    said("我是苏州人，现在在成都上班。", ID, "小波", "在成都上班"),
    said("我家住在河边。", ID, "小波", "住在河边"),
    said("我搬到西安三年了。", ID, "小波", "搬到西安"),
    said("我在医院当护士。", ID, "小波", "护士"),
    said("我做设计的，天天加班。", ID, "小波", "做设计"),
    said("我读大三，学建筑的。", ID, "小波", "大三"),
    said("我以前是跑船的。", ID, "小波", "以前是跑船的"),
    said("我今年二十六啦。", ID, "小波", "二十六"),
    said("我属羊。", ID, "小波", "属羊"),
    said("我是左撇子嘛。", ID, "小波", "左撇子"),
    said("我老家在湖南。", ID, "小波", "老家在湖南"),
    said("我是独生女。", ID, "小波", "独生女"),
    said("我会说粤语。", ID, "小波", "会说粤语"),
    said("我在学吉他呢", ID, "小波", "学吉他"),
    said("大家都叫我阿波。", ID, "小波", "阿波"),
    said("我不会开车。", ID, "小波", "不会开车"),
    said("我单身好多年了。", ID, "小波", "单身"),
    # 口味
    said("我超爱吃辣的！", PREF, "小波", "爱吃辣"),
    said("我最讨厌下雨天了。", PREF, "小波", "讨厌下雨天"),
    said("我不太喜欢人多的地方。", PREF, "小波", "不太喜欢人多的地方"),
    said("我对花粉过敏。", PREF, "小波", "对花粉过敏"),
    said("我最喜欢的电影是《海街日记》。", PREF, "小波", "最喜欢的电影是"),
    said("我最喜欢的颜色是墨绿。", PREF, "小波", "最喜欢的颜色是墨绿"),
    said("我从来不喝咖啡。", PREF, "小波", "不喝咖啡"),
    said("我吃素的。", (PREF, ID), "小波", "吃素"),
    said("比起咖啡，我更喜欢喝茶。", PREF, "小波", "喜欢喝茶"),
    said("受不了香菜的味道！", PREF, "小波", "受不了香菜"),
    said("我怕狗啦。", PREF, "小波", "怕狗"),
    said("最近迷上了攀岩。", PREF, "小波", "迷上了攀岩"),
    said("我特喜欢秋天。", PREF, "小波", "喜欢秋天"),
    said("我宁愿坐火车也不坐飞机。", PREF, "小波", "火车"),
    said("恐怖片我从来不看。", PREF, "小波", "恐怖片"),
    # 亲友
    said("我妹妹叫林穗。", REL, "小波", "妹妹叫林穗"),
    said("我姐去年从天津搬到了大连。", (ID, EVENT), "小波的姐", "从天津搬到了大连"),
    said("我弟弟是飞行员。", ID, "小波的弟弟", "飞行员"),
    said("我妈在邮局上班。", ID, "小波的妈", "在邮局上班"),
    said("我爸退休了。", (ID, EVENT), "小波的爸", "退休"),
    said("我女朋友叫小满，她是老师。", ID, "小满", "小满是老师"),
    said("我女朋友叫小满，她是老师。", REL, "小波", "女朋友叫小满"),
    said("我们家四口人。", (ID, REL), "小波", "四口人"),
    said("我有两个哥哥。", REL, "小波", "两个哥哥"),
    said("我儿子今年七岁。", ID, "小波的儿子", "七岁"),
    said("我女儿下周一开学。", EVENT, "小波的女儿", "2026-03-09", "开学"),
    said("我奶奶上个月走了。", EVENT, "小波的奶奶", "走了"),
    said("我室友打呼噜。", (ID, STATE), "小波的室友", "打呼噜"),
    said("我老公不吃蘑菇。", PREF, "小波的老公", "不吃蘑菇"),
    said("我爸妈住在绍兴。", ID, "小波的爸妈", "住在绍兴"),
    said("我闺蜜八月结婚。", EVENT, "小波的闺蜜", "结婚"),
    said("我妹妹住在大连。她不喜欢冬天。", PREF, "小波的妹妹", "妹妹不喜欢冬天"),
    said("我表哥是开面馆的。", ID, "小波的表哥", "开面馆"),
    said("我们家我最小。", ID, "小波", "最小"),
    # 宠物
    said("我家狗叫芝麻。", REL, "小波", "狗叫芝麻"),
    said("我养了两只猫。", REL, "小波", "两只猫"),
    said("昨天领养了一只小猫。", (REL, EVENT), "小波", "小猫"),
    said("我们家猫叫年糕，怕打雷。", REL, "小波", "猫叫年糕"),
    said("我家的猫怕打雷。", PREF, "小波的猫", "怕打雷"),
    said("我的狗上周走丢了。", EVENT, "小波的狗", "走丢"),
    # 事情
    said("我上周五辞职了。", EVENT, "小波", "辞职"),
    said("面试过了！", EVENT, "小波", "面试过了"),
    said("我驾照考试又挂了。", EVENT, "小波", "驾照考试又挂了"),
    said("去年夏天我们去了青岛。", EVENT, "小波", "去了青岛"),
    said("滑雪把手腕摔断了。", (EVENT, STATE), "小波", "手腕"),
    said("今天终于交论文了！", EVENT, "小波", "2026-03-08", "论文"),
    said("我周五飞去昆明看我姐。", EVENT, "小波", "2026-03-13", "昆明"),
    said("下周二要去看牙。", EVENT, "小波", "2026-03-1", "看牙"),
    said("我下个月就要换工作了。", EVENT, "小波", "换工作"),
    said("我们九月结婚。", EVENT, "小波", "结婚"),
    said("19号考试呢。", EVENT, "小波", "2026-03-19", "考试"),
    said("六月要搬去厦门啦！", EVENT, "小波", "厦门"),
    said("我报名了十月的马拉松。", EVENT, "小波", "马拉松"),
    said("婚礼改到五月了。", EVENT, "小波", "婚礼", "五月"),
    said("旅行取消了。", EVENT, "小波", "旅行取消"),
    said("我买了辆二手自行车。", EVENT, "小波", "自行车"),
    # 答应
    said("我周日给你打电话，说好了。", PROMISE, "小波", "给安娜打电话"),
    said("今晚我把照片发给你。", PROMISE, "小波", "照片发给安娜"),
    said("放心，我会替你保密的。", PROMISE, "小波", "替安娜保密"),
    said("我保证以后不迟到。", PROMISE, "小波", "不迟到"),
    # 状态
    said("我感冒了，嗓子疼。", STATE, "小波", "感冒"),
    said("累死了，今天连上两个班。", STATE, "小波", "累"),
    said("我有哮喘。", (ID, STATE), "小波", "哮喘"),
    said("最近老是睡不着。", STATE, "小波", "睡不着"),
    said("膝盖今天有点疼。", STATE, "小波", "膝盖", "疼"),
    said("今天心情不太好。", STATE, "小波", "心情不太好"),
    # 东西和习惯
    said("我开一辆旧沃尔沃。", ID, "小波", "沃尔沃"),
    said("我有一把大提琴。", (ID, REL), "小波", "大提琴"),
    said("我在乐队里弹贝斯。", ID, "小波", "弹贝斯"),
    said("我每周四去游泳。", ID, "小波", "每周四去游泳"),
    said("我一般五点起床。", ID, "小波", "五点起床"),
    said("我不抽烟也不喝酒。", (PREF, ID), "小波", "不抽烟"),
    said("我戒烟两年了。", (PREF, ID, EVENT), "小波", "戒烟"),
    said("生日是十一月三号啦。", DATE, "小波", "十一月三号"),
    # 其他
    said("我表妹在上海读研。", ID, "小波的表妹", "上海读研"),
    said("我邻居天天半夜吹小号。", ID, "小波的邻居", "吹小号"),
    said("我是急诊科的护士。", ID, "小波", "急诊科的护士"),
    said("我们七月要生宝宝了！", EVENT, "小波", "生宝宝"),
    said("我不能吃麸质的东西。", PREF, "小波", "不能吃麸质"),
    said("我从六岁开始下棋。", (ID, EVENT), "小波", "六岁开始下棋"),
    said("我爷爷以前是矿工。", ID, "小波的爷爷", "矿工"),
    said("上个月我把车卖了。", EVENT, "小波", "车卖了"),
    said("我讨厌汽油味。", PREF, "小波", "讨厌汽油味"),
    said("昨天在地铁上把钱包丢了。", EVENT, "小波", "钱包丢了", "2026-03-07"),
    said("我姐生了双胞胎。", EVENT, "小波的姐", "双胞胎"),
    said("最喜欢秋天了。", PREF, "小波", "秋天"),
    said("我有两只猫，一只叫盐，一只叫糖。", REL, "小波", "两只猫"),
    said("周四下午四点要去看牙医。", EVENT, "小波", "牙医", "2026-03-12"),
    said("演唱会取消了，好气。", EVENT, "小波", "演唱会", "取消"),
    said("我跟我弟住在一家洗衣店楼上。", ID, "小波", "洗衣店楼上"),
    said("我一月份把烟戒了。", (EVENT, PREF, ID), "小波", "烟戒了"),
    said("我妈会说四种语言。", ID, "小波的妈", "四种语言"),
    said("我特别怕打针。", PREF, "小波", "怕打针"),
    said("你出差的时候我帮你浇花。", PROMISE, "小波", "帮安娜浇花"),
    said("这周腰疼得厉害。", STATE, "小波", "腰疼"),
    said("我儿子小乐对鸡蛋过敏。", PREF, "小乐", "对鸡蛋过敏"),
    said("我跟老婆开了家小书店。", (ID, EVENT), "小波", "书店"),
    said("我失业三个月了。", (ID, STATE, EVENT), "小波", "失业"),
]

NOTHING_ENGLISH = [
    "Do you live in Leeds?", "You like olives, right?", "Did I tell you I live in Leeds?", "Have you got a dog?",
    "If I lived in Leeds I'd be wet all the time.", "Unless I move to Leeds in May.", "Even if I had a dog.",
    "I wish I had a dog.", "I want to live in Japan.", "I'd love a dog.", "I would love to live by the sea.",
    "I'm thinking of quitting my job.", "Maybe I'll get a cat.", "I might fly to Oslo on Friday.",
    "Just kidding, I live on the moon.", "I love mondays lol", "Yeah right, I love tax forms.",
    "Sure, I'm the queen of England.", "I'm totally a morning person, not.",
    "*I adopt a dog*", "*I broke my arm yesterday and cry*", "\"I hate olives,\" said Greta.", "He goes: \"I quit my job.\"",
    "Greta said she lives in Leeds.", "Apparently my boss quit.", "I heard Greta moved to Leeds in May.",
    "They say I work too much.", "Now playing: I Love Rock'n'Roll", "I'm listening to 'I Hate Myself for Loving You'.",
    "Call me tomorrow.", "Remember that I live in Leeds?", "Tell Greta I bought a canoe.", "Let's go to Oslo on Friday.",
    "I'm dying.", "I'm starving.", "I love it when that happens.", "I could eat a horse.", "You're killing me.",
    "It's raining cats and dogs.", "I feel you.", "I'm all ears.", "I'm on fire today.", "I'm in.", "I love you.",
    "I'm good, thanks.", "I'm back!",
    "Imagine I had a twin brother.", "Pretend I'm a pirate.", "You are a pirate captain.", "Be my sister.",
    "Is your brother a pilot?",
    "Would you say I hate spiders?",
    "I'd quit if I could.",
    "My sister wants me to move to Leeds.",
    "I can't believe I ate the whole thing.",
    "I'm so done with this.",
    "I'm over the moon.",
    "You should get a dog.",
    "Suppose I lived in Rome.",
    "My ass I'm a doctor lol",
    "Hate to say it, but no.",
    "Love this for you!",
    "Greta: I have a dog",
    "*Bo has two cats and smiles*",
    "\"My wife is called Hana,\" he reads.",
    "They told me my flight was cancelled.",
    "I dreamt that I moved to Oslo.",
    "I nearly broke my arm yesterday.",
    "I haven't got a dog.",
    "I never lived in Leeds.",
    "Feeling lucky, punk?",
    "Moving on!",
    "Kill me now.",
    "My heart is broken for you.",
]  # fmt: skip

NOTHING_CHINESE = [
    "你住在大连吗？", "你喜欢香菜吧？", "我跟你说过我住在大连吗？", "你养狗没有？", "我是不是很怕狗？",
    "要是我有一只狗就好了。", "如果我住在海边，天天去游泳。", "除非我下周搬到大连。", "就算我会开车也没用。",
    "真想养只狗。", "我想住在日本。", "好想去青岛啊。", "我希望我有个妹妹。", "我在考虑辞职。", "也许我会养只猫。",
    "我可能周五飞去昆明。", "骗你的，我住在月亮上。", "我最爱加班了，才怪。", "我可太喜欢周一了呵呵", "是是是，我是秦始皇。",
    "*我收养了一只狗*", "（我昨天摔断了手，哭）", "“我讨厌香菜。”小满说。", "他说：“我辞职了。”", "小满说她住在大连。",
    "听说我们老板辞职了。", "据说我姐要搬家了。", "别人都说我脾气好。", "在听《我爱你中国》。", "单曲循环《我们结婚了》中。",
    "明天给我打电话。", "记住我住在大连，好吗？", "告诉小满我买了船。", "我们周五去青岛吧。", "我饿死了。", "我要笑死了。",
    "我醉了。", "我服了你了。", "我的天哪。", "我也是醉了。", "我就喜欢你这样的。", "我爱你。", "我回来了。", "我来啦！",
    "我懂你。",
    "假装我是海盗。", "你是海盗船长。", "当我妹妹吧。", "想象一下我有个双胞胎哥哥。", "老板：我买了船。",
    "你弟弟是飞行员吗？",
    "你说我是不是该养只猫？",
    "我要是能辞职早辞了。",
    "我妈让我搬去厦门。",
    "我真不敢相信我吃完了。",
    "我受够了。",
    "我高兴得飞起来。",
    "你应该养只狗。",
    "假设我住在罗马。",
    "我是医生才怪呢。",
    "我就说嘛。",
    "太喜欢你这条裙子了！",
    "老王：我有一只狗。",
    "*小波养了两只猫，笑了笑*",
    "“我老婆叫小满。”他念道。",
    "他们说我的航班取消了。",
    "我梦见我搬去奥斯陆了。",
    "我昨天差点摔断手。",
    "我没养狗。",
    "我从没住过大连。",
    "今天真是倒霉透了，要死了。",
    "走吧，出发！",
    "把盐递给我。",
    "杀了我吧。",
    "心碎了一地。",
    "昨天下雨了。",
    "我弟弟说昨天买了辆车。",
]  # fmt: skip


def misses(case: Said) -> str:
    """Why the talk does not give what it should; empty when it does."""
    lines = (case.lines,) if isinstance(case.lines, str) else case.lines
    found = facts(*lines)
    kinds = case.kind if isinstance(case.kind, tuple) else (case.kind,)
    fits = [
        fact
        for fact in found
        if fact.kind in kinds
        and fact.subject == case.subject
        and all(part.casefold() in fact.text.casefold() for part in case.holds)
    ]
    return "" if fits else f"{[(fact.kind.value, fact.subject, fact.text) for fact in found]}"


@pytest.mark.parametrize("case", [*ENGLISH, *CHINESE], ids=lambda case: f"{case.lines} {case.kind}"[:60])
def test_what_is_remembered(case):
    assert not misses(case)


@pytest.mark.parametrize("line", [*NOTHING_ENGLISH, *NOTHING_CHINESE])
def test_what_is_not_remembered(line):
    assert [fact.text for fact in facts(line)] == []


SINGLE = [case.lines for case in (*ENGLISH, *CHINESE) if isinstance(case.lines, str)]


@pytest.mark.parametrize("played", ["*{}*", "（{}）", "“{}”", '"{}"'])
def test_what_is_played_or_quoted_is_not_remembered(played):
    assert [fact.text for line in SINGLE for fact in facts(played.format(line))] == []


@pytest.mark.parametrize("other", ["Cleo", "Ben"])
def test_whoever_says_it_it_is_told_of_them(other):
    for line in (line for line in SINGLE if line.isascii()):
        told = [(fact.subject, fact.text) for fact in facts(line)]
        theirs = split_of(other, line)
        assert [(subject.replace(other, "Bo"), text.replace(other, "Bo")) for subject, text in theirs] == told


def split_of(speaker: str, line: str) -> list[tuple[str, str]]:
    lines = talk(("Ann", "Hello."), line, speaker=speaker)
    return [(fact.subject, fact.text) for fact in split(lines, name_forms(lines, {}))]


@pytest.mark.parametrize("line", SINGLE)
def test_what_is_remembered_stands_by_itself(line):
    for fact in facts(line):
        words = set(fact.text.replace("'", " ").replace(",", " ").split())
        assert not words & {
            "I",
            "me",
            "my",
            "My",
            "our",
            "Our",
            "you",
            "he",
            "she",
            "She",
            "tomorrow",
            "yesterday",
            "today",
            "tonight",
        }
        assert not any(
            word in fact.text.replace("吉他", "") for word in ("我", "你", "他的", "她", "明天", "昨天", "今天", "下周", "上周")
        )
