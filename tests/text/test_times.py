"""Time expressions: a table a person can check against a calendar of June 2023, laws against walked calendars, hostile text.

::

        May 2023             June 2023
    Mo Tu We Th Fr Sa Su     Mo Tu We Th Fr Sa Su
     1  2  3  4  5  6  7               1  2  3  4
     8  9 10 11 12 13 14      5  6  7  8  9 10 11
    15 16 17 18 19 20 21     12 13 [14] 15 16 17 18
    22 23 24 25 26 27 28     19 20 21 22 23 24 25
    29 30 31                 26 27 28 29 30
"""

from __future__ import annotations

import calendar
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from soulmem.text._calendar import DAY
from soulmem.text._numerals import zh_number
from soulmem.text.times import find_times, overlap

#: Wednesday.
NOW = datetime(2023, 6, 14, 10, 30, tzinfo=UTC)

#: Expression, and what it means: a day, a month, a year, or start/stop.
TABLE = """
今天 | 2023-06-14
今日 | 2023-06-14
昨天 | 2023-06-13
前天 | 2023-06-12
大前天 | 2023-06-11
明天 | 2023-06-15
后天 | 2023-06-16
大后天 | 2023-06-17
三天前 | 2023-06-11
3天前 | 2023-06-11
3 days ago | 2023-06-11
十天以前 | 2023-06-04
二十三天前 | 2023-05-22
五天后 | 2023-06-19
两天之后 | 2023-06-16
两周前 | 2023-05-28/2023-06-04
一个星期前 | 2023-06-04/2023-06-11
三个月前 | 2023-03
五个月后 | 2023-11
半年前 | 2022-12
半个月前 | 2023-05-30
一个半月前 | 2023-04-30
两年前 | 2021
十年前 | 2013
两年半前 | 2020-12
一百年前 | 1923
三小时前 | 2023-06-14T07:00/2023-06-14T08:00
半小时前 | 2023-06-14T09:59:30/2023-06-14T10:00:30
几天前 | 2023-06-09/2023-06-13
好几个月前 | 2023-01-01/2023-05-01
前几天 | 2023-06-09/2023-06-13
前两天 | 2023-06-11/2023-06-14
最近三天 | 2023-06-11/2023-06-15
过去两周 | 2023-05-31/2023-06-15
近一个月 | 2023-05-14/2023-06-15
两个周末前 | 2023-06-03/2023-06-05
上周 | 2023-06-05/2023-06-12
这周 | 2023-06-12/2023-06-19
下周 | 2023-06-19/2023-06-26
上上周 | 2023-05-29/2023-06-05
上个星期 | 2023-06-05/2023-06-12
上周三 | 2023-06-07
上个星期三 | 2023-06-07
上礼拜天 | 2023-06-11
上上周五 | 2023-06-02
本周五 | 2023-06-16
下周一 | 2023-06-19
下下周一 | 2023-06-26
这周末 | 2023-06-17/2023-06-19
上周末 | 2023-06-10/2023-06-12
下个周末 | 2023-06-24/2023-06-26
周日 | 2023-06-11
星期天 | 2023-06-11
星期三 | 2023-06-14
周五 | 2023-06-09
上个月 | 2023-05
上上个月 | 2023-04
这个月 | 2023-06
下个月 | 2023-07
上月底 | 2023-05-21/2023-06-01
上个月5号 | 2023-05-05
上个月的五号 | 2023-05-05
下个月初 | 2023-07-01/2023-07-11
去年 | 2022
前年 | 2021
大前年 | 2020
今年 | 2023
明年 | 2024
后年 | 2025
去年底 | 2022-09-01/2023-01-01
今年年初 | 2023-01-01/2023-05-01
去年五月 | 2022-05
明年5月 | 2024-05
去年夏天 | 2022-06-01/2022-09-01
去年的夏天 | 2022-06-01/2022-09-01
去年冬天 | 2022-12-01/2023-03-01
今年春天 | 2023-03-01/2023-06-01
这个夏天 | 2023-06-01/2023-09-01
上个冬天 | 2022-12-01/2023-03-01
2022年秋天 | 2022-09-01/2022-12-01
6月 | 2023-06
7月 | 2022-07
十一月 | 2022-11
十二月份 | 2022-12
2023年5月 | 2023-05
二〇二二年 | 2022
二零二三年五月 | 2023-05
22年5月 | 2022-05
三月初 | 2023-03-01/2023-03-11
三月中旬 | 2023-03-11/2023-03-21
三月底 | 2023-03-21/2023-04-01
二月下旬 | 2023-02-21/2023-03-01
5月6号 | 2023-05-06
五月六日 | 2023-05-06
6月14日 | 2023-06-14
6月15日 | 2022-06-15
十二月二十五号 | 2022-12-25
2月29日 | 2020-02-29
2023年5月8日 | 2023-05-08
２０２３年５月８日 | 2023-05-08
2023-05-08 | 2023-05-08
2023/5/8 | 2023-05-08
2023.5.8 | 2023-05-08
昨天早上 | 2023-06-13T05:00/2023-06-13T12:00
昨天的下午 | 2023-06-13T12:00/2023-06-13T18:00
昨晚 | 2023-06-13T18:00/2023-06-14T04:00
昨天晚上 | 2023-06-13T18:00/2023-06-14T04:00
今早 | 2023-06-14T05:00/2023-06-14T12:00
明早 | 2023-06-15T05:00/2023-06-15T12:00
今晚8点 | 2023-06-14T20:00/2023-06-14T21:00
下午三点 | 2023-06-14T15:00/2023-06-14T16:00
晚上八点半 | 2023-06-14T20:30/2023-06-14T21:00
凌晨两点 | 2023-06-14T02:00/2023-06-14T03:00
中午十二点 | 2023-06-14T12:00/2023-06-14T13:00
晚上十二点 | 2023-06-15T00:00/2023-06-15T01:00
昨天晚上两点 | 2023-06-14T02:00/2023-06-14T03:00
昨天三点 | 2023-06-13T03:00/2023-06-13T04:00
今天下午3点15分 | 2023-06-14T15:15/2023-06-14T15:45
早上七点一刻 | 2023-06-14T07:15/2023-06-14T07:45
2023年5月8日下午3:20 | 2023-05-08T15:20/2023-05-08T15:50
周五晚上 | 2023-06-09T18:00/2023-06-10T04:00
5月6号下午 | 2023-05-06T12:00/2023-05-06T18:00
国庆 | 2022-10-01/2022-10-08
国庆节 | 2022-10-01/2022-10-08
去年国庆 | 2022-10-01/2022-10-08
圣诞节 | 2022-12-25
平安夜 | 2022-12-24
元旦 | 2023-01-01
五一 | 2023-05-01/2023-05-06
五一假期 | 2023-05-01/2023-05-06
情人节 | 2023-02-14
母亲节 | 2023-05-14
父亲节 | 2022-06-19
明年元旦 | 2024-01-01
today | 2023-06-14
yesterday | 2023-06-13
tomorrow | 2023-06-15
the day before yesterday | 2023-06-12
the day after tomorrow | 2023-06-16
three days ago | 2023-06-11
Two days ago | 2023-06-12
a week ago | 2023-06-04/2023-06-11
two weeks ago | 2023-05-28/2023-06-04
about a month ago | 2023-05
two months ago | 2023-04
a couple of months ago | 2023-03-01/2023-05-01
a year or two ago | 2021-01-01/2023-01-01
ten years ago | 2013
a few years ago | 2018-01-01/2022-01-01
several weeks ago | 2023-05-07/2023-06-04
half a year ago | 2022-12
two weekends ago | 2023-06-03/2023-06-05
two Fridays ago | 2023-06-02
an hour ago | 2023-06-14T09:00/2023-06-14T10:00
three weeks from now | 2023-07-02/2023-07-09
the other day | 2023-06-07/2023-06-13
last week | 2023-06-05/2023-06-12
this week | 2023-06-12/2023-06-19
next week | 2023-06-19/2023-06-26
the week before last | 2023-05-29/2023-06-05
the weekend before last | 2023-06-03/2023-06-05
the Friday before last | 2023-06-02
the month after next | 2023-08
last weekend | 2023-06-10/2023-06-12
this weekend | 2023-06-17/2023-06-19
over the weekend | 2023-06-10/2023-06-12
last Wednesday | 2023-06-07
last Tuesday | 2023-06-13
last Fri | 2023-06-09
this Friday | 2023-06-16
next Friday | 2023-06-16
next Wednesday | 2023-06-21
this coming Sunday | 2023-06-18
on Friday | 2023-06-09
Wednesday | 2023-06-14
Wednesday of last week | 2023-06-07
last month | 2023-05
next month | 2023-07
the end of last month | 2023-05-21/2023-06-01
last year | 2022
this year | 2023
next year | 2024
last May | 2023-05
last June | 2022-06
next May | 2024-05
in June | 2023-06
in May | 2023-05
in July | 2022-07
in May last year | 2022-05
May 2022 | 2022-05
June of 2021 | 2021-06
early June 2022 | 2022-06-01/2022-06-11
mid-July | 2022-07-11/2022-07-21
late October | 2022-10-21/2022-11-01
on 5 June | 2023-06-05
on June 5 | 2023-06-05
on the 5th of May | 2023-05-05
June 5th, 2023 | 2023-06-05
15 Jan 2022 | 2022-01-15
Jan 15, 2022 | 2022-01-15
Sept. 3rd | 2022-09-03
on June 20 | 2022-06-20
next June 20 | 2023-06-20
5/6/2023 | 2023-05-06
15/6/2023 | 2023-06-15
2022-05 | 2022-05
2023 | 2023
in 2022 | 2022
since 2000 | 2000
mid-2022 | 2022-05-01/2022-09-01
last summer | 2022-06-01/2022-09-01
this summer | 2023-06-01/2023-09-01
last spring | 2023-03-01/2023-06-01
next winter | 2023-12-01/2024-03-01
the summer of 2022 | 2022-06-01/2022-09-01
fall 2021 | 2021-09-01/2021-12-01
last night | 2023-06-13T18:00/2023-06-14T04:00
tonight | 2023-06-14T18:00/2023-06-15T04:00
this morning | 2023-06-14T05:00/2023-06-14T12:00
yesterday morning | 2023-06-13T05:00/2023-06-13T12:00
Tuesday night | 2023-06-13T18:00/2023-06-14T04:00
the morning of 5 June | 2023-06-05T05:00/2023-06-05T12:00
at 3pm | 2023-06-14T15:00/2023-06-14T16:00
at 3:30 p.m. | 2023-06-14T15:30/2023-06-14T16:00
at noon | 2023-06-14T12:00/2023-06-14T13:00
at 12 am | 2023-06-14T00:00/2023-06-14T01:00
at 8:15 tonight | 2023-06-14T20:15/2023-06-14T20:45
tonight at 8 | 2023-06-14T20:00/2023-06-14T21:00
yesterday at 3pm | 2023-06-13T15:00/2023-06-13T16:00
at 3 pm on Friday | 2023-06-09T15:00/2023-06-09T16:00
the past week | 2023-06-07/2023-06-15
the last two weeks | 2023-05-31/2023-06-15
the next three days | 2023-06-14/2023-06-18
Christmas | 2022-12-25
last Christmas | 2022-12-25
next Christmas | 2023-12-25
Christmas Eve | 2022-12-24
New Year's Eve | 2022-12-31
New Year’s Day | 2023-01-01
Thanksgiving | 2022-11-24
Easter | 2023-04-09
Mother's Day | 2023-05-14
Halloween 2021 | 2021-10-31
the 4th of July | 2022-07-04
"""

