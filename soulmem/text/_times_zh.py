"""Chinese time expressions: patterns, and what span each means."""

from __future__ import annotations

import re
from datetime import datetime

from soulmem.text import _calendar as cal
from soulmem.text._calendar import Rule, Span
from soulmem.text._numerals import ZH_NUMERAL, zh_number

_N = rf"(?:\d{{1,4}}|[{ZH_NUMERAL}]{{1,6}})"
_NO_NUMBER_BEFORE = rf"(?<![\d.{ZH_NUMERAL}第])"
_YEAR = (
    r"(?:(?P<y>\d{4}|[零〇一二三四五六七八九]{4})年|(?P<ry>大前年|(?<![以之目提])前年(?![轻龄纪代])|去年|今年|明年|(?<![以之])后年(?![轻龄纪代]))"
    r"|(?P<y2>\d{2})年(?=\d{1,2}月))的?"
)
_MONTH_NUMBER = r"(?:1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])"
_DAY_NUMBER = r"(?:3[01]|[12]\d|0?[1-9]|三十一?|二?十[一二三四五六七八九]|[二三]?十|[一二三四五六七八九])"
_THIRD = r"(?P<third>初|上旬|中旬|中(?![国午心间])|下旬|底|末)"
_WEEK = "(?:周|星期|礼拜)"

