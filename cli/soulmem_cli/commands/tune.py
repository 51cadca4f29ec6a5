"""``soulmem tune``: measuring recall, and its weights."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from soulmem_cli.as_json import print_json
from soulmem_cli.minds import chosen_mind, opened
from soulmem_cli.models import configured_model, no_model_option
from soulmem_cli.options import at_option, common, embedder_named, json_option, without_mind
from soulmem_cli.outputs import check_outputs, force_option
from soulmem_cli.terminal import out, progress_bar, say

if TYPE_CHECKING:
    from soulmem.tune.report import Report, Requirement
    from soulmem.tune.weights import Point
    from soulmem_cli.tune_weights import Sweeps

_SUITES = ("retrieve/similarity", "retrieve/association", "retrieve/full", "evidence", "consolidate", "forget")

set_option = click.option(
    "--set", "fixed", multiple=True, metavar="NAME=VALUE", help="Ask with this weight instead of the mind's. Repeatable."
)
jobs_option = click.option(
    "--jobs", type=click.IntRange(1, 256), metavar="N", help="So many processes. [default: all cores, where it is worth it]"
)


@click.group("tune", short_help="Measure recall, and choose its weights.", no_args_is_help=True)
def command() -> None:
    """Measure how well the mind finds what it must find, and choose the weights it finds it with.

    \b
    Examples:
      soulmem tune run retrieve/full fixtures/wren/queries.json
      soulmem tune run evidence fixtures/ --batch --fresh --html report.html
      soulmem tune run retrieve/full queries.json --sweep damping=0.3:0.9:0.1 --save-profile
    """


@command.command("run", short_help="Ask questions with known answers.")
@click.argument("suite", type=click.Choice(_SUITES), metavar="SUITE")
@click.argument("paths", metavar="PATH…", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--batch", is_flag=True, help="Run several files, or all that fit in a folder, as one.")
@click.option("--fresh", is_flag=True, help="Ask a mind made of the file's own graph or chat for this run, instead of yours.")
@click.option(
    "--embedder",
    default="e5",
    show_default=True,
    metavar="NAME",
    callback=embedder_named,
    help="With --fresh: as for soulmem init.",
)
@set_option
@click.option(
    "--sweep",
    "sweeps",
    multiple=True,
    metavar="NAME=VALUES",
    help="Try every value: from:to:step, both ends included, or v1,v2,v3. Repeatable: all combinations are tried.",
)
@click.option("--most", type=click.IntRange(1), default=1000, show_default=True, metavar="N", help="Most combinations to try.")
@click.option("--by", "objective", metavar="METRIC", help="Choose the best combination by this. [default: by suite]")
@click.option(
    "--require",
    "required",
    multiple=True,
    metavar="METRIC>=VALUE",
    help="Exit code 1 unless the best combination reaches this; METRIC[KIND] for one kind of cases. Repeatable.",
)
@click.option("--save-profile", is_flag=True, help="Keep the weights set, or the best of those swept, in the mind.")
@click.option("--model", metavar="NAME", help="consolidate: let this language model draw the memories. [default: none]")
@at_option
@jobs_option
@click.option("-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="Also write the report as JSON.")
@click.option("--csv", "csv_file", metavar="FILE", type=click.Path(path_type=Path), help="Also write the results as CSV.")
@click.option("--html", "html_file", metavar="FILE", type=click.Path(path_type=Path), help="Also write the report as a page.")
@force_option
@json_option
@common
def run(
    suite: str,
    paths: tuple[Path, ...],
    batch: bool,
    fresh: bool,
    embedder: str,
    fixed: tuple[str, ...],
    sweeps: tuple[str, ...],
    most: int,
    objective: str | None,
    required: tuple[str, ...],
    save_profile: bool,
    model: str | None,
    at: datetime | None,
    jobs: int | None,
    output: Path | None,
    csv_file: Path | None,
    html_file: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Ask the questions of a file and judge the answers.

    \b
    SUITE is
      retrieve/similarity   what a question finds directly      (PATH: Query JSON)
      retrieve/association  what only the walk brings           (PATH: Query JSON)
      retrieve/full         all that comes to mind, and actions (PATH: Query JSON)
      evidence              the lines that hold the answer      (PATH: Evidence JSON)
      consolidate           the memories formed of a chat       (PATH: Gold JSON)
      forget                how what is remembered fades        (PATH: Forget JSON)

    The suites consolidate and forget need no mind: the first makes minds of its own, the second tries the curve itself.

    The mind is asked as it is, and nothing is changed in it. Where no mind is chosen and there is not exactly one, the questions
    are put to a mind made for this run, as with --fresh.

    \b
    Examples:
      soulmem tune run retrieve/full queries.json --require 'mrr>=0.8' --require 'passed>=97%'
      soulmem tune run evidence chat.evidence.json --json
      soulmem tune run retrieve/full queries.json --sweep damping=0.5,0.65,0.8 --sweep max_results=3:6:1
    """
    from soulmem_cli import tune_files, tune_report
    from soulmem_cli.tune_weights import requirements, swept, weights

    check_outputs(output, csv_file, html_file, force=force, inputs=paths)
    if suite == "consolidate":
        from soulmem_cli.tune_gold import run_suite

        refused: dict[str, object] = {"--set": fixed, "--sweep": sweeps, "--by": objective, "--save-profile": save_profile}
        refused |= {"--csv": csv_file, "--html": html_file}
        return run_suite(paths, batch, embedder, model, at, requirements(required), refused, output, as_json)
    if suite == "forget":
        from soulmem_cli import tune_forget

        taken: dict[str, object] = {"--set": fixed, "--sweep": sweeps, "--by": objective, "--save-profile": save_profile}
        taken |= {"--csv": csv_file, "--model": model, "--fresh": fresh}
        return tune_forget.run_suite(paths, batch, embedder, requirements(required), taken, output, html_file, as_json)
    if model is not None:
        raise click.UsageError("--model is for the suite consolidate; the others ask no language model.")
    asked = swept(weights(fixed), sweeps, most)
    musts = requirements(required)
    fresh = fresh or (not save_profile and not tune_files.is_mind_clear())
    if fresh and save_profile:
        raise click.UsageError("--save-profile needs a mind to save in; with --fresh there is none.")
    mind = None if fresh else chosen_mind()
    with progress_bar() as progress:
        asking = tune_files.Asking(suite=suite, mind=mind, embedder=embedder, at=at, jobs=jobs, progress=progress)
        report = asking.run(paths, batch, asked, objective)
    tune_files.write(report, output, csv_file, html_file)
    if as_json:
        print_json(report)
    else:
        tune_report.print_report(report)
    tune_report.tell(report)
    _end(report, musts, save_profile, asked)
    return None