ROWS = [tuple(part.strip() for part in line.split("|")) for line in TABLE.strip().splitlines()]


def span_of(expected: str) -> tuple[datetime, datetime]:
    if "/" in expected:
        start, stop = (datetime.fromisoformat(part).replace(tzinfo=UTC) for part in expected.split("/"))
        return start, stop
    numbers = [int(part) for part in expected.split("-")]
    match numbers:
        case [year]:
            return datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
        case [year, month]:
            start = datetime(year, month, 1, tzinfo=UTC)
            return start, start + timedelta(days=calendar.monthrange(year, month)[1])
        case _:
            start = datetime(*numbers, tzinfo=UTC)  # type: ignore[arg-type, misc]
            return start, start + timedelta(days=1)


@pytest.mark.parametrize(("text", "expected"), ROWS)
def test_meaning(text: str, expected: str) -> None:
    mentions = find_times(text, NOW)
    assert [(mention.start, mention.stop) for mention in mentions] == [span_of(expected)]


@pytest.mark.parametrize(("text", "expected"), ROWS)
def test_means_the_same_within_a_sentence(text: str, expected: str) -> None:
    frames = ("She said, {}, that it was fine.",) if text.isascii() or "’" in text else ("她说{}，那里很美。", "我们{}去了公园")
    for frame in frames:
        sentence = frame.format(text)
        mentions = find_times(sentence, NOW)
        assert [(mention.start, mention.stop) for mention in mentions] == [span_of(expected)], sentence
        assert sentence[mentions[0].begin : mentions[0].end] == mentions[0].text


