"""``soulmem tune run forget``: cases of forgetting, and the excitation test."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from soulmem.embed import open_embedder
from soulmem.files import write_whole
from soulmem.settings import Settings
from soulmem.tune.forget_cases import read_forget
from soulmem.tune.forget_page import forget_page
from soulmem.tune.forgetting import ForgetSuiteReport, run_forget
from soulmem.tune.report import Requirement
from soulmem_cli.as_json import plain, print_json
from soulmem_cli.tables import print_table
from soulmem_cli.terminal import out
from soulmem_cli.tune_suites import check_taken, end_suite, suite_files


def run_suite(
    paths: Sequence[Path],
    batch: bool,
    embedder: str,
    musts: Sequence[Requirement],
    refused: Mapping[str, Any],
    output: Path | None,
    html_file: Path | None,
    as_json: bool,
) -> None:
    """Run the suite and print its report. ``refused``: options that it does not take, with what was given for them."""
    check_taken("forget", refused)
    files = [read_forget(file) for file in suite_files(paths, batch, "Forget JSON", "*forget.json")]
    report = run_forget(files, open_embedder(embedder), Settings())
    if output is not None:
        write_whole(output, json.dumps(plain(report), ensure_ascii=False, indent=2) + "\n")
    if html_file is not None:
        write_whole(html_file, forget_page(report))
    if as_json:
        print_json(report)
    else:
        print_report(report)
    end_suite(report.metrics, musts)


def print_report(report: ForgetSuiteReport) -> None:
    """The measures, the curves at their end, and what failed."""
    out(f"forget: {report.passed} of {report.cases} cases passed, embedder {report.embedder}\n")
    print_table(["measure", "value"], [(name, f"{value:.4f}") for name, value in report.metrics.items()])
    charts: dict[str, dict[str, float]] = {}
    for curve in report.curves:
        charts.setdefault(curve.chart, {})[curve.name] = curve.points[-1][1]
    doses = list(next(iter(charts.values()), {}))
    if doses:
        out("")
        rows = [[chart, *(f"{values[dose]:.3f}" for dose in doses)] for chart, values in charts.items()]
        print_table(["missing after 72 h, by recalls", *doses], rows)
    failed = [result for result in report.results if not result.passed]
    if failed:
        out("")
        print_table(
            ["failed", "kind", "expected", "got"], [(one.name, one.kind, one.expected, one.got) for one in failed], cut="got"
        )