def _end(report: Report, musts: tuple[Requirement, ...], save_profile: bool, asked: Sweeps) -> None:
    """What is required is checked before anything is kept."""
    from soulmem.tune.report import missed

    failures = missed(report, musts)
    for failure in failures:
        say(f"required: {failure}")
    if failures:
        if save_profile:
            say("No profile was saved.")
        raise click.exceptions.Exit(1)
    if save_profile:
        _save(report)


def _save(report: Report) -> None:
    from soulmem.tune.weights import told

    measured = {
        "suite": report.suite,
        "files": [file.file for file in report.files],
        "metric": report.objective,
        "value": report.metrics.get(report.objective),
        "cases": report.cases,
        "at": report.at,
    }
    with opened() as soul:
        kept: Point = {**soul.profile.weights, **report.best}
        soul.save_profile(kept, measured)
    say(f"Saved as the profile of this mind: {told(kept)}")


@command.command("profile", short_help="Show the weights of the mind's own.")
@click.option("--remove", is_flag=True, help="Take them away: the mind uses the defaults again.")
@json_option
@common
def profile(remove: bool, as_json: bool) -> None:
    """Show the weights this mind uses instead of the defaults.

    \b
    Examples:
      soulmem tune profile
      soulmem tune profile --remove
    """
    from soulmem_cli.tune_report import print_profile

    with opened(read_only=not remove) as soul:
        if remove:
            done = soul.remove_profile()
            say("The profile was removed." if done else "This mind has no profile.")
        found = soul.profile
    if as_json:
        print_json(found)
    elif not remove:
        print_profile(found)