def test_the_table_is_large() -> None:
    assert len(ROWS) == len(set(ROWS)) >= 200


#: Text, separated by bars, that names no time.
NO_TIMES = """
I may go | may be | They march on | march 3 miles | a second | just a second ago | spring roll | I fall down
2000 dollars | in 2000 dollars | 12 eggs | $2023 | room 2023b | the 1990s | 3:0 | 1.5 | ratio 2010.5
the march of time | this may be it | June is nice | April laughed | Sun | sat down | he can sun himself | an hour
three days | two weeks | a Christmas tree | last minute | last time | next to me | on Fridays | every day | someday
first of all | 24/7 | 1/2/3 | 2023-13-45 | 99/99/2023 | at 3 | I have 5 | to the second floor | June bug
August person | 一天到晚 | 周杰伦来了 | 早上周杰伦唱歌 | 晚上周围很安静 | 一周一次 | 每周一 | 每周五 | 两周 | 五个月
三年 | 一年级 | 以前天天下雨 | 之后天气很好 | 先天后天 | 晚上月亮很圆 | 五一广场 | 二十五一起 | 十一 | 五点建议 | 三点
小时候 | 百年孤独 | 5号线 | 版本2023.1 | 马路上周边 | 目前年轻人 | 第三年前面 | 早上喝咖啡 | 月饼 | 今生 | 昨非 | 前面
后面 | 前途 | 以后年年 | 下面 | 楼上 | 去上海 | 2月30日 | 13月 | 一个月饼 | 五年 | 0年 | 春天 | 夏威夷 | 冬瓜 | 周末
十五 | 国庆路
"""


