"""``soulmem tune run consolidate``: chats replayed into minds of their own, held against gold."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from soulmem.files import write_whole
from soulmem.soul import Soul, utc_now
from soulmem.text.counts import counted
from soulmem.tune.consolidation import GoldReport, GoldResult, run_gold
from soulmem.tune.gold import read_gold
from soulmem.tune.report import Requirement
from soulmem_cli.as_json import plain, print_json
from soulmem_cli.models import named_model
from soulmem_cli.tables import print_table
from soulmem_cli.terminal import out, progress_bar, say
from soulmem_cli.tune_suites import check_taken, end_suite, suite_files


def run_suite(
    paths: Sequence[Path],
    batch: bool,
    embedder: str,
    model_name: str | None,
    at: datetime | None,
    musts: Sequence[Requirement],
    refused: Mapping[str, Any],
    output: Path | None,
    as_json: bool,
) -> None:
    """Run the suite and print its report. ``model_name``: the model that draws the memories; ``None``: none does, whichever is
    configured. ``refused``: options that it does not take, with what was given for them."""
    check_taken("consolidate", refused)
    files = suite_files(paths, batch, "Gold JSON", "*.gold.json")
    moment = at or utc_now()
    golds = [read_gold(file) for file in files]
    with named_model(model_name) as model, progress_bar() as progress:

        def made(path: Path) -> Soul:
            soul = Soul.create(path, embedder=embedder, clock=lambda: moment)
            soul.use_model(model)
            return soul

        report = run_gold(
            golds,
            made,
            at=moment,
            model=model.name if model else "",
            progress=progress,
        )
    if output is not None:
        write_whole(output, json.dumps(plain(report), ensure_ascii=False, indent=2) + "\n")
    if as_json:
        print_json(report)
    else:
        print_report(report)
    end_suite(report.metrics, musts)


def print_report(report: GoldReport) -> None:
    """The measures, the files, and what failed."""
    by = f"model {report.model}" if report.model else "without a model"
    out(f"consolidate: {counted(len(report.files), 'chat')}, embedder {report.embedder}, {by}\n")
    print_table(["measure", "value"], [(name, f"{value:.4f}") for name, value in report.metrics.items()])
    out("")
    columns = ["file", "messages", "formed", "found", "forbidden absent", "provenance", "duplicates", "attribution errors"]
    rows = [
        (
            one.file,
            one.messages,
            one.formed,
            f"{one.found:.4f}",
            f"{one.forbidden_absent:.4f}",
            f"{one.provenance:.4f}",
            one.duplicates,
            one.attribution_errors,
        )
        for one in report.files
    ]
    print_table(columns, rows, cut="file")
    failed = [result for result in report.results if not result.passed]
    if failed:
        out("")
        print_table(["failed", "what"], [_failure(result) for result in failed])
    for problem in report.problems:
        say(f"The model: {problem}")


def _failure(result: GoldResult) -> tuple[str, str]:
    if result.forbidden:
        return result.id, f"must not be remembered ({result.why}), but was: {result.note}"
    return result.id, "was not formed"
