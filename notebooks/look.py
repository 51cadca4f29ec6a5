"""How the charts of the notebooks look: one theme, and one colour for each kind of note in all of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import altair as alt

#: Kinds of notes in the order in which they are shown, by colour: what fades slowly is blue and green, what fades fast red.
KINDS = {
    "identity": "#1b4f72",
    "date": "#2471a3",
    "preference": "#17a589",
    "relation": "#229954",
    "event": "#d68910",
    "state": "#d5739d",
    "episode": "#a93226",
    "knowledge": "#7d8a94",
    "pattern": "#7d3c98",
    "procedure": "#566573",
}
#: Of what has no kind: communities, days.
PALETTE = ("#2471a3", "#d68910", "#229954", "#a93226", "#7d3c98", "#17a589", "#b7950b", "#cb6d9a", "#5d6d7e", "#6e2c00")
INK, FAINT, ACCENT = "#2c3e50", "#ccd1d5", "#2471a3"

_FONT = "Inter, 'Segoe UI', 'Noto Sans', 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', sans-serif"


@alt.theme.register("soulmem", enable=True)
def _theme() -> alt.theme.ThemeConfig:
    return {
        "config": {
            "font": _FONT,
            "background": "white",
            "view": {"stroke": None, "continuousWidth": 640, "continuousHeight": 300},
            "title": {
                "fontSize": 16,
                "subtitleFontSize": 12,
                "subtitleColor": "#5d6d7e",
                "anchor": "start",
                "offset": 14,
                "color": INK,
            },
            "axis": {
                "labelFontSize": 11,
                "titleFontSize": 12,
                "titleFontWeight": "normal",
                "labelColor": INK,
                "titleColor": INK,
                "gridColor": "#eceff1",
                "domainColor": FAINT,
                "tickColor": FAINT,
                "labelLimit": 260,
            },
            "legend": {
                "labelFontSize": 11,
                "titleFontSize": 12,
                "titleFontWeight": "normal",
                "labelColor": INK,
                "labelLimit": 280,
            },
            "header": {"labelFontSize": 12, "titleFontSize": 12, "labelColor": INK},
        }
    }


def kinds(field: str = "kind", present: Any = None, title: str | None = None) -> alt.Color:
    """Colour by kind; ``present``: those to name in the legend, by default all."""
    shown = [kind for kind in KINDS if present is None or kind in set(present)]
    return alt.Color(f"{field}:N", title=title, scale=alt.Scale(domain=shown, range=[KINDS[kind] for kind in shown]))


def order(present: Any) -> list[str]:
    """The kinds that are there, in their order."""
    return [kind for kind in KINDS if kind in set(present)]


def name(text: str, length: int = 28) -> str:
    """A label for a note: what it is called, without what is told of it."""
    return short(text.split("（")[0] or text, length)


def apart(labels: Iterable[tuple[float, float, str]], size: int = 12) -> list[bool]:
    """Which of these labels (centre in pixels, text) can stand without touching one that stands before them in the list."""
    boxes: list[tuple[float, float, float, float]] = []
    stands: list[bool] = []
    for x, y, text in labels:
        wide = sum(size if ord(sign) > 0x2E7F else size * 0.58 for sign in text) / 2 + 3
        box = (x - wide, y - size * 0.8, x + wide, y + size * 0.8)
        free = all(box[2] < b[0] or b[2] < box[0] or box[3] < b[1] or b[3] < box[1] for b in boxes)
        stands.append(free)
        boxes += [box] if free else []
    return stands


def short(text: str, length: int = 28) -> str:
    """The first line of a text, as long as a label may be; a Chinese sign takes the room of two."""
    line = text.split("\n")[0].strip()
    room, kept = length, ""
    for sign in line:
        room -= 2 if ord(sign) > 0x2E7F else 1
        if room < 0:
            return kept.rstrip() + "…"
        kept += sign
    return kept