@pytest.mark.parametrize("text", ["", *(part.strip() for line in NO_TIMES.strip().splitlines() for part in line.split("|"))])
def test_is_no_time(text: str) -> None:
    assert find_times(text, NOW) == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("星期五一起吃饭", ["星期五"]),
        ("从6月到8月", ["6月", "8月"]),
        ("昨天和今天", ["昨天", "今天"]),
        ("上周三下午三点开会，周五去了北京", ["上周三下午三点", "周五"]),
        ("三天前天气不好", ["三天前"]),
        ("去年夏天在海边", ["去年夏天"]),
        ("Last week I ran; this week, on Friday, I rest.", ["Last week", "this week", "Friday"]),
        ("between May 5 and June 7, 2022", ["May 5", "June 7, 2022"]),
        ("She moved in 2019 and married in June 2021.", ["2019", "June 2021"]),
        ("昨天 I met her last night", ["昨天", "last night"]),
        ("yesterday's dinner", ["yesterday"]),
        ("我2019年去的，2021年5月回来", ["2019年", "2021年5月"]),
    ],
)
def test_finds_each(text: str, found: list[str]) -> None:
    assert [mention.text for mention in find_times(text, NOW)] == found


#: Years that are read as years: 1900 to 2099.
MOMENTS = st.datetimes(datetime(1950, 1, 1), datetime(2099, 12, 31, 23, 59, 59), timezones=st.just(UTC))
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def day_of(text: str, now: datetime) -> datetime:
    (mention,) = find_times(text, now)
    assert mention.stop - mention.start == timedelta(days=1)
    return mention.start