_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}
_DAYS = {"大前天": -3, "前天": -2, "前日": -2, "昨天": -1, "昨日": -1, "昨": -1, "前": -2, "今天": 0, "今日": 0, "今": 0}
_DAYS |= {"明天": 1, "明日": 1, "明": 1, "后天": 2, "大后天": 3}
_THIRDS = {"初": 0, "上旬": 0, "中": 1, "中旬": 1, "下旬": 2, "底": 2, "末": 2}
_SEASONS = {"春": 0, "夏": 1, "秋": 2, "冬": 3}
_WEEKDAYS = {name: number for number, name in enumerate("一二三四五六日")} | {"天": 6}
_UNITS = {"天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "周末": "weekend", "月": "month", "年": "year"}
_UNITS |= {"小时": "hour", "钟头": "hour", "分钟": "minute"}

_HOLIDAYS: tuple[tuple[str, cal.Yearly], ...] = (
    ("平安夜|圣诞前夜", lambda year: cal.date(year, 12, 24)),
    ("圣诞节?", lambda year: cal.date(year, 12, 25)),
    ("元旦节?", lambda year: cal.date(year, 1, 1)),
    ("跨年夜?", lambda year: cal.date(year, 12, 31)),
    ("情人节", lambda year: cal.date(year, 2, 14)),
    ("三八妇女节|妇女节", lambda year: cal.date(year, 3, 8)),
    ("愚人节", lambda year: cal.date(year, 4, 1)),
    ("五一劳动节|五一(?:假期|小长假|长假|黄金周|节)?|劳动节", lambda year: cal.days(datetime(year, 5, 1), 0, 4)),
    ("母亲节", lambda year: cal.nth_weekday(year, 5, 6, 2)),
    ("六一儿童节|六一|儿童节", lambda year: cal.date(year, 6, 1)),
    ("父亲节", lambda year: cal.nth_weekday(year, 6, 6, 3)),
    ("教师节", lambda year: cal.date(year, 9, 10)),
    ("国庆(?:节|假期|长假|黄金周)?|十一(?:假期|长假|黄金周)", lambda year: cal.days(datetime(year, 10, 1), 0, 6)),
    ("万圣节", lambda year: cal.date(year, 10, 31)),
    ("双十一|光棍节", lambda year: cal.date(year, 11, 11)),
    ("感恩节", lambda year: cal.nth_weekday(year, 11, 3, 4)),
)

#: First and last hour; from 24 on, of the next day.
PARTS_OF_DAY: dict[str, tuple[int, int]] = {
    "凌晨": (0, 6), "清晨": (5, 8), "清早": (5, 8), "大清早": (5, 8), "晨": (5, 8), "早晨": (5, 12), "早上": (5, 12),
    "早": (5, 12),
    "上午": (8, 12), "中午": (11, 14), "下午": (12, 18), "午后": (12, 18), "傍晚": (17, 20), "晚上": (18, 28), "夜里": (18, 28),
    "晚间": (18, 28), "夜晚": (18, 28), "晚": (18, 28), "夜": (18, 28), "半夜": (22, 28), "深夜": (22, 28),
}  # fmt: skip
_PART = "|".join(sorted(PARTS_OF_DAY, key=lambda part: (-len(part), part)))
_LONG_PART = "|".join(part for part in _PART.split("|") if len(part) > 1)
_HOUR = r"(?P<h>2[0-4]|1\d|0?\d|二十[一二三四]?|十[一二三四五六七八九]?|[零一二两三四五六七八九])"
_MINUTE = r"(?P<m>半|[一三]刻|(?:[0-5]\d|\d|[二三四五]?十[一二三四五六七八九]?|零?[一二三四五六七八九])分?)"
_CLOCK = rf"(?:{_HOUR}(?:点钟?|时(?!候|间|代))(?:整|{_MINUTE})?|(?P<h2>2[0-3]|1\d|0?\d)[:：](?P<m2>[0-5]\d))"

#: What may follow a day and narrow it: 昨天[下午三点].
AFTER_DAY = re.compile(rf"的?(?:(?P<part>{_LONG_PART})的?(?:{_CLOCK})?|{_CLOCK.replace('?P<', '?P<x')})")


def narrowed(match: re.Match[str], span: Span) -> Span:
    """The part of the day ``span`` that a match of :data:`AFTER_DAY` or of a clock rule names."""
    found = {name.removeprefix("x"): value for name, value in match.groupdict().items() if value is not None}
    part = found.get("part")
    hour_text = found.get("h") or found.get("h2")
    if hour_text is None:
        return cal.part_of_day(span, *PARTS_OF_DAY[part or "早"])
    return cal.clock(span, _hour(zh_number(hour_text), part), _minute(found.get("m") or found.get("m2")))


def _hour(hour: int, part: str | None) -> int:
    """12-hour to 24-hour; hours of a night after midnight are 24 and more."""
    first, _ = PARTS_OF_DAY.get(part or "", (0, 0))
    if first >= 18 and (hour <= 4 or hour == 12):
        return hour % 12 + 24
    if first >= 11 and 1 <= hour < 11:
        return hour + 12
    return hour


def _minute(text: str | None) -> int | None:
    quarters = {"半": 30, "一刻": 15, "三刻": 45}
    return None if text is None else quarters[text] if text in quarters else zh_number(text.removesuffix("分"))


def _given_year(match: re.Match[str], now: datetime) -> int | None:
    found = match.groupdict()
    if found.get("ry"):
        return now.year + _YEARS[found["ry"]]
    if found.get("y2"):
        return 2000 + int(found["y2"])
    return zh_number(found["y"]) if found.get("y") else None


def _in_year(make: cal.Yearly, match: re.Match[str], now: datetime) -> Span:
    given = _given_year(match, now)
    return cal.most_recent(make, now) if given is None else make(given)


def _thirds(match: re.Match[str], span: Span) -> Span:
    part = match.groupdict().get("third")
    return cal.third(span, _THIRDS[part]) if part else span


def _year(match: re.Match[str], now: datetime) -> Span:
    return _thirds(match, cal.year(_given_year(match, now) or now.year))


def _month(match: re.Match[str], now: datetime) -> Span:
    number = zh_number(match["mo"])
    if match["d"]:
        return _in_year(lambda year: cal.date(year, number, zh_number(match["d"])), match, now)
    return _in_year(lambda year: _thirds(match, cal.month(year, number)), match, now)


def _relative_month(match: re.Match[str], now: datetime) -> Span:
    offset = match["rm"].count("下") - match["rm"].count("上")
    span = cal.month_from(now, offset)
    if match["d"]:
        return cal.date(span.start.year, span.start.month, zh_number(match["d"]))
    return _thirds(match, span)


def _season(match: re.Match[str], now: datetime) -> Span:
    def make(year: int) -> Span:
        return cal.season(year, _SEASONS[match["s"] or match["s2"]])

    which = match["which"]
    if which is None:
        return _in_year(make, match, now)
    return cal.last_over(make, now) if "上" in which else cal.next_coming(make, now) if "下" in which else make(now.year)


def _relative_day(match: re.Match[str], now: datetime) -> Span:
    return cal.day(now, _DAYS[match["day"]])


def _short_day(match: re.Match[str], now: datetime) -> Span:
    return narrowed(match, cal.day(now, _DAYS[match["day"]]))


def _today_clock(match: re.Match[str], now: datetime) -> Span:
    return narrowed(match, cal.day(now))


def _week(match: re.Match[str], now: datetime) -> Span:
    offset = match["rw"].count("下") - match["rw"].count("上")
    weekday = match["wd"]
    if weekday is None:
        return cal.week(now, offset)
    return cal.weekend(now, offset) if weekday == "末" else cal.weekday_of_week(now, _WEEKDAYS[weekday], offset)


def _bare_weekday(match: re.Match[str], now: datetime) -> Span:
    return cal.weekday_before(now, _WEEKDAYS[match["wd"]], today_counts=True)


def _sign(match: re.Match[str]) -> int:
    return 1 if "前" in match["dir"] else -1


def _ago(match: re.Match[str], now: datetime) -> Span:
    unit = _UNITS[match["u"]]
    if match["n"].endswith("几"):
        return cal.ago(now, unit, 5 * _sign(match), 2 * _sign(match))
    return cal.ago(now, unit, zh_number(match["n"]) * _sign(match))


def _and_a_half_ago(match: re.Match[str], now: datetime) -> Span:
    if match["months"]:
        return cal.ago(now, "day", 30 * zh_number(match["months"]) * _sign(match) + 15 * _sign(match))
    return cal.ago(now, "month", (12 * zh_number(match["years"]) + 6) * _sign(match))


def _half_ago(match: re.Match[str], now: datetime) -> Span:
    unit, number = {"年": ("month", 6), "月": ("day", 15), "天": ("hour", 12)}.get(match["u"], ("minute", 30))
    return cal.ago(now, unit, number * _sign(match))


def _stretch(match: re.Match[str], now: datetime) -> Span:
    number = 5 if match["n"] in "几些" else zh_number(match["n"])
    return cal.stretch(now, _UNITS[match["u"]], number)


def _some_days_ago(match: re.Match[str], now: datetime) -> Span:
    return cal.days(now, -3, -1) if match["n"] == "两" else cal.days(now, -5, -2)


def _holiday_rule(pattern: str, make: cal.Yearly) -> Rule:
    guarded = rf"(?<![\d{ZH_NUMERAL}周期拜])(?:{pattern})(?![{ZH_NUMERAL}广路街样])"
    return re.compile(rf"(?:{_YEAR})?{guarded}"), lambda match, now: _in_year(make, match, now)


#: 上 and 下 belong to the word before: 早上, 晚上, 下午 …
_NO_WORD_BEFORE = r"(?<![早晚马路桌身世楼乡天底])"
_COUNTED = rf"(?P<n>{_N}|好?几)(?:个)?(?P<u>周末|[天日周年月](?!末)|星期|礼拜|小时|钟头|分钟)"
_DIRECTION = r"(?P<dir>以前|之前|前(?![面后台途往任者])|以后|之后|后(?![面来台者天]))"

RULES: tuple[Rule, ...] = (
    (re.compile(r"(?P<day>大前天|(?<![以之目提年月大])前[天日](?![天气空])|[昨今明][天日])"), _relative_day),
    (re.compile(r"(?P<day>大后天|(?<!先天)(?<![以之先然大前])后天(?![天气空培性]))"), _relative_day),
    (
        re.compile(rf"(?P<day>[昨今明]|(?<![以之目年])前)(?P<part>晚上|晚|早上|早|夜里|夜|晨)(?![安餐饭报操班])(?:{_CLOCK})?"),
        _short_day,
    ),
    (re.compile(rf"(?P<part>{_LONG_PART})(?:{_CLOCK})"), _today_clock),
    (re.compile(rf"{_NO_NUMBER_BEFORE}{_COUNTED}{_DIRECTION}"), _ago),
    (re.compile(rf"{_NO_NUMBER_BEFORE}(?:(?P<months>{_N})个半月|(?P<years>{_N})年半){_DIRECTION}"), _and_a_half_ago),
    (re.compile(rf"(?<![一二两三四五六七八九十\d个天年])半个?(?P<u>年|(?<=个)月|天|小时|钟头){_DIRECTION}"), _half_ago),
    (re.compile(rf"(?:最近|过去|近)这?(?P<n>{_N}|几)个?(?P<u>[天周年]|星期|礼拜|月|小时)"), _stretch),
    (re.compile(r"(?<![以之目])前(?P<n>[几两些])天"), _some_days_ago),
    (
        re.compile(
            rf"(?P<rw>{_NO_WORD_BEFORE}上+|{_NO_WORD_BEFORE}下+|这|本)一?个?{_WEEK}(?P<wd>[一二三四五六日天]|末)?(?![十百千万杰边围])"
        ),
        _week,
    ),
    (
        re.compile(rf"(?<![{ZH_NUMERAL}\d每几半上下这本个四])(?:周|星期|礼拜)(?P<wd>[一二三四五六日天])(?![十百千万围])"),
        _bare_weekday,
    ),
    (
        re.compile(
            rf"(?P<rm>{_NO_WORD_BEFORE}上+|{_NO_WORD_BEFORE}下+|这|本)(?:一?个)?月(?![亮球色光饼])(?:的?(?:(?P<d>{_DAY_NUMBER})[日号]|{_THIRD}))?"
        ),
        _relative_month,
    ),
    (
        re.compile(
            rf"(?:{_YEAR})?{_NO_NUMBER_BEFORE}(?P<mo>{_MONTH_NUMBER})月份?(?![饼亮球])(?:的?(?:(?P<d>{_DAY_NUMBER})[日号]|{_THIRD}))?"
        ),
        _month,
    ),
    (re.compile(rf"(?:{_YEAR}(?P<s>[春夏秋冬])[天季]?(?![威至游])|(?P<which>这个?|上个|下个)(?P<s2>[春夏秋冬])[天季])"), _season),
    (re.compile(rf"{_NO_NUMBER_BEFORE}{_YEAR.removesuffix('的?')}(?:的?年?{_THIRD})?"), _year),
    *(_holiday_rule(pattern, make) for pattern, make in _HOLIDAYS),
)