@command.command("compare", short_help="Compare two reports.")
@click.argument("a", metavar="A", type=click.Path(path_type=Path))
@click.argument("b", metavar="B", type=click.Path(path_type=Path))
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), metavar="N", help="Of the bootstrap.")
@click.option(
    "--samples", default=10_000, show_default=True, type=click.IntRange(100, 1_000_000), metavar="N", help="Of the bootstrap."
)
@click.option(
    "--confidence",
    default=0.95,
    show_default=True,
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    help="How sure the interval is to be.",
)
@json_option
@without_mind("Reports are compared, of whichever minds.")
def compare(a: Path, b: Path, seed: int, samples: int, confidence: float, as_json: bool) -> None:
    """Compare two reports of tune run (JSON), A before and B after: case by case, and how sure the difference of the means is.

    The interval of a difference comes from a paired bootstrap; where it does not hold 0, the difference is marked.

    \b
    Example:
      soulmem tune compare before.json after.json
    """
    from soulmem.tune.compare import compare as compared
    from soulmem.tune.report import read_report
    from soulmem_cli.tune_report import print_comparison

    found = compared(read_report(a), read_report(b), seed=seed, samples=samples, confidence=confidence)
    if as_json:
        print_json(found)
    else:
        print_comparison(found)


@command.command("replay", short_help="Ask recorded recalls again with other weights.")
@set_option
@click.option(
    "--limit", default=1000, show_default=True, type=click.IntRange(1), metavar="N", help="At most so many recalls, the latest."
)
@jobs_option
@json_option
@common
def replay(fixed: tuple[str, ...], limit: int, jobs: int | None, as_json: bool) -> None:
    """Ask the recalls recorded in the mind again, and say how far the same comes to mind.

    Each is asked with the weights the mind has now, and with those of --set. Recalls that cannot be reproduced are counted
    apart, by reason: no text was recorded, the embedder is another one since, or notes that were used changed or are gone.

    \b
    Examples:
      soulmem tune replay
      soulmem tune replay --set damping=0.8 --set max_results=6
    """
    from soulmem.tune.replay import replay as replayed
    from soulmem_cli.tune_files import opening
    from soulmem_cli.tune_report import print_replay
    from soulmem_cli.tune_weights import weights

    point = weights(fixed)
    mind = chosen_mind()
    with progress_bar() as progress:
        found = replayed(opening(mind), point, limit=limit, jobs=jobs, progress=progress)
    if as_json:
        print_json(found)
    elif found.recorded:
        print_replay(found)
    else:
        out("This mind has no recorded recalls.")


@command.command("playtest", short_help="Hold a dialogue with the mind, turn by turn.")
@click.argument("dialogue", metavar="DIALOGUE", type=click.Path(path_type=Path))
@click.option("--fresh", is_flag=True, help="Play with a mind made of the graph the dialogue names, instead of yours.")
@click.option(
    "--embedder",
    default="e5",
    show_default=True,
    metavar="NAME",
    callback=embedder_named,
    help="With --fresh: as for soulmem init.",
)
@click.option("--top", default=10, show_default=True, type=click.IntRange(1, 1000), metavar="N", help="At most so many memories.")
@at_option
@click.option(
    "--blind",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Also write a sheet for comparing recall with vectors alone, blind; which is which goes to FILE.key.json.",
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), metavar="N", help="Of the order on the sheet.")
@no_model_option
@click.option("-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="Also write the run as JSON.")
@force_option
@json_option
@common
def playtest(
    dialogue: Path,
    fresh: bool,
    embedder: str,
    top: int,
    at: datetime | None,
    blind: Path | None,
    seed: int,
    no_model: bool,
    output: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Hold a dialogue (Dialogue JSON) with the mind and show for every turn what came to mind, and why: seeds, associations,
    tendencies; beside it what vectors alone would have brought. The language model that is configured replies to both (soulmem
    config). Nothing is changed in the mind.

    \b
    Examples:
      soulmem tune playtest dialogue.json
      soulmem tune playtest dialogue.json --blind sheet.md -o run.json
    """
    from soulmem_cli import playtests

    key = None if blind is None else blind.with_name(f"{blind.name}.key.json")
    check_outputs(output, blind, key, force=force, inputs=[dialogue])
    with configured_model(no_model) as model, progress_bar() as progress:
        played = playtests.played(dialogue, fresh=fresh, embedder=embedder, top=top, at=at, model=model, progress=progress)
    if output:
        playtests.write_run(played, output)
    if blind and key:
        playtests.write_sheet(played, blind, key, seed)
    if as_json:
        print_json(played)
    else:
        playtests.print_played(played)
