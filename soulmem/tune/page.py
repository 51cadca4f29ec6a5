"""A report as one page: HTML that needs nothing else, runs no script and loads nothing. All text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files

from soulmem.tune import charts
from soulmem.tune.charts import safe
from soulmem.tune.report import PointSummary, Report, Result
from soulmem.tune.weights import told

#: Rows of the table of weights; a larger sweep shows its best.
_POINTS_SHOWN = 50
#: Measures of the tiles, of the kinds and of sweeps, as far as they are there.
_CHIEF = (
    "must_hit",
    "recall@5",
    "recall@10",
    "mrr",
    "ndcg@10",
    "association_only",
    "action_hit",
    "abstract_detected",
    "negatives_empty",
)


def report_page(report: Report) -> str:
    """The report as an HTML page."""
    body = [
        _head(report),
        _tiles(report),
        '<div class="two">',
        section("Measures", _measures(report)),
        "<div>",
        section("Recall by depth", _recall(report)),
        section("Place of the first that must be found", _places(report)),
        "</div>",
        "</div>",
        section("Weights", _sweep(report)) if len(report.points) > 1 else "",
        section("By kind", _kinds(report)) if report.by_kind else "",
        section("Files", _files(report)) if len(report.files) > 1 else "",
        section("Not in the mind", _unknown(report)) if any(file.unknown for file in report.files) else "",
        section("Cases", _cases(report)),
        section("Settings", _settings(report)),
        "<footer>soulmem tune</footer>",
    ]
    return page(f"{report.suite}: {report.passed} of {report.cases}", body)


def page(title: str, body: Iterable[str]) -> str:
    """A whole page of these parts, in the style of all reports."""
    style = files("soulmem.tune").joinpath("page.css").read_text(encoding="utf-8")
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{safe(title)}</title>\n<style>\n{style}</style></head>\n<body>\n"
        + "\n".join(part for part in body if part)
        + "\n</body></html>\n"
    )


def section(title: str, content: str) -> str:
    """A part of a page under a heading; nothing where there is no content."""
    return f"<section><h2>{safe(title)}</h2>{content}</section>" if content else ""


def _head(report: Report) -> str:
    names = ", ".join(dict.fromkeys(file.name for file in report.files))
    about = f"{safe(names)} · embedder {safe(report.embedder)} · at {safe(report.at)} · weights: {safe(told(report.best))}"
    return f'<header><h1>{safe(report.suite)}</h1><p class="about">{about}</p></header>'


def _tiles(report: Report) -> str:
    tiles = [(f"{report.passed}/{report.cases}", "cases passed")]
    tiles += [(f"{report.metrics[name]:.3f}", name) for name in _CHIEF if name in report.metrics]
    inside = "".join(f'<div class="tile"><b>{value}</b><span>{safe(name)}</span></div>' for value, name in tiles)
    return f'<div class="tiles">{inside}</div>'


def _measures(report: Report) -> str:
    # Recall and precision at all depths have a chart of their own.
    shown = [name for name in report.metrics if not name.startswith("precision@")]
    return charts.bars([(name, report.metrics[name], f"{report.counts[name]} cases") for name in shown], "Measures")


def _recall(report: Report) -> str:
    series = {
        measure: sorted(
            (float(name.partition("@")[2]), value) for name, value in report.metrics.items() if name.startswith(f"{measure}@")
        )
        for measure in ("recall", "precision")
    }
    there = {measure: points for measure, points in series.items() if points}
    return charts.lines(there, "depth k", "Recall and precision by depth") if there else ""


def _places(report: Report) -> str:
    ranks = [result.scores["mrr"] for result in report.of_best() if "mrr" in result.scores]
    if not ranks:
        return ""
    places = [round(1 / rank) if rank else 0 for rank in ranks]
    values = [(str(place), places.count(place)) for place in range(1, 11)]
    beyond = sum(place > 10 for place in places)
    return charts.columns(
        [*values, ("> 10", beyond), ("none", places.count(0))], "place", "Place of the first that must be found"
    )


# -- sweeps -------------------------------------------------------------------------------------------------------------------


def _sweep(report: Report) -> str:
    varied = _varied(report.points)
    chart = ""
    if len(varied) == 1 or _is_blend(varied):
        chart = _sweep_lines(report, varied[0])
    elif len(varied) == 2:
        chart = _sweep_heat(report, (varied[0], varied[1]))
    return chart + _sweep_table(report)


def _varied(points: Sequence[PointSummary]) -> list[str]:
    """The weights that are not the same in all points."""
    names = dict.fromkeys(name for point in points for name in point.weights)
    return [name for name in names if len({point.weights.get(name) for point in points}) > 1]


def _is_blend(varied: Sequence[str]) -> bool:
    """Tag and variant of a blend make one hundred per cent together: they are one thing that varies."""
    return list(varied) == ["tag", "variant"]


def _sweep_lines(report: Report, name: str) -> str:
    points = sorted((point for point in report.points if name in point.weights), key=lambda point: point.weights[name])
    measures = list(dict.fromkeys((report.objective, *_CHIEF)))
    series = {
        measure: [(point.weights[name], point.metrics[measure]) for point in points if measure in point.metrics]
        for measure in measures
    }
    there = {measure: values for measure, values in series.items() if values}
    return charts.lines(dict(list(there.items())[:6]), name, f"Measures by {name}", report.best.get(name)) if there else ""


def _sweep_heat(report: Report, names: tuple[str, str]) -> str:
    values = {
        (point.weights[names[0]], point.weights[names[1]]): point.metrics[report.objective]
        for point in report.points
        if report.objective in point.metrics and all(name in point.weights for name in names)
    }
    if not values:
        return ""
    rows, across = sorted({row for row, _ in values}), sorted({column for _, column in values})
    return f"<p>{safe(report.objective)}</p>{charts.heat(rows, across, values, names)}"


def _sweep_table(report: Report) -> str:
    measures = list(dict.fromkeys((report.objective, *_CHIEF)))
    measures = [measure for measure in measures if any(measure in point.metrics for point in report.points)]
    ranked = sorted(report.points, key=lambda point: (-point.metrics.get(report.objective, -1.0), -point.passed))
    rows = [
        [told(point.weights), f"{point.passed}/{point.cases}", *(_number(point.metrics.get(measure)) for measure in measures)]
        for point in ranked[:_POINTS_SHOWN]
    ]
    best = {number for number, point in enumerate(ranked[:_POINTS_SHOWN]) if point.weights == report.best}
    left = len(ranked) - len(rows)
    more = f"<p>The best {len(rows)} of {len(ranked)}.</p>" if left else ""
    return _table(["weights", "passed", *measures], rows, best) + more


# -- tables -------------------------------------------------------------------------------------------------------------------


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]], best: frozenset[int] | set[int] = frozenset()) -> str:
    """A table whose first column is text and whose others are numbers."""
    head = "".join(f"<th{' class=number' if place else ''}>{safe(name)}</th>" for place, name in enumerate(columns))
    body = "".join(
        f"<tr{' class=best' if number in best else ''}>"
        + "".join(f'<td class="{"number" if place else "name"}">{safe(cell)}</td>' for place, cell in enumerate(row))
        + "</tr>"
        for number, row in enumerate(rows)
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _kinds(report: Report) -> str:
    measures = [name for name in _CHIEF if name in report.metrics]
    rows = [[kind, *(_number(values.get(name)) for name in measures)] for kind, values in report.by_kind.items()]
    return _table(["kind", *measures], rows)


def _files(report: Report) -> str:
    measures = [name for name in _CHIEF if name in report.metrics]
    rows = [
        [file.file, f"{file.passed}/{file.cases}", *(_number(file.metrics.get(name)) for name in measures)]
        for file in report.files
    ]
    return _table(["file", "passed", *measures], rows)


def _unknown(report: Report) -> str:
    rows = [[key, file.name, ", ".join(cases)] for file in report.files for key, cases in file.unknown.items()]
    return "<p>The files expect these, and the mind has none of them; no case was failed for it.</p>" + _table(
        ["key", "file", "cases"], rows
    )


def _settings(report: Report) -> str:
    settings: Mapping[str, float] = report.files[0].settings
    rows = [[name, f"{value:g}"] for name, value in settings.items()]
    title = f"All {len(rows)} settings, but for those set or swept"
    return f"<details><summary>{title}</summary>{_table(['name', 'value'], rows)}</details>"


def _cases(report: Report) -> str:
    head = "<tr><th></th><th>case</th><th class=number>1/rank</th><th class=number>nDCG</th><th>found</th></tr>"
    # What failed comes first: it is what one looks for.
    ordered = sorted(report.of_best(), key=lambda result: result.passed)
    return f"<table><thead>{head}</thead><tbody>{''.join(map(_case, ordered))}</tbody></table>"


def _case(result: Result) -> str:
    mark = "none" if not result.judged else "passed" if result.passed else "failed"
    sign = {"none": "·", "passed": "✓", "failed": "✗"}[mark]
    found = " ".join(f"<i>{safe(key)}</i>" if key in result.expected else safe(key) for key in result.ranking) or "nothing"
    if result.actions:
        found += " → " + " ".join(f"<i>{safe(key)}</i>" if key in result.expected else safe(key) for key in result.actions)
    missing = "".join(f" <s>{safe(key)}</s>" for key in result.missing)
    return (
        f'<tr><td class="{mark}" title="{mark}">{sign}</td><td class="name">{safe(result.name)}</td>'
        f'<td class="number">{_number(result.scores.get("mrr"))}</td>'
        f'<td class="number">{_number(result.scores.get("ndcg@10"))}</td>'
        f'<td class="keys">{found}{f"<br>missing:{missing}" if missing else ""}</td></tr>'
    )