@settings(deadline=None)
@given(MOMENTS, st.integers(0, 6))
def test_weekdays_by_walking(now: datetime, weekday: int) -> None:
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    back = next(today - timedelta(days=n) for n in range(1, 8) if (today - timedelta(days=n)).weekday() == weekday)
    ahead = next(today + timedelta(days=n) for n in range(1, 8) if (today + timedelta(days=n)).weekday() == weekday)
    assert day_of(f"last {WEEKDAYS[weekday]}", now) == back
    assert day_of(f"next {WEEKDAYS[weekday]}", now) == ahead
    monday = today
    while monday.weekday() != 0:
        monday -= timedelta(days=1)
    assert day_of(f"上周{'一二三四五六日'[weekday]}", now) == monday + timedelta(days=weekday - 7)
    assert day_of(f"下周{'一二三四五六日'[weekday]}", now) == monday + timedelta(days=weekday + 7)
    latest = day_of(f"周{'一二三四五六日'[weekday]}", now)
    assert latest == (today if today.weekday() == weekday else back) == day_of(f"on {WEEKDAYS[weekday]}", now)


@settings(deadline=None)
@given(MOMENTS, st.integers(1, 12), st.integers(1, 28))
def test_dates_without_a_year_are_the_latest(now: datetime, month: int, day: int) -> None:
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    walked = today
    while (walked.month, walked.day) != (month, day):
        walked -= timedelta(days=1)
    assert day_of(f"{month}月{day}号", now) == walked
    assert day_of(f"on {day} {calendar.month_name[month]}", now) == walked
    assert day_of(f"{calendar.month_name[month]} {day}, {walked.year}", now) == walked
    assert day_of(f"{walked:%Y-%m-%d}", now) == walked


@pytest.mark.parametrize(
    ("text", "days"),
    [("1月1号", [0]), ("on 1 January", [0]), ("2100-01-01", []), ("2099-12-31", [-1]), ("December 31, 2099", [-1])],
)
def test_the_first_day_of_which_the_year_is_no_longer_read(text: str, days: list[int]) -> None:
    now = datetime(2100, 1, 1, tzinfo=UTC)
    assert [mention.start for mention in find_times(text, now)] == [now + timedelta(days=day) for day in days]


@settings(deadline=None)
@given(MOMENTS, st.integers(1, 40))
def test_months_ago_by_counting(now: datetime, number: int) -> None:
    year, month = now.year, now.month
    for _ in range(number):
        year, month = (year, month - 1) if month > 1 else (year - 1, 12)
    for text in (f"{number} months ago", f"{number}个月前"):
        (mention,) = find_times(text, now)
        assert mention.start == datetime(year, month, 1, tzinfo=UTC)
        assert mention.stop - mention.start == timedelta(days=calendar.monthrange(year, month)[1])


#: Expressions that count in hours, days and weeks only.
RELATIVE = """
今天|昨天|前天|三天前|两周前|上周三|这周末|上周末|下周一|上上周五|周日|昨晚
今早|下午三点|晚上八点半|前几天|最近三天|三小时前|几天前
yesterday|three days ago|a week ago|two weekends ago|last Wednesday|next Friday|this weekend|last week|the week before last
on Friday|last night|this morning|at 3pm|Tuesday night
the other day|over the weekend|the past week|an hour ago|several weeks ago|at 3 pm on Friday|two Fridays ago
"""


@settings(deadline=None)
@given(st.sampled_from(RELATIVE.strip().replace("\n", "|").split("|")), MOMENTS, st.integers(-500, 500))
def test_shifting_now_by_weeks_shifts_relative_spans(text: str, now: datetime, weeks: int) -> None:
    shift = timedelta(weeks=weeks)
    (before,) = find_times(text, now)
    (after,) = find_times(text, now + shift)
    assert (after.start, after.stop) == (before.start + shift, before.stop + shift)


FRAGMENTS = st.lists(
    st.one_of(
        st.sampled_from([text for text, _ in ROWS]), st.text(max_size=5), st.sampled_from(["年", "月", "前", " ", "ago", "9999"])
    ),
    max_size=6,
)


@settings(deadline=None, max_examples=300)
@given(FRAGMENTS, st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))])))
def test_spans_are_ordered_and_inside_any_text(parts: list[str], now: datetime) -> None:
    text = "".join(parts)
    last = 0
    for mention in find_times(text, now):
        assert last <= mention.begin < mention.end <= len(text)
        assert mention.text == text[mention.begin : mention.end]
        assert mention.start < mention.stop
        assert mention.start.tzinfo is now.tzinfo
        last = mention.end


