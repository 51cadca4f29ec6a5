"""The report of the suite ``forget`` as one page, with its curves."""

from __future__ import annotations

from collections.abc import Iterable

from soulmem.tune import charts
from soulmem.tune.charts import safe
from soulmem.tune.forgetting import ForgetCurve, ForgetResult, ForgetSuiteReport
from soulmem.tune.page import page, section


def forget_page(report: ForgetSuiteReport) -> str:
    """The report as an HTML page."""
    tiles = [(f"{report.passed}/{report.cases}", "cases passed")]
    tiles += [(f"{share:.0%}", kind) for kind, share in report.metrics.items() if kind != "passed"]
    inside = "".join(f'<div class="tile"><b>{value}</b><span>{safe(name)}</span></div>' for value, name in tiles)
    about = f"{safe(', '.join(report.files))} · embedder {safe(report.embedder)}"
    body = [
        f'<header><h1>{safe(report.suite)}</h1><p class="about">{about}</p></header>',
        f'<div class="tiles">{inside}</div>',
        *_charts(report.curves),
        section("Cases", _cases(report.results)),
    ]
    return page(f"{report.suite}: {report.passed} of {report.cases}", body)


def _charts(curves: Iterable[ForgetCurve]) -> Iterable[str]:
    grouped: dict[str, dict[str, tuple[tuple[float, float], ...]]] = {}
    for curve in curves:
        grouped.setdefault(curve.chart, {})[curve.name] = curve.points
    for name, series in grouped.items():
        title = f"What is missing, by number of recalls: half-life {name}"
        yield section(title, charts.lines(series, "hours", title))


def _cases(results: Iterable[ForgetResult]) -> str:
    head = "<tr><th></th><th>kind</th><th>case</th><th>expected</th><th>got</th></tr>"
    ordered = sorted(results, key=lambda result: result.passed)
    return f"<table><thead>{head}</thead><tbody>{''.join(map(_case, ordered))}</tbody></table>"


def _case(result: ForgetResult) -> str:
    mark, sign = ("passed", "✓") if result.passed else ("failed", "✗")
    cells = "".join(f'<td class="name">{safe(text)}</td>' for text in (result.kind, result.name, result.expected, result.got))
    return f'<tr><td class="{mark}" title="{mark}">{sign}</td>{cells}</tr>'