@pytest.mark.parametrize("now", [datetime(1, 1, 1), datetime.max, datetime(2024, 2, 29)])
@pytest.mark.parametrize("text", [text for text, _ in ROWS])
def test_the_ends_of_the_calendar(now: datetime, text: str) -> None:
    assert len(find_times(text, now.replace(tzinfo=UTC))) <= 2


@pytest.mark.parametrize(
    "text",
    [
        "9999年前",
        "9999 years ago",
        "0年",
        "一千年前 今天",
        "零月零日",
        "昨" * 5000,
        "last " * 5000,
        "1/" * 5000,
        "十" * 5000,
        "2023-" * 5000,
    ],
)
def test_hostile_text_ends(text: str) -> None:
    for mention in find_times(text, NOW):
        assert mention.start < mention.stop


def test_days_are_those_of_the_zone() -> None:
    shanghai = ZoneInfo("Asia/Shanghai")
    now = datetime(2023, 6, 13, 20, 0, tzinfo=UTC).astimezone(shanghai)
    (mention,) = find_times("今天", now)
    assert mention.start == datetime(2023, 6, 14, tzinfo=shanghai)


def test_now_needs_a_zone() -> None:
    with pytest.raises(ValueError, match="time zone"):
        find_times("today", datetime(2023, 6, 14))


@given(st.integers(0, 9999))
def test_chinese_numerals(number: int) -> None:
    units = ["", "十", "百", "千"]
    digits = str(number)
    powers = reversed(range(len(digits)))
    words = "".join(
        "零" if digit == "0" else "零一二三四五六七八九"[int(digit)] + units[power]
        for digit, power in zip(digits, powers, strict=True)
    )
    assert zh_number(words) == number or number == 0
    assert zh_number(str(number)) == number
    if len(digits) == 4:
        assert zh_number("".join("〇一二三四五六七八九"[int(digit)] for digit in digits)) == number


@pytest.mark.parametrize(
    ("text", "number"), [("十", 10), ("十五", 15), ("二十", 20), ("二十三", 23), ("两百", 200), ("一百零五", 105), ("两", 2)]
)
def test_chinese_numerals_as_spoken(text: str, number: int) -> None:
    assert zh_number(text) == number


@pytest.mark.parametrize("text", ["", "猫", "三猫", "-1"])
def test_no_numerals(text: str) -> None:
    with pytest.raises(ValueError, match="not a number"):
        zh_number(text)


ENDS = st.one_of(st.none(), MOMENTS)


@settings(deadline=None)
@given(ENDS, ENDS, ENDS, ENDS)
def test_overlap_is_a_share_and_symmetric(a: datetime | None, b: datetime | None, c: datetime | None, d: datetime | None) -> None:
    share = overlap(a, b, c, d)
    assert 0.0 <= share <= 1.0
    assert share == overlap(c, d, a, b)


@settings(deadline=None)
@given(st.lists(st.integers(0, 40), min_size=4, max_size=4))
def test_overlap_by_counting_days(numbers: list[int]) -> None:
    (a, b), (c, d) = sorted(numbers[:2]), sorted(numbers[2:])
    assume(a < b and c < d)
    shared = len(set(range(a, b)) & set(range(c, d)))
    origin = datetime(2023, 1, 1, tzinfo=UTC)
    expected = shared / min(b - a, d - c)
    assert overlap(*(origin + number * DAY for number in (a, b, c, d))) == pytest.approx(expected)


JUNE = (datetime(2023, 6, 1, tzinfo=UTC), datetime(2023, 7, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("start", "stop", "share"),
    [
        (NOW, NOW, 1.0),
        (JUNE[0], JUNE[0], 1.0),
        (JUNE[1], JUNE[1], 0.0),
        (None, None, 0.0),
        (NOW, None, (JUNE[1] - NOW) / (JUNE[1] - JUNE[0])),
        (None, NOW, (NOW - JUNE[0]) / (JUNE[1] - JUNE[0])),
        (JUNE[1], None, 0.0),
        (None, JUNE[0], 0.0),
        (datetime(2022, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC), 1.0),
    ],
)
def test_overlap_with_june(start: datetime | None, stop: datetime | None, share: float) -> None:
    assert overlap(start, stop, *JUNE) == pytest.approx(share)
